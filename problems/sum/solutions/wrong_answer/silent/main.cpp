// Prints nothing at all.
int main() {}
