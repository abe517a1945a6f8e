// Reads how long the queue is and how many elements go through it. All of that is quick, and the
// memory that it takes depends on the length alone.
#include "ring.hpp"
#include "rules.hpp"

#include <cstdint>
#include <iostream>

int main() {
    std::size_t length = 0, steps = 0;
    std::cin >> length >> steps;

    Ring<std::uint64_t> ring;
    std::uint64_t random = 88172645463325252U, sum = 0;
    for (std::size_t i = 0; i < length; ++i) ring.push_back(i);
    for (std::size_t i = 0; i < steps; ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        sum = sum * 31 + ring[random % length] + ring.front();
        ring.pop_front();
        ring.push_back(random ^ sum);
    }
    for (std::size_t i = 0; i < steps; ++i) {
        ring.push_front(ring.back() + i);
        ring.pop_back();
    }
    for (const std::uint64_t value : ring) sum = sum * 31 + value;
    std::cout << ring.size() << ' ' << sum << '\n';
}
