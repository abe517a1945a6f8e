// Copies, moves and swaps of rings that do not begin at their first slot.
#include "ring.hpp"
#include "rules.hpp"

#include <iostream>
#include <string>
#include <type_traits>
#include <utility>

namespace {

static_assert(std::is_nothrow_default_constructible_v<Ring<int>>);
static_assert(std::is_nothrow_move_constructible_v<Ring<int>>);
static_assert(std::is_nothrow_move_assignable_v<Ring<int>>);

void print(const char* name, const Ring<std::string>& ring) {
    std::cout << name << ' ' << ring.size() << ':';
    for (const std::string& value : ring) std::cout << ' ' << value;
    std::cout << '\n';
}

Ring<std::string> rotated(int first, int last) {
    Ring<std::string> ring;
    for (int i = first; i < last; ++i) ring.push_back("a string of its own number " + std::to_string(i));
    for (int i = first; i < last; ++i) {
        ring.push_back(ring.front());
        ring.pop_front();
        if (i % 3 == 0) ring.push_front(ring.back());
    }
    return ring;
}

}  // namespace

int main() {
    Ring<std::string> listed = {"a", "b", "c"};
    print("listed", listed);
    print("nothing", Ring<std::string>{});

    const Ring<std::string> original = rotated(0, 10);
    Ring<std::string> copy = original;
    print("copy", copy);
    copy.front() = "changed";
    copy.pop_back();
    print("original", original);
    print("copy", copy);

    Ring<std::string> moved = std::move(copy);
    print("moved", moved);
    copy = original;  // a ring that was moved from can be given a new value
    print("copy", copy);

    Ring<std::string>& alias = copy;
    copy = alias;
    print("assigned to itself", copy);

    moved = rotated(20, 23);
    print("assigned", moved);
    moved.swap(listed);
    print("swapped", moved);
    print("swapped", listed);

    Ring<Ring<std::string>> rings = {listed, moved};
    rings.push_back(rings[0]);
    rings[0].clear();
    print("first", rings[0]);
    print("third", rings[2]);
    std::cout << (rings[2] == listed) << (rings[0] == listed) << (original == rotated(0, 10)) << '\n';
}
