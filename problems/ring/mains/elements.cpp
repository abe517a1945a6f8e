// Elements without a default constructor, elements that can only be moved, and how many are alive.
#include "ring.hpp"
#include "rules.hpp"
#include "tracked.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace {

void alive(const char* when) { std::cout << when << ": " << Tracked::alive << " alive\n"; }

template <class Element>
void count() {
    Ring<Element> ring;
    alive("empty");
    for (int i = 0; i < 50; ++i) {
        ring.push_back(Element(i));
        ring.push_front(Element(-i));
    }
    alive("100 pushed");
    for (int i = 0; i < 30; ++i) {
        ring.pop_back();
        ring.pop_front();
    }
    alive("60 popped");
    {
        Ring<Element> copy = ring;
        alive("copied");
        copy.clear();
        alive("copy cleared");
        copy = ring;
        copy = Ring<Element>();
        alive("copy assigned");
    }
    for (int i = 0; i < 200; ++i) ring.push_back(ring[static_cast<std::size_t>(i) % ring.size()]);
    alive("own elements pushed");
    long long sum = 0;
    for (const Element& element : ring) sum = sum * 3 % 1'000'007 + element.value();
    std::cout << sum << '\n';
    while (ring.size() > 7) ring.pop_front();
    alive("all but 7 popped");
}

void only_moved() {
    Ring<std::unique_ptr<std::string>> ring;
    for (int i = 0; i < 100; ++i) {
        ring.push_back(std::make_unique<std::string>("number " + std::to_string(i)));
        if (i % 3 == 0) ring.emplace_front(std::move(ring.back())), ring.pop_back();
        if (i % 7 == 0) ring.pop_front();
    }
    const auto moved = std::move(ring);
    for (const auto& pointer : moved) std::cout << *pointer << ", ";
    std::cout << moved.size() << '\n';
}

}  // namespace

int main() {
    count<Tracked>();
    alive("ring gone");
    count<Movable>();
    alive("ring gone");
    only_moved();

    Ring<std::pair<int, std::string>> pairs;
    pairs.emplace_back(1, "one").second += "!";
    pairs.emplace_front(0, "zero");
    for (const auto& [number, name] : pairs) std::cout << number << ' ' << name << '\n';
}
