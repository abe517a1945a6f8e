#include <iostream>
#include <set>
#include <string>
#include <utility>

#include "library.hpp"

namespace {

// Reads the next word of the input as a number or a word.
template <class Value>
Value next() {
    Value value{};
    std::cin >> value;
    return value;
}

void show(const Member& member) {
    std::cout << member.name << ' ' << member.loans.size() << ' ' << member.owes << '\n';
    std::set<std::pair<Day, BookId>> sorted;
    for (const auto& [book, last_day] : member.loans) sorted.insert({last_day, book});
    for (const auto& [last_day, book] : sorted) std::cout << book << ' ' << last_day << '\n';
}

void show(const Book& book) {
    std::cout << book.title << ' ' << book.copies << ' ' << book.lent << ' ' << book.kept.size()
              << ' ' << book.queue.size() << '\n';
}

void show_overdue(const Library& library) {
    std::cout << library.overdue() << '\n';
    for (const Loan& loan : library.first_overdue(10)) {
        std::cout << loan.member << ' ' << loan.book << ' ' << loan.last_day << '\n';
    }
}

void show_top(const Library& library, std::size_t number) {
    for (const auto& [count, book] : library.most_lent(number)) {
        std::cout << book << ' ' << count << '\n';
    }
}

// Called with the answer in hand: nothing is printed if the library refuses.
template <class Answer>
void ok(const Answer& answer) {
    std::cout << "ok " << answer << '\n';
}

// Reads all arguments before it asks the library, which may refuse.
void obey(Library& library, const std::string& command) {
    if (command == "overdue") return show_overdue(library);
    const int first = next<int>();
    if (command == "day") return library.go_to(first);
    if (command == "member") return show(library.member(first));
    if (command == "book") return show(library.book(first));
    if (command == "top") return show_top(library, static_cast<std::size_t>(first));
    if (command == "join") {
        library.join(first, next<std::string>());
        std::cout << "ok\n";
        return;
    }
    const int second = next<int>();
    if (command == "add") {
        ok(library.add(first, second, next<std::string>()));
    } else if (command == "lend") {
        ok(library.lend(first, second));
    } else if (command == "back") {
        ok(library.take_back(first, second));
    } else if (command == "wait") {
        ok(library.wait(first, second));
    } else if (command == "pay") {
        ok(library.pay(first, second));
    }
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Library library;
    for (std::string command; std::cin >> command;) {
        try {
            obey(library, command);
        } catch (const Refused& reason) {
            std::cout << "error: " << reason.what() << '\n';
        }
    }
}
