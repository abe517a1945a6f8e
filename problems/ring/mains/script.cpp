// Eight rings of strings, and a command a line that does something with one or two of them.
#include "ring.hpp"
#include "rules.hpp"

#include <array>
#include <cstddef>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

std::array<Ring<std::string>, 8> rings;

void print(const Ring<std::string>& ring) {
    std::cout << ring.size() << ':';
    for (const std::string& value : ring) std::cout << ' ' << value;
    std::cout << '\n';
}

void obey(const std::string& command, Ring<std::string>& ring) {
    std::string value;
    std::size_t number = 0;
    if (command == "push_back" && std::cin >> value) {
        ring.push_back(value);
    } else if (command == "push_front" && std::cin >> value) {
        ring.push_front(std::move(value));
    } else if (command == "pop_back") {
        ring.pop_back();
    } else if (command == "pop_front") {
        ring.pop_front();
    } else if (command == "front") {
        std::cout << ring.front() << '\n';
    } else if (command == "back") {
        std::cout << ring.back() << '\n';
    } else if (command == "at" && std::cin >> number) {
        std::cout << ring.at(number) << '\n';
    } else if (command == "set" && std::cin >> number >> value) {
        ring.at(number) = value;
    } else if (command == "size") {
        std::cout << ring.size() << (ring.empty() ? " empty\n" : "\n");
    } else if (command == "print") {
        print(ring);
    } else if (command == "clear") {
        ring.clear();
    } else if (command == "copy" && std::cin >> number) {
        ring = rings.at(number);
    } else if (command == "move" && std::cin >> number) {
        ring = std::move(rings.at(number));
        rings.at(number) = Ring<std::string>();
    } else if (command == "swap" && std::cin >> number) {
        ring.swap(rings.at(number));
    } else if (command == "equal" && std::cin >> number) {
        std::cout << (ring == rings.at(number) ? "equal\n" : "different\n");
    } else if (command == "rotate") {
        ring.push_back(ring.front());
        ring.pop_front();
    }
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::string command;
    for (std::size_t number; std::cin >> number >> command;) {
        try {
            obey(command, rings.at(number));
        } catch (const std::out_of_range&) {
            std::cout << "out of range\n";
        }
    }
}
