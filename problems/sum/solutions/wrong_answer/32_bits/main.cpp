// Adds in 32 bits: right for small numbers only.
#include <cstdint>
#include <iostream>

int main() {
    long long a = 0, b = 0;
    std::cin >> a >> b;
    auto sum = static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b);
    std::cout << static_cast<std::int32_t>(sum) << '\n';
}
