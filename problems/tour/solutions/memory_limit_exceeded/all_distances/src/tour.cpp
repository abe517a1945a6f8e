#include "tour.hpp"

#include <algorithm>
#include <random>

namespace {

constexpr std::size_t neighbour_count = 10;
constexpr std::size_t longest_segment = 50;
constexpr double rounding_error = 1e-7;

}  // namespace

Tour::Tour(const Places& places, std::vector<Place> order)
    : places_(places),
      neighbours_(places.neighbours(neighbour_count)),
      order_(std::move(order)),
      index_(order_.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) index_[order_[i]] = i;
}

void Tour::improve() {
    pending_ = order_;
    improve_near_pending();
}

void Tour::improve_by_chance(std::size_t attempts) {
    if (order_.size() < 5) return;
    const std::size_t longest = std::min(longest_segment, (order_.size() - 2) / 2);
    std::mt19937 random;
    for (; attempts > 0; --attempts) {
        journal_.clear();
        const std::size_t begin = random() % order_.size();
        const std::size_t first = 1 + random() % longest;
        const std::size_t second = 1 + random() % longest;
        const double longer = swap_segments(begin, first, second);
        if (longer - improve_near_pending() > rounding_error) undo();
    }
}

// The length of the way between the places at two indices.
double Tour::length(std::size_t from, std::size_t to) const {
    return places_.distance(order_[index(from)], order_[index(to)]);
}

// Returns by how much the trip got shorter.
double Tour::improve_near_pending() {
    double total = 0;
    while (!pending_.empty()) {
        const Place here = pending_.back();
        const double gain = exchange(here);
        if (gain > 0) {
            total += gain;
        } else {
            pending_.pop_back();
        }
    }
    return total;
}

// Exchanges the way from `here` to the next place (or the one before) and a way near by. Returns
// by how much the trip got shorter, 0 if there is no such exchange.
double Tour::exchange(Place here) {
    for (const bool forward : {true, false}) {
        const Place next = forward ? after(here) : before(here);
        const double old_way = places_.distance(here, next);
        for (const Place other : neighbours_[here]) {
            const double new_way = places_.distance(here, other);
            if (new_way >= old_way) break;
            const Place other_next = forward ? after(other) : before(other);
            const double gain = old_way + places_.distance(other, other_next) - new_way -
                                places_.distance(next, other_next);
            if (gain <= rounding_error) continue;
            if (forward) {
                reverse_between(next, other);
            } else {
                reverse_between(here, other_next);
            }
            pending_.insert(pending_.end(), {next, other, other_next});
            return gain;
        }
    }
    return 0;
}

// Swaps the `first` places behind the index `begin` and the `second` places behind those. Returns
// by how much the trip got longer.
double Tour::swap_segments(std::size_t begin, std::size_t first, std::size_t second) {
    const std::size_t middle = begin + first, end = middle + second;
    for (const std::size_t i : {begin, begin + 1, middle, middle + 1, end, end + 1}) {
        pending_.push_back(order_[index(i)]);
    }
    const double longer = length(begin, middle + 1) + length(end, begin + 1) +
                          length(middle, end + 1) - length(begin, begin + 1) -
                          length(middle, middle + 1) - length(end, end + 1);
    reverse(begin + 1, first + second);
    reverse(begin + 1, second);
    reverse(begin + 1 + second, first);
    return longer;
}

// Reverses the way from `first` to `last`, or all of the trip but this way, which comes to the
// same: whichever is shorter.
void Tour::reverse_between(Place first, Place last) {
    const std::size_t n = order_.size();
    const std::size_t count = index(index_[last] + n - index_[first]) + 1;
    if (2 * count <= n) {
        reverse(index_[first], count);
    } else {
        reverse(index_[last] + 1, n - count);
    }
}

void Tour::reverse(std::size_t begin, std::size_t count) {
    journal_.emplace_back(begin, count);
    for (std::size_t i = begin, j = begin + count; i + 1 < j; ++i) {
        --j;
        Place& one = order_[index(i)];
        Place& other = order_[index(j)];
        std::swap(one, other);
        index_[one] = index(i);
        index_[other] = index(j);
    }
}

void Tour::undo() {
    const auto made = std::exchange(journal_, {});
    for (auto reversal = made.rbegin(); reversal != made.rend(); ++reversal) {
        reverse(reversal->first, reversal->second);
    }
}
