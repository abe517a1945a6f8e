#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Where the records of keys begin: a hash table with open addressing that knows the hash of a key
// and its offset, and asks for the key itself only where the hashes are the same.
class Index {
public:
    struct Entry {
        std::uint32_t hash = 0;
        std::uint32_t offset = unused;
    };

    // The entry with that hash for which `is_it(offset)` holds, or null.
    template <class IsIt>
    Entry* find(std::uint32_t hash, IsIt is_it) {
        for (std::size_t i = start(hash); entries_[i].offset != unused; i = next(i)) {
            if (entries_[i].hash == hash && is_it(entries_[i].offset)) return &entries_[i];
        }
        return nullptr;
    }

    void add(std::uint32_t hash, std::uint32_t offset);
    void remove(Entry* entry);

    std::size_t size() const { return size_; }

    // Calls visit(entry&) for each entry; it may change the offset.
    template <class Visit>
    void for_each(Visit visit) {
        for (Entry& entry : entries_) {
            if (entry.offset != unused) visit(entry);
        }
    }

private:
    static constexpr std::uint32_t unused = UINT32_MAX;

    // The number of entries is a power of two. The product spreads hashes that are alike.
    std::size_t start(std::uint32_t hash) const {
        return (hash * std::size_t{2654435769} >> 13) & mask();
    }
    std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
    std::size_t mask() const { return entries_.size() - 1; }
    void grow();

    std::vector<Entry> entries_ = std::vector<Entry>(1024);
    std::size_t size_ = 0;
};
