#pragma once

#include <string>
#include <string_view>

enum class TokenKind { number, word, symbol, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
};

// The tokens of one line, one after the other. The line must live longer than its tokens.
class Tokens {
public:
    explicit Tokens(std::string_view line);

    const Token& peek() const { return current_; }
    Token next();

    // Takes the next token if it is this one.
    bool take(std::string_view text);

    // These throw SyntaxError where the next token is another one.
    void expect(std::string_view text);
    void expect_end() const;
    int expect_number();
    std::string expect_name();

private:
    Token scan();

    std::string_view rest_;
    Token current_;
};
