#pragma once

#include <istream>
#include <memory>
#include <ostream>
#include <variant>

#include "expression.hpp"
#include "tokens.hpp"

// What a statement works on.
struct Machine {
    std::istream& in;
    std::ostream& out;
    Variables variables;
};

// Where the program goes on after a statement.
struct NextLine {};
struct Jump {
    int line;
};
struct Stop {};
using Flow = std::variant<NextLine, Jump, Stop>;

class Statement {
public:
    virtual ~Statement() = default;

    // Throws BasicError, or EndOfInput where INPUT finds nothing more to read.
    virtual Flow execute(Machine& machine) const = 0;
};

struct EndOfInput {};

using StatementPtr = std::unique_ptr<const Statement>;

// Parses a whole line, without its number. Throws SyntaxError.
StatementPtr parse_statement(Tokens& tokens);
