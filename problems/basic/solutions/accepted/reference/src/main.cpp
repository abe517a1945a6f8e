#include <iostream>

#include "interpreter.hpp"

int main() {
    std::ios::sync_with_stdio(false);
    Interpreter(std::cin, std::cout).run();
}
