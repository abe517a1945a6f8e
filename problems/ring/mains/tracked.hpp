#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

// An element that watches how it is treated. It has no default constructor, knows how many of its
// kind are alive, and ends the program when it is used before it was constructed or after it was
// destroyed. `copies_left` counts down to a copy that throws; -1 means never.
class Tracked {
public:
    static inline int alive = 0;
    static inline int copies_left = -1;

    explicit Tracked(int value) : self_(this), value_(value) { ++alive; }

    Tracked(const Tracked& other) : self_(this), value_(other.value()) {
        if (copies_left == 0) throw std::runtime_error("a copy failed");
        if (copies_left > 0) --copies_left;
        ++alive;
    }

    Tracked& operator=(const Tracked& other) {
        value_ = other.value();
        return *this;
    }

    ~Tracked() {
        check();
        self_ = nullptr;
        --alive;
    }

    int value() const {
        check();
        return value_;
    }

private:
    void check() const {
        if (self_ == this) return;
        std::puts("an element was used that is not alive");
        std::exit(0);  // the output is wrong, and that is enough
    }

    const Tracked* volatile self_;
    int value_;
};

// The same, but it can be moved, and a move never throws.
class Movable : public Tracked {
public:
    using Tracked::Tracked;
    Movable(const Movable&) = default;
    Movable(Movable&& other) noexcept : Tracked(other.value()) {}
    Movable& operator=(const Movable&) = default;
};
