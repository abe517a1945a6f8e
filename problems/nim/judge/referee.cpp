// referee INPUT ANSWER FEEDBACK-FOLDER: plays Nim with the program on standard input and output. As
// the ICPC package format has it, the exit code is 42 if the program won all games, 43 if not.
//
// INPUT holds the seed of the referee's moves, the number of games, and for each game the number of
// heaps and their sizes.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int accepted = 42, rejected = 43, our_fault = 1;

struct Move {
    std::size_t heap = 0;  // counted from 0
    std::uint64_t stones = 0;
};

class Heaps {
public:
    explicit Heaps(std::vector<std::uint64_t> sizes) : sizes_(std::move(sizes)) {}

    const std::vector<std::uint64_t>& sizes() const { return sizes_; }

    bool empty() const { return std::ranges::all_of(sizes_, [](auto size) { return size == 0; }); }

    bool allows(const Move& move) const {
        return move.heap < sizes_.size() && move.stones > 0 && move.stones <= sizes_[move.heap];
    }

    void take(const Move& move) { sizes_[move.heap] -= move.stones; }

    // A move after which the sum without carry (exclusive or) of the sizes is 0, and whoever is
    // next loses. Where there is none, any move.
    Move best_move(std::mt19937_64& random) const {
        std::uint64_t sum = 0;
        for (const std::uint64_t size : sizes_) sum ^= size;
        for (std::size_t heap = 0; heap < sizes_.size(); ++heap) {
            const std::uint64_t wanted = sizes_[heap] ^ sum;
            if (wanted < sizes_[heap]) return {heap, sizes_[heap] - wanted};
        }
        std::size_t heap = random() % sizes_.size();
        while (sizes_[heap] == 0) heap = (heap + 1) % sizes_.size();
        return {heap, 1 + random() % sizes_[heap]};
    }

private:
    std::vector<std::uint64_t> sizes_;
};

// Plays a game. Returns why the program did not win, or nothing if it did.
std::string play(Heaps heaps, std::mt19937_64& random) {
    std::cout << heaps.sizes().size() << '\n';
    for (const std::uint64_t size : heaps.sizes()) std::cout << size << ' ';
    std::cout << std::endl;
    while (true) {
        std::int64_t heap = 0, stones = 0;
        if (!(std::cin >> heap >> stones)) return "there was no move where one was expected";
        Move move{static_cast<std::size_t>(heap - 1), static_cast<std::uint64_t>(stones)};
        if (!heaps.allows(move)) {
            const std::string shown = std::to_string(heap) + ' ' + std::to_string(stones);
            return "the move " + shown + " is not allowed";
        }
        heaps.take(move);
        if (heaps.empty()) {
            std::cout << "0 0" << std::endl;
            return "";
        }
        move = heaps.best_move(random);
        heaps.take(move);
        if (heaps.empty()) return "the judge has won";
        std::cout << move.heap + 1 << ' ' << move.stones << std::endl;
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return our_fault;
    std::ifstream input(arguments[1]);
    std::mt19937_64::result_type seed = 0;
    std::size_t games = 0;
    if (!(input >> seed >> games)) return our_fault;

    std::mt19937_64 random(seed);
    for (std::size_t game = 1; game <= games; ++game) {
        std::size_t number = 0;
        input >> number;
        std::vector<std::uint64_t> sizes(number);
        for (std::uint64_t& size : sizes) input >> size;
        if (!input || number == 0) return our_fault;

        const std::string reason = play(Heaps(std::move(sizes)), random);
        if (reason.empty()) continue;
        std::ofstream(std::filesystem::path(arguments[3]) / "teammessage.txt")
            << "game " << game << " of " << games << ": " << reason << '\n';
        return rejected;
    }
    std::cout << 0 << std::endl;
    return accepted;
}
