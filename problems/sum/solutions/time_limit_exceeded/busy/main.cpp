// Adds b a little at a time: 10 billion steps where b is 10^18.
#include <iostream>

int main() {
    long long a = 0, b = 0;
    std::cin >> a >> b;
    volatile long long sum = a;
    constexpr long long step = 100'000'000;
    for (; b > step; b -= step) sum = sum + step;
    std::cout << sum + b << '\n';
}
