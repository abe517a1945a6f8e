#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

constexpr std::size_t register_count = 16;
constexpr std::size_t cell_count = 1024;

// What is wrong with a program, and in which of its lines (counted from 1).
class ProgramError : public std::runtime_error {
public:
    ProgramError(std::size_t line, const std::string& reason)
        : std::runtime_error("line " + std::to_string(line) + ": " + reason) {}
};

enum class Operation { set, mov, add, sub, load, store, in, out, jmp, jz, jn, halt };

struct Instruction {
    Operation operation{};
    std::size_t line = 0;
    std::size_t r = 0;
    std::size_t s = 0;
    std::int64_t number = 0;
    std::size_t target = 0;  // where a jump goes, as the index of an instruction
};

using Program = std::vector<Instruction>;

struct Result {
    std::vector<std::int64_t> output;
    std::size_t steps = 0;
    bool halted = false;  // within the steps that it was given
};

// Adds without the undefined behaviour of signed overflow.
inline std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

inline std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

inline std::size_t cell(std::int64_t number, const Instruction& instruction) {
    if (number < 0 || number >= static_cast<std::int64_t>(cell_count)) {
        throw ProgramError(instruction.line, "there is no cell " + std::to_string(number));
    }
    return static_cast<std::size_t>(number);
}

// Runs a program for at most `most_steps`, or until it has written more than `most_output`. Throws
// ProgramError.
inline Result run(const Program& program, const std::vector<std::int64_t>& input,
                  std::size_t most_steps, std::size_t most_output) {
    std::array<std::int64_t, register_count> registers{};
    std::array<std::int64_t, cell_count> memory{};
    auto next_input = input.begin();
    Result result;

    std::size_t at = 0;
    while (at < program.size()) {
        if (result.steps == most_steps || result.output.size() > most_output) return result;
        ++result.steps;
        const Instruction& now = program[at++];
        std::int64_t& r = registers[now.r];
        const std::int64_t s = registers[now.s];
        switch (now.operation) {
            case Operation::set: r = now.number; break;
            case Operation::mov: r = s; break;
            case Operation::add: r = wrapped_sum(r, s); break;
            case Operation::sub: r = wrapped_difference(r, s); break;
            case Operation::load: r = memory[cell(s, now)]; break;
            case Operation::store: memory[cell(r, now)] = s; break;
            case Operation::in:
                if (next_input == input.end()) {
                    at = program.size();
                } else {
                    r = *next_input++;
                }
                break;
            case Operation::out: result.output.push_back(r); break;
            case Operation::jmp: at = now.target; break;
            case Operation::jz: at = r == 0 ? now.target : at; break;
            case Operation::jn: at = r < 0 ? now.target : at; break;
            case Operation::halt: at = program.size(); break;
        }
    }
    result.halted = true;
    return result;
}
