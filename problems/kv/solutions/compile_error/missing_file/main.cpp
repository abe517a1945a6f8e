// CMakeLists.txt names a file, store.cpp, that was not committed.
void run();

int main() { run(); }
