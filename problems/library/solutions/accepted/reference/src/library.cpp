#include "library.hpp"

#include <algorithm>
#include <iterator>

namespace {

constexpr int loan_days = 14;
constexpr int kept_days = 3;
constexpr std::size_t most_books = 5;
constexpr int fine_per_day = 5;

constexpr const char* no_member = "no such member";
constexpr const char* no_book = "no such book";

void refuse_if(bool holds, const char* reason) {
    if (holds) throw Refused(reason);
}

template <class Items>
auto& find(Items& items, int id, const char* reason) {
    const auto found = items.find(id);
    refuse_if(found == items.end(), reason);
    return found->second;
}

template <class Item>
std::vector<Item> first_of(const std::set<Item>& items, std::size_t number) {
    const auto wanted = static_cast<std::ptrdiff_t>(std::min(number, items.size()));
    return {items.begin(), std::next(items.begin(), wanted)};
}

}  // namespace

void Library::go_to(Day day) {
    refuse_if(day < today_, "the past");
    while (today_ < day) {
        ++today_;
        begin_day();
    }
}

void Library::begin_day() {
    const Day yesterday = today_ - 1;
    while (!loans_.empty() && loans_.begin()->last_day == yesterday) {
        overdue_.insert(loans_.extract(loans_.begin()));
    }
    const auto books = kept_until_.extract(yesterday);
    if (!books) return;
    for (const BookId id : books.mapped()) {
        const auto is_over = [&](const auto& kept) { return kept.second == yesterday; };
        std::erase_if(books_.at(id).kept, is_over);
        set_aside(id);
    }
}

void Library::join(MemberId id, const std::string& name) {
    refuse_if(!members_.try_emplace(id, Member{name}).second, "member exists");
}

int Library::add(BookId id, int copies, const std::string& title) {
    Book& book = books_.try_emplace(id, Book{title}).first->second;
    book.copies += copies;
    set_aside(id);
    return book.copies;
}

Day Library::lend(MemberId member_id, BookId book_id) {
    Member& member = find(members_, member_id, no_member);
    Book& book = find(books_, book_id, no_book);
    refuse_if(member.owes > 0, "owes money");
    refuse_if(member.loans.contains(book_id), "has this book");
    refuse_if(member.loans.size() == most_books, "has 5 books");
    refuse_if(!book.kept.contains(member_id) && book.free() == 0, "no copy");

    const Day last_day = today_ + loan_days;
    book.kept.erase(member_id);
    ++book.lent;
    member.loans[book_id] = last_day;
    loans_.insert({last_day, member_id, book_id});
    ranking_.erase({book.times_lent, book_id});
    ranking_.insert({++book.times_lent, book_id});
    return last_day;
}

int Library::take_back(MemberId member_id, BookId book_id) {
    Member& member = find(members_, member_id, no_member);
    Book& book = find(books_, book_id, no_book);
    const auto found = member.loans.find(book_id);
    refuse_if(found == member.loans.end(), "not lent");

    const Loan loan = {found->second, member_id, book_id};
    const int fine = std::max(0, today_ - loan.last_day) * fine_per_day;
    (fine > 0 ? overdue_ : loans_).erase(loan);
    member.loans.erase(found);
    member.owes += fine;
    --book.lent;
    set_aside(book_id);
    return fine;
}

std::size_t Library::wait(MemberId member_id, BookId book_id) {
    const Member& member = find(members_, member_id, no_member);
    Book& book = find(books_, book_id, no_book);
    refuse_if(member.loans.contains(book_id), "has this book");
    refuse_if(book.awaits(member_id), "waits already");
    refuse_if(book.free() > 0, "copy is free");

    book.queue.push_back(member_id);
    book.queued.insert(member_id);
    return book.queue.size();
}

int Library::pay(MemberId id, int amount) {
    Member& member = find(members_, id, no_member);
    refuse_if(amount > member.owes, "too much");
    return member.owes -= amount;
}

const Member& Library::member(MemberId id) const { return find(members_, id, no_member); }

const Book& Library::book(BookId id) const { return find(books_, id, no_book); }

std::vector<Loan> Library::first_overdue(std::size_t number) const {
    return first_of(overdue_, number);
}

std::vector<BookCount> Library::most_lent(std::size_t number) const {
    return first_of(ranking_, number);
}

void Library::set_aside(BookId id) {
    Book& book = books_.at(id);
    const Day until = today_ + kept_days;
    while (book.free() > 0 && !book.queue.empty()) {
        book.kept[book.queue.front()] = until;
        book.queued.erase(book.queue.front());
        book.queue.pop_front();
        kept_until_[until].insert(id);
    }
}
