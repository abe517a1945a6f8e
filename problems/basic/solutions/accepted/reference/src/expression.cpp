#include "expression.hpp"

#include <utility>

#include "error.hpp"

namespace {

class Constant : public Expression {
public:
    explicit Constant(int value) : value_(value) {}

    int evaluate(const Variables&) const override { return value_; }

private:
    int value_;
};

class Variable : public Expression {
public:
    explicit Variable(std::string name) : name_(std::move(name)) {}

    int evaluate(const Variables& variables) const override {
        const auto found = variables.find(name_);
        if (found == variables.end()) throw VariableNotDefined();
        return found->second;
    }

private:
    std::string name_;
};

class Operation : public Expression {
public:
    Operation(ExpressionPtr left, char op, ExpressionPtr right)
        : left_(std::move(left)), op_(op), right_(std::move(right)) {}

    int evaluate(const Variables& variables) const override {
        const int left = left_->evaluate(variables);
        const int right = right_->evaluate(variables);
        switch (op_) {
            case '+': return left + right;
            case '-': return left - right;
            case '*': return left * right;
            default:
                if (right == 0) throw DivideByZero();
                return left / right;
        }
    }

private:
    ExpressionPtr left_;
    char op_;
    ExpressionPtr right_;
};

// factor := number | name | "(" expression ")"
ExpressionPtr parse_factor(Tokens& tokens) {
    if (tokens.peek().kind == TokenKind::number) {
        return std::make_unique<Constant>(tokens.expect_number());
    }
    if (tokens.take("(")) {
        ExpressionPtr inner = parse_expression(tokens);
        tokens.expect(")");
        return inner;
    }
    return std::make_unique<Variable>(tokens.expect_name());
}

// term := factor (("*" | "/") factor)*
ExpressionPtr parse_term(Tokens& tokens) {
    ExpressionPtr left = parse_factor(tokens);
    while (tokens.peek().text == "*" || tokens.peek().text == "/") {
        const char op = tokens.next().text.front();
        left = std::make_unique<Operation>(std::move(left), op, parse_factor(tokens));
    }
    return left;
}

}  // namespace

// expression := term (("+" | "-") term)*
ExpressionPtr parse_expression(Tokens& tokens) {
    ExpressionPtr left = parse_term(tokens);
    while (tokens.peek().text == "+" || tokens.peek().text == "-") {
        const char op = tokens.next().text.front();
        left = std::make_unique<Operation>(std::move(left), op, parse_term(tokens));
    }
    return left;
}
