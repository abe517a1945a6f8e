#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "tokens.hpp"

using Variables = std::unordered_map<std::string, int>;

class Expression {
public:
    virtual ~Expression() = default;

    // Throws VariableNotDefined or DivideByZero.
    virtual int evaluate(const Variables& variables) const = 0;
};

using ExpressionPtr = std::unique_ptr<const Expression>;

// Takes the longest expression that the tokens begin with. Throws SyntaxError if there is none.
ExpressionPtr parse_expression(Tokens& tokens);
