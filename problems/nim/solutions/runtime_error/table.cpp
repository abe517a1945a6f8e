// Looks up in a table who wins. It has room for two heaps of up to 63 stones, and no more.
#include <array>
#include <iostream>
#include <vector>

namespace {

using Row = std::array<bool, 64>;

// wins[a][b]: whoever has to move with heaps of a and b stones can win.
std::array<Row, 64> table() {
    std::array<Row, 64> wins{};
    for (std::size_t a = 0; a < 64; ++a) {
        for (std::size_t b = 0; b < 64; ++b) {
            for (std::size_t less = 0; less < a; ++less) wins[a][b] |= !wins[less][b];
            for (std::size_t less = 0; less < b; ++less) wins[a][b] |= !wins[a][less];
        }
    }
    return wins;
}

}  // namespace

int main() {
    const auto wins = table();
    for (std::size_t number = 0; std::cin >> number && number > 0;) {
        std::array<std::size_t, 2> sizes{};
        for (std::size_t heap = 0; heap < number; ++heap) std::cin >> sizes.at(heap);
        for (std::size_t other = 1, stones = 0; other > 0;) {
            std::size_t heap = 0, left = sizes[0];
            for (std::size_t less = 0; less < sizes[0]; ++less) {
                if (!wins.at(less).at(sizes[1])) left = less;
            }
            if (left == sizes[0]) {
                heap = 1;
                left = sizes[1];
                for (std::size_t less = 0; less < sizes[1]; ++less) {
                    if (!wins.at(sizes[0]).at(less)) left = less;
                }
            }
            std::cout << heap + 1 << ' ' << sizes[heap] - left << std::endl;
            sizes[heap] = left;
            std::cin >> other >> stones;
            if (other > 0) sizes.at(other - 1) -= stones;
        }
    }
}
