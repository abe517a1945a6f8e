// Adds b a little at a time and rests in between: hardly any CPU time, but 10 s on the clock where b is 10^18.
#include <chrono>
#include <iostream>
#include <thread>

int main() {
    long long a = 0, b = 0;
    std::cin >> a >> b;
    constexpr long long step = 1'000'000'000'000'000;
    for (; b > step; b -= step) {
        a += step;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::cout << a + b << '\n';
}
