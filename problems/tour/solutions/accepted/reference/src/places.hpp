#pragma once

#include <cstddef>
#include <istream>
#include <vector>

using Place = std::size_t;  // counted from 0

struct Point {
    double x, y;
};

class Places {
public:
    explicit Places(std::istream& in);

    std::size_t size() const { return points_.size(); }
    double distance(Place a, Place b) const;

    // For each place, up to `number` others that are nearest to it, the nearest first.
    std::vector<std::vector<Place>> neighbours(std::size_t number) const;

private:
    std::vector<Point> points_;
};
