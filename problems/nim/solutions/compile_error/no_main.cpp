// A program begins with main, and there is none.
#include <iostream>

void play() { std::cout << "1 1" << std::endl; }
