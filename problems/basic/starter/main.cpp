#include <iostream>
#include <string>

int main() {
    for (std::string line; std::getline(std::cin, line) && line != "QUIT";) {
        // Store a numbered line, or obey a command or statement.
    }
}
