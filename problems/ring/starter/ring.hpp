#pragma once

#include <cstddef>
#include <stdexcept>

template <class T>
class Ring {
public:
    using value_type = T;
    using size_type = std::size_t;

    bool empty() const noexcept { return size() == 0; }
    size_type size() const noexcept { return 0; }

    // Everything else that the statement lists.
};
