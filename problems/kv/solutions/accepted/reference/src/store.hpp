#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "index.hpp"
#include "log.hpp"

// Keys and values on disk. A key has at most 255 characters, a value 1 to 255.
class Store {
public:
    // Opens the store in that folder, or begins one.
    explicit Store(std::filesystem::path folder);

    void put(std::string_view key, std::string_view value);
    std::optional<std::string> get(std::string_view key);
    void erase(std::string_view key);
    std::size_t count() const { return index_.size(); }

private:
    Index::Entry* find(std::string_view key);
    void load();
    void compact_if_worth_it();
    void compact();

    std::filesystem::path folder_;
    Log log_;
    Index index_;
    std::uint32_t live_bytes_ = 0;  // of the log: the newest records of the keys that are stored
};
