#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using MemberId = int;
using BookId = int;
using Day = int;

// Why a command cannot be done; what() is the reason in the words of the statement.
class Refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Its order is that of the list of overdue loans.
struct Loan {
    Day last_day;
    MemberId member;
    BookId book;

    auto operator<=>(const Loan&) const = default;
};

struct Member {
    std::string name;
    int owes = 0;
    std::map<BookId, Day> loans = {};  // the last day of each
};

struct Book {
    std::string title;
    int copies = 0;
    int lent = 0;
    int times_lent = 0;
    std::deque<MemberId> queue = {};
    std::unordered_set<MemberId> queued = {};
    std::unordered_map<MemberId, Day> kept = {};  // copies set aside: for whom, and until when

    int free() const { return copies - lent - static_cast<int>(kept.size()); }
    bool awaits(MemberId member) const { return queued.contains(member) || kept.contains(member); }
};

struct BookCount {
    int count;
    BookId book;

    std::strong_ordering operator<=>(const BookCount& other) const {
        if (count != other.count) return other.count <=> count;  // the larger count first
        return book <=> other.book;
    }
};

// All functions throw Refused, and have then changed nothing.
class Library {
public:
    void go_to(Day day);
    void join(MemberId id, const std::string& name);
    int add(BookId id, int copies, const std::string& title);  // all copies
    Day lend(MemberId member_id, BookId book_id);              // the last day
    int take_back(MemberId member_id, BookId book_id);         // the fine
    std::size_t wait(MemberId member_id, BookId book_id);      // the length of the queue
    int pay(MemberId id, int amount);                          // what is left

    const Member& member(MemberId id) const;
    const Book& book(BookId id) const;
    std::size_t overdue() const { return overdue_.size(); }
    std::vector<Loan> first_overdue(std::size_t number) const;
    std::vector<BookCount> most_lent(std::size_t number) const;

private:
    void begin_day();
    void set_aside(BookId id);

    Day today_ = 0;
    std::unordered_map<MemberId, Member> members_;
    std::unordered_map<BookId, Book> books_;
    std::set<Loan> loans_;  // those that are not overdue
    std::set<Loan> overdue_;
    std::set<BookCount> ranking_;
    std::map<Day, std::set<BookId>> kept_until_;  // where something may be given up after that day
};
