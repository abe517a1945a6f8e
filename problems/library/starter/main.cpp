#include <iostream>
#include <string>

int main() {
    for (std::string command; std::cin >> command;) {
        // day, join, add, lend, back, wait, pay, member, book, overdue, top
    }
}
