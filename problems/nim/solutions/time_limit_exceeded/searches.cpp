// Plays every game to all of its ends before the first move.
#include <cstdint>
#include <iostream>
#include <vector>

namespace {

struct Move {
    std::size_t heap;
    std::uint64_t stones;
};

// Whether whoever moves next can win; `best` is then how.
bool can_win(std::vector<std::uint64_t>& sizes, Move& best) {
    for (std::size_t heap = 0; heap < sizes.size(); ++heap) {
        for (std::uint64_t stones = sizes[heap]; stones > 0; --stones) {
            Move reply{};
            sizes[heap] -= stones;
            const bool wins = !can_win(sizes, reply);
            sizes[heap] += stones;
            if (wins) {
                best = {heap, stones};
                return true;
            }
        }
    }
    return false;
}

}  // namespace

int main() {
    for (std::size_t number = 0; std::cin >> number && number > 0;) {
        std::vector<std::uint64_t> sizes(number);
        for (std::uint64_t& size : sizes) std::cin >> size;
        for (std::size_t other = 1, stones = 0; other > 0;) {
            Move move{};
            can_win(sizes, move);
            sizes[move.heap] -= move.stones;
            std::cout << move.heap + 1 << ' ' << move.stones << std::endl;
            std::cin >> other >> stones;
            if (other > 0) sizes.at(other - 1) -= stones;
        }
    }
}
