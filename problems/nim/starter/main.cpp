// Plays by the rules, and takes one stone at a time.
#include <cstdint>
#include <iostream>
#include <vector>

int main() {
    for (std::size_t number = 0; std::cin >> number && number > 0;) {
        std::vector<std::uint64_t> sizes(number);
        for (std::uint64_t& size : sizes) std::cin >> size;
        for (std::size_t other = 1, stones = 0; std::cin && other > 0;) {
            std::size_t heap = 0;
            while (sizes[heap] == 0) ++heap;
            --sizes[heap];
            std::cout << heap + 1 << ' ' << 1 << std::endl;
            std::cin >> other >> stones;
            if (std::cin && other > 0) sizes[other - 1] -= stones;
        }
    }
}
