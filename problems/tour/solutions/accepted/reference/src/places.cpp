#include "places.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

Places::Places(std::istream& in) {
    std::size_t number = 0;
    in >> number;
    points_.resize(number);
    for (Point& point : points_) in >> point.x >> point.y;
}

double Places::distance(Place a, Place b) const {
    const double dx = points_[a].x - points_[b].x, dy = points_[a].y - points_[b].y;
    return std::sqrt(dx * dx + dy * dy);
}

std::vector<std::vector<Place>> Places::neighbours(std::size_t number) const {
    std::vector<std::vector<Place>> result(size());
    for (Place here = 0; here < size(); ++here) {
        std::vector<std::pair<double, Place>> others;
        for (Place other = 0; other < size(); ++other) {
            if (other != here) others.emplace_back(distance(here, other), other);
        }
        const std::size_t wanted = std::min(number, others.size());
        const auto end = others.begin() + static_cast<std::ptrdiff_t>(wanted);
        std::partial_sort(others.begin(), end, others.end());
        for (auto other = others.begin(); other != end; ++other) {
            result[here].push_back(other->second);
        }
    }
    return result;
}
