#include <iostream>
#include <string>

int main() {
    for (std::string command; std::cin >> command;) {
        // set, add, sub, mul, div, mod, cmp, print, digits
    }
}
