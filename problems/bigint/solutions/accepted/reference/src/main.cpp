#include <array>
#include <iostream>
#include <string>

#include "bigint.hpp"

namespace {

std::array<BigInt, 26> registers;

BigInt& read_register() {
    char name = 'a';
    std::cin >> name;
    return registers.at(static_cast<std::size_t>(name - 'a'));
}

void print_digits(const BigInt& x) {
    std::size_t number = 0;
    int sum = 0;
    for (const char c : x.to_string()) {
        if (c == '-') continue;
        ++number;
        sum += c - '0';
    }
    std::cout << number << ' ' << sum << '\n';
}

void print_comparison(const BigInt& x, const BigInt& y) {
    std::cout << (x < y ? '<' : x == y ? '=' : '>') << '\n';
}

BigInt calculate(const std::string& command, const BigInt& x, const BigInt& y) {
    if (command == "add") return x + y;
    if (command == "sub") return x - y;
    if (command == "mul") return x * y;
    const auto [quotient, rest] = divide(x, y);
    return command == "div" ? quotient : rest;
}

void obey(const std::string& command) {
    BigInt& first = read_register();
    if (command == "set") {
        std::string number;
        std::cin >> number;
        first = BigInt(number);
    } else if (command == "print") {
        std::cout << first.to_string() << '\n';
    } else if (command == "digits") {
        print_digits(first);
    } else if (command == "cmp") {
        print_comparison(first, read_register());
    } else {
        const BigInt& x = read_register();
        const BigInt& y = read_register();
        if (y.is_zero() && (command == "div" || command == "mod")) {
            std::cout << "division by zero\n";
        } else {
            first = calculate(command, x, y);
        }
    }
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string command; std::cin >> command;) obey(command);
}
