#include <iostream>

#include "places.hpp"
#include "tour.hpp"

namespace {

constexpr std::size_t attempts = 30'000;

// The nearest place that was not visited is always next.
std::vector<Place> greedy_order(const Places& places) {
    std::vector<bool> visited(places.size());
    std::vector<Place> order;
    for (Place here = 0; order.size() < places.size();) {
        order.push_back(here);
        visited[here] = true;
        Place nearest = here;
        for (Place other = 0; other < places.size(); ++other) {
            if (visited[other]) continue;
            if (nearest == here || places.distance(here, other) < places.distance(here, nearest)) {
                nearest = other;
            }
        }
        here = nearest;
    }
    return order;
}

}  // namespace

int main() {
    const Places places(std::cin);
    Tour tour(places, greedy_order(places));
    tour.improve();
    tour.improve_by_chance(attempts);
    for (const Place place : tour.order()) std::cout << place + 1 << '\n';
}
