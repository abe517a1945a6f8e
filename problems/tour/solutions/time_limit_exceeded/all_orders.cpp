// Tries all orders: no trip is shorter, and none takes longer to be found.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    std::size_t number = 0;
    std::cin >> number;
    std::vector<double> x(number), y(number);
    for (std::size_t i = 0; i < number; ++i) std::cin >> x[i] >> y[i];

    const auto length = [&](const std::vector<std::size_t>& order) {
        double sum = 0;
        for (std::size_t i = 0; i < number; ++i) {
            const std::size_t a = order[i], b = order[(i + 1) % number];
            sum += std::hypot(x[a] - x[b], y[a] - y[b]);
        }
        return sum;
    };
    std::vector<std::size_t> order(number);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::size_t> best = order;
    double shortest = length(best);
    while (std::next_permutation(order.begin() + 1, order.end())) {
        const double other = length(order);
        if (other < shortest) {
            shortest = other;
            best = order;
        }
    }
    for (const std::size_t place : best) std::cout << place + 1 << ' ';
    std::cout << '\n';
}
