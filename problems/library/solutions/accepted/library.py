"""Keeps all lists sorted as it goes, with bisect. (generate.py makes the answers with it.)"""

import sys
from bisect import bisect_left, insort
from collections import deque
from dataclasses import dataclass, field

LOAN_DAYS = 14
KEPT_DAYS = 3
MOST_BOOKS = 5
FINE = 5


class Refused(Exception):
    """Why a command cannot be done."""


@dataclass
class Member:
    name: str
    owes: int = 0
    loans: dict[int, int] = field(default_factory=dict)  # book -> last day


@dataclass
class Book:
    title: str
    copies: int = 0
    lent: int = 0
    often: int = 0
    queue: deque[int] = field(default_factory=deque)
    kept: dict[int, int] = field(default_factory=dict)  # member -> last day

    @property
    def free(self) -> int:
        return self.copies - self.lent - len(self.kept)


class Library:
    def __init__(self) -> None:
        self.today = 0
        self.members = {}
        self.books = {}
        self.loans = []  # (last day, member, book), sorted
        self.ranking = []  # (-how often, book), sorted
        self.kept_until = {}  # day -> books for which something is kept until then

    def obey(self, words: list[str]) -> list[str]:
        command, *arguments = words
        try:
            return getattr(self, command)(*arguments)
        except Refused as reason:
            return [f"error: {reason}"]

    def day(self, number: str) -> list[str]:
        if int(number) < self.today:
            raise Refused("the past")
        while self.today < int(number):
            yesterday, self.today = self.today, self.today + 1
            for book_id in self.kept_until.pop(yesterday, ()):
                book = self.books[book_id]
                book.kept = {who: until for who, until in book.kept.items() if until > yesterday}
                self.keep(book_id, book)
        return []

    def join(self, member_id: str, name: str) -> list[str]:
        if int(member_id) in self.members:
            raise Refused("member exists")
        self.members[int(member_id)] = Member(name)
        return ["ok"]

    def add(self, book_id: str, copies: str, title: str) -> list[str]:
        book = self.books.setdefault(int(book_id), Book(title))
        book.copies += int(copies)
        self.keep(int(book_id), book)
        return [f"ok {book.copies}"]

    def lend(self, member_id: str, book_id: str) -> list[str]:
        who, what, member, book = self.find(member_id, book_id)
        if member.owes:
            raise Refused("owes money")
        if what in member.loans:
            raise Refused("has this book")
        if len(member.loans) == MOST_BOOKS:
            raise Refused("has 5 books")
        if who not in book.kept and not book.free:
            raise Refused("no copy")
        book.kept.pop(who, None)
        last_day = self.today + LOAN_DAYS
        member.loans[what] = last_day
        insort(self.loans, (last_day, who, what))
        if book.often:
            remove(self.ranking, (-book.often, what))
        book.often += 1
        insort(self.ranking, (-book.often, what))
        book.lent += 1
        return [f"ok {last_day}"]

    def back(self, member_id: str, book_id: str) -> list[str]:
        who, what, member, book = self.find(member_id, book_id)
        if what not in member.loans:
            raise Refused("not lent")
        last_day = member.loans.pop(what)
        remove(self.loans, (last_day, who, what))
        fine = max(0, self.today - last_day) * FINE
        member.owes += fine
        book.lent -= 1
        self.keep(what, book)
        return [f"ok {fine}"]

    def wait(self, member_id: str, book_id: str) -> list[str]:
        who, what, member, book = self.find(member_id, book_id)
        if what in member.loans:
            raise Refused("has this book")
        if who in book.kept or who in book.queue:
            raise Refused("waits already")
        if book.free:
            raise Refused("copy is free")
        book.queue.append(who)
        return [f"ok {len(book.queue)}"]

    def pay(self, member_id: str, amount: str) -> list[str]:
        member = self.find_member(member_id)
        if int(amount) > member.owes:
            raise Refused("too much")
        member.owes -= int(amount)
        return [f"ok {member.owes}"]

    def member(self, member_id: str) -> list[str]:
        member = self.find_member(member_id)
        loans = sorted((last_day, book) for book, last_day in member.loans.items())
        lines = [f"{book} {last_day}" for last_day, book in loans]
        return [f"{member.name} {len(loans)} {member.owes}", *lines]

    def book(self, book_id: str) -> list[str]:
        book = self.find_book(book_id)
        return [f"{book.title} {book.copies} {book.lent} {len(book.kept)} {len(book.queue)}"]

    def overdue(self) -> list[str]:
        number = bisect_left(self.loans, (self.today, 0, 0))
        first = self.loans[: min(10, number)]
        return [str(number), *(f"{who} {what} {last_day}" for last_day, who, what in first)]

    def top(self, number: str) -> list[str]:
        return [f"{book} {-often}" for often, book in self.ranking[: int(number)]]

    def find(self, member_id: str, book_id: str) -> tuple[int, int, Member, Book]:
        member = self.find_member(member_id)
        return int(member_id), int(book_id), member, self.find_book(book_id)

    def find_member(self, member_id: str) -> Member:
        if int(member_id) not in self.members:
            raise Refused("no such member")
        return self.members[int(member_id)]

    def find_book(self, book_id: str) -> Book:
        if int(book_id) not in self.books:
            raise Refused("no such book")
        return self.books[int(book_id)]

    def keep(self, book_id: int, book: Book) -> None:
        """Sets free copies aside for those who wait."""
        until = self.today + KEPT_DAYS
        while book.free and book.queue:
            book.kept[book.queue.popleft()] = until
            self.kept_until.setdefault(until, set()).add(book_id)


def remove(sorted_list: list[tuple], item: tuple) -> None:
    del sorted_list[bisect_left(sorted_list, item)]


def main() -> None:
    library = Library()
    out = []
    for line in sys.stdin:
        out += library.obey(line.split())
    print("\n".join(out))


if __name__ == "__main__":
    main()
