// Reports every step on standard error: 20 MB where b is 10^18.
#include <iostream>

int main() {
    long long a = 0, b = 0;
    std::cin >> a >> b;
    constexpr long long step = 1'000'000'000'000;
    for (; b > step; b -= step) std::cerr << (a += step) << '\n';
    std::cout << a + b << '\n';
}
