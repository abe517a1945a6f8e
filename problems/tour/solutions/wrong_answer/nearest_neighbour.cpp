// Goes on to the nearest place that was not visited: quick, and about a quarter too long.
#include <iostream>
#include <vector>

int main() {
    std::size_t number = 0;
    std::cin >> number;
    std::vector<long long> x(number), y(number);
    for (std::size_t i = 0; i < number; ++i) std::cin >> x[i] >> y[i];

    const auto square = [&](std::size_t a, std::size_t b) {
        return (x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]);
    };
    std::vector<bool> visited(number);
    for (std::size_t here = 0, left = number; left > 0; --left) {
        visited[here] = true;
        std::cout << here + 1 << '\n';
        std::size_t nearest = here;
        for (std::size_t other = 0; other < number; ++other) {
            if (visited[other]) continue;
            if (nearest == here || square(here, other) < square(here, nearest)) nearest = other;
        }
        here = nearest;
    }
}
