#include <cstdint>
#include <iostream>
#include <string>

// The value of the key with that number, as `fill` makes it.
std::string made_value(std::uint32_t seed, std::uint32_t number) {
    constexpr std::uint32_t mask = (1U << 31) - 1;
    constexpr char digits[] = "0123456789abcdef";
    std::uint32_t x = (seed + 7919 * number) & mask;
    std::string value;
    for (int k = 0; k < 15; ++k) {
        x = (1103515245 * x + 12345) & mask;
        for (int shift = 28; shift >= 0; shift -= 4) value += digits[x >> shift & 15];
    }
    return value;
}

int main() {
    for (std::string command, key; std::cin >> command;) {
        // put, get, del, count, fill, drop, digest
    }
}
