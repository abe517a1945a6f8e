// `new` is a word of the language, and cannot be a name.
#include <iostream>
#include <map>
#include <string>

int main() {
    std::map<int, std::string> members;
    for (std::string command; std::cin >> command;) {
        int id = 0;
        std::string name;
        if (command == "join" && std::cin >> id >> name) {
            bool new = members.emplace(id, name).second;
            std::cout << (new ? "ok\n" : "error: member exists\n");
        }
    }
}
