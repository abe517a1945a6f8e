#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine.hpp"

constexpr std::size_t most_lines = 1000;

enum class Operand { target_register, source_register, number, label };

struct Form {
    Operation operation;
    std::vector<Operand> operands;
};

inline const std::map<std::string, Form>& forms() {
    using enum Operand;
    static const std::map<std::string, Form> table = {
        {"set", {Operation::set, {target_register, number}}},
        {"mov", {Operation::mov, {target_register, source_register}}},
        {"add", {Operation::add, {target_register, source_register}}},
        {"sub", {Operation::sub, {target_register, source_register}}},
        {"load", {Operation::load, {target_register, source_register}}},
        {"store", {Operation::store, {target_register, source_register}}},
        {"in", {Operation::in, {target_register}}},
        {"out", {Operation::out, {target_register}}},
        {"jmp", {Operation::jmp, {label}}},
        {"jz", {Operation::jz, {target_register, label}}},
        {"jn", {Operation::jn, {target_register, label}}},
        {"halt", {Operation::halt, {}}},
    };
    return table;
}

template <class Number>
bool parse(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

inline bool is_label(std::string_view word) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    return !word.empty() && !std::isdigit(static_cast<unsigned char>(word.front())) &&
           std::ranges::all_of(word, fits);
}

class Assembler {
public:
    Program assemble(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (++line_ > most_lines) fail("a program has at most 1000 lines");
            read(line.substr(0, line.find(';')));
        }
        for (const auto& [index, name] : jumps_) {
            const auto label = labels_.find(name);
            line_ = program_[index].line;
            if (label == labels_.end()) fail("there is no label " + name);
            program_[index].target = label->second;
        }
        return program_;
    }

private:
    void read(const std::string& line) {
        std::istringstream stream(line);
        const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
        if (words.empty()) return;
        if (words.front().ends_with(':')) return read_label(words);

        const auto form = forms().find(words.front());
        if (form == forms().end()) fail("there is no instruction " + words.front());
        const auto& [operation, operands] = form->second;
        if (words.size() != operands.size() + 1) {
            fail(words.front() + " needs " + std::to_string(operands.size()) + " operands");
        }
        program_.push_back({operation, line_});
        for (std::size_t i = 0; i < operands.size(); ++i) read_operand(operands[i], words[i + 1]);
    }

    void read_label(const std::vector<std::string>& words) {
        const std::string name = words.front().substr(0, words.front().size() - 1);
        if (words.size() > 1) fail("a label stands on a line of its own");
        if (!is_label(name)) fail(name + " cannot be a label");
        if (!labels_.emplace(name, program_.size()).second) fail(name + " stands in two places");
    }

    void read_operand(Operand operand, const std::string& word) {
        Instruction& instruction = program_.back();
        switch (operand) {
            case Operand::target_register: instruction.r = read_register(word); break;
            case Operand::source_register: instruction.s = read_register(word); break;
            case Operand::number:
                if (!parse(word, instruction.number)) fail(word + " is no number");
                break;
            case Operand::label: jumps_.emplace_back(program_.size() - 1, word); break;
        }
    }

    std::size_t read_register(std::string_view word) const {
        std::size_t number = register_count;
        if (!word.starts_with('r') || !parse(word.substr(1), number) || number >= register_count) {
            fail(std::string(word) + " is no register");
        }
        return number;
    }

    [[noreturn]] void fail(const std::string& reason) const { throw ProgramError(line_, reason); }

    std::size_t line_ = 0;
    Program program_;
    std::map<std::string, std::size_t> labels_;
    std::vector<std::pair<std::size_t, std::string>> jumps_;
};

// Reads the text of a program. Throws ProgramError.
inline Program assemble(const std::string& text) { return Assembler().assemble(text); }
