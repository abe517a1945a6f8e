#include <iostream>

int main() {
    std::size_t number = 0;
    std::cin >> number;
    for (std::size_t place = 1; place <= number; ++place) std::cout << place << '\n';
}
