#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>

#include "error.hpp"

namespace {

constexpr std::array<std::string_view, 12> keywords = {
    "REM", "LET",  "PRINT", "INPUT", "END",   "GOTO",
    "IF",  "THEN", "RUN",   "LIST",  "CLEAR", "QUIT",
};

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

std::size_t length_while(std::string_view text, bool (*holds)(char)) {
    const auto end = std::find_if_not(text.begin(), text.end(), holds);
    return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

Tokens::Tokens(std::string_view line) : rest_(line), current_(scan()) {}

Token Tokens::next() {
    Token token = current_;
    current_ = scan();
    return token;
}

bool Tokens::take(std::string_view text) {
    if (current_.text != text) return false;
    next();
    return true;
}

void Tokens::expect(std::string_view text) {
    if (!take(text)) throw SyntaxError();
}

void Tokens::expect_end() const {
    if (current_.kind != TokenKind::end) throw SyntaxError();
}

int Tokens::expect_number() {
    int value = 0;
    const std::string_view digits = current_.text;
    if (current_.kind != TokenKind::number ||
        std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) {
        throw SyntaxError();
    }
    next();
    return value;
}

std::string Tokens::expect_name() {
    if (current_.kind != TokenKind::word || std::ranges::count(keywords, current_.text) != 0) {
        throw SyntaxError();
    }
    return std::string(next().text);
}

Token Tokens::scan() {
    rest_.remove_prefix(length_while(rest_, is_blank));
    if (rest_.empty()) return {};

    TokenKind kind = TokenKind::symbol;
    std::size_t length = 1;
    if (is_digit(rest_.front())) {
        kind = TokenKind::number;
        length = length_while(rest_, is_digit);
    } else if (is_letter(rest_.front())) {
        kind = TokenKind::word;
        length = length_while(rest_, is_letter_or_digit);
    }
    const Token token{kind, rest_.substr(0, length)};
    rest_.remove_prefix(length);
    return token;
}
