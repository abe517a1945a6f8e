// Does not look at the divisor: a division by zero kills the program.
#include <cctype>
#include <iostream>
#include <map>
#include <set>
#include <string>

namespace {

const std::set<std::string> keywords = {"REM", "LET", "PRINT", "INPUT", "END",   "GOTO",
                                        "IF",  "THEN", "RUN",  "LIST",  "CLEAR", "QUIT"};

std::map<int, std::string> program;
std::map<std::string, long long> variables;

struct Error {
    const char* message;
};
constexpr Error syntax_error{"SYNTAX ERROR"};

class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) { skip_blanks(); }

    bool at_end() const { return at_ == text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    bool at_digit() const { return std::isdigit(static_cast<unsigned char>(peek())); }

    // Takes the character, but not the blanks behind it.
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }

    char symbol() {
        const char c = peek();
        if (!at_end()) ++at_;
        skip_blanks();
        return c;
    }

    void expect(char c) {
        if (symbol() != c) throw syntax_error;
    }

    void expect_end() const {
        if (!at_end()) throw syntax_error;
    }

    long long number() {
        if (!at_digit()) throw syntax_error;
        long long value = 0;
        while (at_digit()) value = value * 10 + (text_[at_++] - '0');
        skip_blanks();
        return value;
    }

    std::string word() {
        const auto start = at_;
        while (std::isalnum(static_cast<unsigned char>(peek()))) ++at_;
        std::string result = text_.substr(start, at_ - start);
        skip_blanks();
        return result;
    }

    std::string name() {
        std::string result = at_digit() ? "" : word();
        if (result.empty() || keywords.count(result)) throw syntax_error;
        return result;
    }

private:
    void skip_blanks() {
        while (std::isspace(static_cast<unsigned char>(peek()))) ++at_;
    }

    std::string text_;
    std::string::size_type at_ = 0;
};

// With `evaluate` off a statement is only looked at: a bad line is refused when it is entered.
class Statement {
public:
    Statement(Reader& reader, bool evaluate) : reader_(reader), evaluate_(evaluate) {}

    // The line to go on with, 0 for the next one, or -1 to stop.
    long long run() {
        const std::string word = reader_.word();
        if (word == "REM") return 0;
        long long target = 0;
        if (word == "LET") {
            const std::string name = reader_.name();
            reader_.expect('=');
            const long long value = sum();
            reader_.expect_end();
            if (evaluate_) variables[name] = value;
        } else if (word == "PRINT") {
            const long long value = sum();
            reader_.expect_end();
            if (evaluate_) std::cout << value << '\n';
        } else if (word == "INPUT") {
            const std::string name = reader_.name();
            reader_.expect_end();
            if (evaluate_) input(name);
        } else if (word == "END") {
            target = -1;
        } else if (word == "GOTO") {
            target = reader_.number();
        } else if (word == "IF") {
            const long long left = sum();
            const char op = reader_.symbol();
            const long long right = sum();
            if (reader_.word() != "THEN") throw syntax_error;
            const long long line = reader_.number();
            if (op != '<' && op != '>' && op != '=') throw syntax_error;
            if (op == '<' ? left < right : op == '>' ? left > right : left == right) target = line;
        } else {
            throw syntax_error;
        }
        reader_.expect_end();
        return target;
    }

private:
    long long sum() {
        long long value = product();
        while (reader_.peek() == '+' || reader_.peek() == '-') {
            const char op = reader_.symbol();
            const long long right = product();
            value = op == '+' ? value + right : value - right;
        }
        return value;
    }

    long long product() {
        long long value = atom();
        while (reader_.peek() == '*' || reader_.peek() == '/') {
            const char op = reader_.symbol();
            const long long right = atom();
            if (evaluate_) value = op == '*' ? value * right : value / right;
        }
        return value;
    }

    long long atom() {
        if (reader_.at_digit()) return reader_.number();
        if (reader_.peek() == '(') {
            reader_.symbol();
            const long long value = sum();
            reader_.expect(')');
            return value;
        }
        const std::string name = reader_.name();
        if (!evaluate_) return 0;
        const auto found = variables.find(name);
        if (found == variables.end()) throw Error{"VARIABLE NOT DEFINED"};
        return found->second;
    }

    static void input(const std::string& name) {
        for (std::string line;;) {
            std::cout << " ? ";
            if (!std::getline(std::cin, line)) return;
            try {
                Reader reader(line);
                const bool negative = reader.take('-');
                const long long value = reader.number();
                reader.expect_end();
                variables[name] = negative ? -value : value;
                return;
            } catch (const Error&) {
                std::cout << "INVALID NUMBER\n";
            }
        }
    }

    Reader& reader_;
    bool evaluate_;
};

long long execute(const std::string& text, bool evaluate) {
    Reader reader(text);
    if (reader.at_digit()) reader.number();
    return Statement(reader, evaluate).run();
}

void run() {
    auto line = program.begin();
    while (line != program.end()) {
        const long long target = execute(line->second, true);
        if (target < 0) return;
        line = target == 0 ? std::next(line) : program.find(static_cast<int>(target));
        if (target > 0 && line == program.end()) throw Error{"LINE NUMBER ERROR"};
    }
}

void obey(const std::string& text) {
    Reader reader(text);
    if (reader.at_end()) return;
    if (reader.at_digit()) {
        const int number = static_cast<int>(reader.number());
        if (reader.at_end()) {
            program.erase(number);
        } else {
            execute(text, false);
            program[number] = text;
        }
        return;
    }
    const std::string word = reader.word();
    if (word == "RUN") {
        run();
    } else if (word == "LIST") {
        for (const auto& [number, line] : program) std::cout << line << '\n';
    } else if (word == "CLEAR") {
        program.clear();
        variables.clear();
    } else {
        execute(text, true);
    }
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line) && line.rfind("QUIT", 0) != 0;) {
        try {
            obey(line);
        } catch (const Error& error) {
            std::cout << error.message << '\n';
        }
    }
}
