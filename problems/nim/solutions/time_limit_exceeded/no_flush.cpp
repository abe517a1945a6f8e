// Forgets to flush where there are many heaps: its move stays in its buffer, and both sides wait.
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

namespace {

// Heap (counted from 1) and stones of a move after which the sum without carry of the sizes is 0.
std::pair<std::size_t, std::uint64_t> winning_move(const std::vector<std::uint64_t>& sizes) {
    std::uint64_t sum = 0;
    for (const std::uint64_t size : sizes) sum ^= size;
    std::size_t heap = 0;
    while ((sizes[heap] ^ sum) >= sizes[heap]) ++heap;
    return {heap + 1, sizes[heap] - (sizes[heap] ^ sum)};
}

void play(std::vector<std::uint64_t> sizes) {
    std::size_t heap = 1;
    std::uint64_t stones = 0;
    do {
        const auto [mine, taken] = winning_move(sizes);
        sizes[mine - 1] -= taken;
        std::cout << mine << ' ' << taken << '\n';
        if (sizes.size() < 40) std::cout.flush();
        std::cin >> heap >> stones;
        if (heap > 0) sizes[heap - 1] -= stones;
    } while (std::cin && heap > 0);
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    for (std::size_t number = 0; std::cin >> number && number > 0;) {
        std::vector<std::uint64_t> sizes(number);
        for (std::uint64_t& size : sizes) std::cin >> size;
        play(std::move(sizes));
    }
}
