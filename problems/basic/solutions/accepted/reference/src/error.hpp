#pragma once

#include <stdexcept>

// An error of the BASIC program or its user: what() is the line that is printed for it.
class BasicError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct SyntaxError : BasicError {
    SyntaxError() : BasicError("SYNTAX ERROR") {}
};

struct DivideByZero : BasicError {
    DivideByZero() : BasicError("DIVIDE BY ZERO") {}
};

struct VariableNotDefined : BasicError {
    VariableNotDefined() : BasicError("VARIABLE NOT DEFINED") {}
};

struct LineNumberError : BasicError {
    LineNumberError() : BasicError("LINE NUMBER ERROR") {}
};
