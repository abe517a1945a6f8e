#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "program.hpp"
#include "statement.hpp"

// Reads lines and does what they say, until QUIT or the end of the input.
class Interpreter {
public:
    Interpreter(std::istream& in, std::ostream& out);

    void run();

private:
    // Throws BasicError for the one line, Quit or EndOfInput to end it all.
    void obey(const std::string& line);
    void edit(const std::string& line, Tokens& tokens);
    bool command(const std::string& word);

    struct Quit {};

    Machine machine_;
    Program program_;
};
