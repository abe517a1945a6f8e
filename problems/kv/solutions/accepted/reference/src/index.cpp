#include "index.hpp"

#include <utility>

void Index::add(std::uint32_t hash, std::uint32_t offset) {
    if (size_ * 4 >= entries_.size() * 3) grow();
    std::size_t i = start(hash);
    while (entries_[i].offset != unused) i = next(i);
    entries_[i] = {hash, offset};
    ++size_;
}

// Closes the gap, so that no search ends too early: an entry behind it moves in unless it would
// come to lie before its start.
void Index::remove(Entry* entry) {
    auto gap = static_cast<std::size_t>(entry - entries_.data());
    for (std::size_t i = next(gap); entries_[i].offset != unused; i = next(i)) {
        const std::size_t distance = (i - start(entries_[i].hash)) & mask();
        if (distance >= ((i - gap) & mask())) {
            entries_[gap] = entries_[i];
            gap = i;
        }
    }
    entries_[gap] = {};
    --size_;
}

void Index::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    size_ = 0;
    for (const Entry& entry : old) {
        if (entry.offset != unused) add(entry.hash, entry.offset);
    }
}
