#include "statement.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "error.hpp"

namespace {

class Rem : public Statement {
public:
    Flow execute(Machine&) const override { return NextLine{}; }
};

class Let : public Statement {
public:
    Let(std::string name, ExpressionPtr value) : name_(std::move(name)), value_(std::move(value)) {}

    Flow execute(Machine& machine) const override {
        const int value = value_->evaluate(machine.variables);
        machine.variables[name_] = value;
        return NextLine{};
    }

private:
    std::string name_;
    ExpressionPtr value_;
};

class Print : public Statement {
public:
    explicit Print(ExpressionPtr value) : value_(std::move(value)) {}

    Flow execute(Machine& machine) const override {
        machine.out << value_->evaluate(machine.variables) << '\n';
        return NextLine{};
    }

private:
    ExpressionPtr value_;
};

// A decimal integer with an optional minus sign, and nothing but blanks around it.
std::optional<int> parse_integer(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return std::nullopt;
    text = text.substr(first, text.find_last_not_of(blanks) - first + 1);

    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

class Input : public Statement {
public:
    explicit Input(std::string name) : name_(std::move(name)) {}

    Flow execute(Machine& machine) const override {
        for (std::string line;;) {
            machine.out << " ? ";
            if (!std::getline(machine.in, line)) throw EndOfInput();
            if (const auto value = parse_integer(line)) {
                machine.variables[name_] = *value;
                return NextLine{};
            }
            machine.out << "INVALID NUMBER\n";
        }
    }

private:
    std::string name_;
};

class End : public Statement {
public:
    Flow execute(Machine&) const override { return Stop{}; }
};

class Goto : public Statement {
public:
    explicit Goto(int line) : line_(line) {}

    Flow execute(Machine&) const override { return Jump{line_}; }

private:
    int line_;
};

class If : public Statement {
public:
    If(ExpressionPtr left, char op, ExpressionPtr right, int line)
        : left_(std::move(left)), op_(op), right_(std::move(right)), line_(line) {}

    Flow execute(Machine& machine) const override {
        const int left = left_->evaluate(machine.variables);
        const int right = right_->evaluate(machine.variables);
        if (holds(left, right)) return Jump{line_};
        return NextLine{};
    }

private:
    bool holds(int left, int right) const {
        switch (op_) {
            case '<': return left < right;
            case '>': return left > right;
            default: return left == right;
        }
    }

    ExpressionPtr left_;
    char op_;
    ExpressionPtr right_;
    int line_;
};

StatementPtr parse_let(Tokens& tokens) {
    std::string name = tokens.expect_name();
    tokens.expect("=");
    return std::make_unique<Let>(std::move(name), parse_expression(tokens));
}

StatementPtr parse_if(Tokens& tokens) {
    ExpressionPtr left = parse_expression(tokens);
    const Token op = tokens.next();
    if (op.text != "=" && op.text != "<" && op.text != ">") throw SyntaxError();
    ExpressionPtr right = parse_expression(tokens);
    tokens.expect("THEN");
    const int line = tokens.expect_number();
    return std::make_unique<If>(std::move(left), op.text.front(), std::move(right), line);
}

StatementPtr parse_by_keyword(Tokens& tokens) {
    if (tokens.take("LET")) return parse_let(tokens);
    if (tokens.take("PRINT")) return std::make_unique<Print>(parse_expression(tokens));
    if (tokens.take("INPUT")) return std::make_unique<Input>(tokens.expect_name());
    if (tokens.take("END")) return std::make_unique<End>();
    if (tokens.take("GOTO")) return std::make_unique<Goto>(tokens.expect_number());
    if (tokens.take("IF")) return parse_if(tokens);
    throw SyntaxError();
}

}  // namespace

StatementPtr parse_statement(Tokens& tokens) {
    if (tokens.take("REM")) return std::make_unique<Rem>();  // the rest of the line is a comment
    StatementPtr statement = parse_by_keyword(tokens);
    tokens.expect_end();
    return statement;
}
