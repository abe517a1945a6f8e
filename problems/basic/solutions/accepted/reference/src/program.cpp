#include "program.hpp"

#include <utility>

#include "error.hpp"

void Program::store(int number, std::string text, StatementPtr statement) {
    lines_.insert_or_assign(number, Line{std::move(text), std::move(statement)});
}

void Program::erase(int number) { lines_.erase(number); }

void Program::clear() { lines_.clear(); }

void Program::list(std::ostream& out) const {
    for (const auto& [number, line] : lines_) out << line.text << '\n';
}

void Program::run(Machine& machine) const {
    auto line = lines_.begin();
    while (line != lines_.end()) {
        const Flow flow = line->second.statement->execute(machine);
        if (std::holds_alternative<Stop>(flow)) return;
        if (const auto* jump = std::get_if<Jump>(&flow)) {
            line = find(jump->line);
        } else {
            ++line;
        }
    }
}

Program::Lines::const_iterator Program::find(int number) const {
    const auto found = lines_.find(number);
    if (found == lines_.end()) throw LineNumberError();
    return found;
}
