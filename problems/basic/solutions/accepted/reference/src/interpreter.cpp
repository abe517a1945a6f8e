#include "interpreter.hpp"


#include "error.hpp"

Interpreter::Interpreter(std::istream& in, std::ostream& out) : machine_{in, out, {}} {}

void Interpreter::run() {
    try {
        for (std::string line; std::getline(machine_.in, line);) {
            try {
                obey(line);
            } catch (const BasicError& error) {
                machine_.out << error.what() << '\n';
            }
        }
    } catch (const Quit&) {
    } catch (const EndOfInput&) {
    }
}

void Interpreter::obey(const std::string& line) {
    Tokens tokens(line);
    const Token first = tokens.peek();
    if (first.kind == TokenKind::end) return;
    if (first.kind == TokenKind::number) return edit(line, tokens);
    if (command(std::string(first.text))) return;
    parse_statement(tokens)->execute(machine_);
}

void Interpreter::edit(const std::string& line, Tokens& tokens) {
    const int number = tokens.expect_number();
    if (tokens.peek().kind == TokenKind::end) {
        program_.erase(number);
    } else {
        program_.store(number, line, parse_statement(tokens));
    }
}

bool Interpreter::command(const std::string& word) {
    if (word == "RUN") {
        program_.run(machine_);
    } else if (word == "LIST") {
        program_.list(machine_.out);
    } else if (word == "CLEAR") {
        program_.clear();
        machine_.variables.clear();
    } else if (word == "QUIT") {
        throw Quit();
    } else {
        return false;
    }
    return true;
}
