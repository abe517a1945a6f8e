// check INPUT PROGRAM ANSWER: runs a program for the tiny machine. As testlib has it, the exit code
// is 0 for a right program, 1 for a wrong one, 3 if the problem is to blame.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "assembler.hpp"
#include "machine.hpp"

namespace {

constexpr int right = 0, wrong = 1, our_fault = 3;
constexpr std::size_t steps_for_each = 1000, steps_more = 100;

std::vector<std::int64_t> numbers(const char* file) {
    std::ifstream stream(file);
    return {std::istream_iterator<std::int64_t>(stream), {}};
}

std::string text(const char* file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

int check(const std::vector<std::int64_t>& input, const std::string& source,
          const std::vector<std::int64_t>& answer) {
    const std::size_t most_steps = steps_for_each * answer.size() + steps_more;
    const Result result = run(assemble(source), input, most_steps, answer.size());
    for (std::size_t i = 0; i < answer.size(); ++i) {
        if (i < result.output.size() && result.output[i] == answer[i]) continue;
        if (i < result.output.size()) {
            std::cerr << "pair " << i + 1 << ": " << result.output[i] << " is wrong\n";
        } else if (result.halted) {
            std::cerr << "pair " << i + 1 << ": the machine wrote nothing\n";
        } else {
            std::cerr << "pair " << i + 1 << ": not done after " << most_steps << " steps\n";
        }
        return wrong;
    }
    if (result.output.size() > answer.size()) {
        std::cerr << "the machine wrote more numbers than there are pairs\n";
        return wrong;
    }
    if (!result.halted) {
        std::cerr << "the machine did not halt after " << most_steps << " steps\n";
        return wrong;
    }
    std::cerr << result.steps << " of " << most_steps << " steps\n";
    return right;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return our_fault;
    const auto input = numbers(arguments[1]), answer = numbers(arguments[3]);
    if (answer.empty() || input.size() != 2 * answer.size()) return our_fault;
    try {
        return check(input, text(arguments[2]), answer);
    } catch (const ProgramError& error) {
        std::cerr << error.what() << '\n';
        return wrong;
    }
}
