#pragma once

#include <map>
#include <ostream>
#include <string>

#include "statement.hpp"

// The numbered lines, in the order of their numbers.
class Program {
public:
    void store(int number, std::string text, StatementPtr statement);
    void erase(int number);
    void clear();

    void list(std::ostream& out) const;

    // Runs from the first line until END, the last line or an error. Throws what statements throw,
    // and LineNumberError on a jump to a line that does not exist.
    void run(Machine& machine) const;

private:
    struct Line {
        std::string text;
        StatementPtr statement;
    };
    using Lines = std::map<int, Line>;

    Lines::const_iterator find(int number) const;

    Lines lines_;
};
