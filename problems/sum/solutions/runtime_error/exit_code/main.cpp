// The answer is right, but the exit code says that the program failed.
#include <iostream>

int main() {
    long long a = 0, b = 0;
    std::cin >> a >> b;
    std::cout << a + b << '\n';
    return 1;
}
