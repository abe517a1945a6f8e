// Keeps every step of the addition: 800 MB where b is 10^18.
#include <iostream>
#include <vector>

int main() {
    long long a = 0, b = 0;
    std::cin >> a >> b;
    constexpr long long step = 10'000'000'000;
    std::vector<long long> sums = {a};
    for (; b > step; b -= step) sums.push_back(sums.back() + step);
    std::cout << sums.back() + b << '\n';
}
