// Calculates with 64 bits, and what does not fit is lost.
#include <cstdint>
#include <iostream>
#include <map>
#include <string>

namespace {

std::int64_t calculate(const std::string& command, std::int64_t x, std::int64_t y) {
    const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
    if (command == "add") return static_cast<std::int64_t>(a + b);
    if (command == "sub") return static_cast<std::int64_t>(a - b);
    if (command == "mul") return static_cast<std::int64_t>(a * b);
    if (y == -1) return command == "div" ? static_cast<std::int64_t>(-a) : 0;
    return command == "div" ? x / y : x % y;
}

void print_digits(const std::string& number) {
    int length = 0, sum = 0;
    for (const char c : number) {
        if (c == '-') continue;
        ++length;
        sum += c - '0';
    }
    std::cout << length << ' ' << sum << '\n';
}

}  // namespace

int main() {
    std::map<char, std::int64_t> registers;
    char to = 0, x = 0, y = 0;
    for (std::string command; std::cin >> command >> to;) {
        if (command == "set") {
            std::string number;
            std::cin >> number;
            std::uint64_t value = 0;
            for (const char c : number) {
                if (c != '-') value = 10 * value + static_cast<std::uint64_t>(c - '0');
            }
            registers[to] = static_cast<std::int64_t>(number.starts_with('-') ? -value : value);
        } else if (command == "print") {
            std::cout << registers[to] << '\n';
        } else if (command == "digits") {
            print_digits(std::to_string(registers[to]));
        } else if (command == "cmp" && std::cin >> y) {
            std::cout << (registers[to] < registers[y] ? '<' : registers[to] > registers[y] ? '>' : '=')
                      << '\n';
        } else if (std::cin >> x >> y) {
            if (registers[y] == 0 && (command == "div" || command == "mod")) {
                std::cout << "division by zero\n";
            } else {
                registers[to] = calculate(command, registers[x], registers[y]);
            }
        }
    }
}
