#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "places.hpp"

// A round trip that is made shorter step by step. Every change is a reversal: some places that
// follow each other are visited in the opposite order.
class Tour {
public:
    Tour(const Places& places, std::vector<Place> order);

    const std::vector<Place>& order() const { return order_; }

    // Exchanges two ways for two shorter ones (2-opt) as long as that is possible.
    void improve();

    // Changes the trip a little at random and improves it there, so many times; keeps what is not
    // longer than before. The same trip comes out each time.
    void improve_by_chance(std::size_t attempts);

private:
    std::size_t index(std::size_t i) const { return i % order_.size(); }
    Place after(Place place) const { return order_[index(index_[place] + 1)]; }
    Place before(Place place) const { return order_[index(index_[place] + order_.size() - 1)]; }
    double length(std::size_t from, std::size_t to) const;

    double improve_near_pending();
    double exchange(Place here);
    double swap_segments(std::size_t begin, std::size_t first, std::size_t second);
    void reverse_between(Place first, Place last);
    void reverse(std::size_t begin, std::size_t count);
    void undo();

    const Places& places_;
    std::vector<std::vector<Place>> neighbours_;
    std::vector<Place> order_;
    std::vector<std::size_t> index_;  // of each place in order_
    std::vector<Place> pending_;      // places near which there may be something to improve
    std::vector<std::pair<std::size_t, std::size_t>> journal_;  // reversals since it was cleared
};
