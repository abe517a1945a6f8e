// A copy of an element may throw at any moment; then nothing has happened.
#include "ring.hpp"
#include "rules.hpp"
#include "tracked.hpp"

#include <iostream>
#include <stdexcept>

namespace {

template <class Element>
void print(const char* name, const Ring<Element>& ring) {
    std::cout << name << ' ' << ring.size() << ", " << Tracked::alive << " alive:";
    for (const Element& element : ring) std::cout << ' ' << element.value();
    std::cout << '\n';
}

// Tries with the first copy failing, then the second, and so on until it goes well. What `attempt`
// does must leave `ring` as it is whenever it throws.
template <class Element, class Attempt>
void insist(const Ring<Element>& ring, Attempt attempt) {
    const int alive = Tracked::alive;
    const auto size = ring.size();
    bool intact = true;
    for (int copies = 0;; ++copies) {
        Tracked::copies_left = copies;
        try {
            attempt();
            break;
        } catch (const std::runtime_error&) {
            intact = intact && ring.size() == size && Tracked::alive == alive;
        }
    }
    Tracked::copies_left = -1;
    if (!intact) std::cout << "a failed attempt has left something behind\n";
}

template <class Element>
void work() {
    Ring<Element> ring;
    for (int i = 0; i < 20; ++i) {
        const Element element(i);
        insist(ring, [&] { ring.push_back(element); });
        insist(ring, [&] { ring.push_front(element); });
        if (i % 2 == 0) ring.pop_front();
    }
    print("pushed", ring);

    insist(ring, [&] {
        const Ring<Element> copy = ring;
        print("copied", copy);
    });

    Ring<Element> other = {Element(1), Element(2), Element(3)};
    insist(other, [&] { other = ring; });
    print("assigned", other);

    insist(ring, [&] { ring.push_back(ring.front()); });
    print("own element pushed", ring);
}

}  // namespace

int main() {
    work<Tracked>();
    work<Movable>();
    std::cout << Tracked::alive << " alive\n";

    const Ring<int> empty;
    for (const std::size_t index : {std::size_t{0}, std::size_t{1}, ~std::size_t{0}}) {
        try {
            std::cout << empty.at(index);
        } catch (const std::out_of_range&) {
            std::cout << "out of range\n";
        }
    }
}
