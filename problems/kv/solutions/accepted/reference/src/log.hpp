#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

// A put, or a deletion if the value is empty.
struct Record {
    std::string key;
    std::string value;

    std::uint32_t size() const { return 2 + static_cast<std::uint32_t>(key.size() + value.size()); }
};

// A file to which records are appended. On disk, a record is one byte each for the lengths of key
// and value, then the two. Appended records go to the file in large pieces, at the latest when the
// log is destroyed. All functions throw std::system_error when the disk fails.
class Log {
public:
    explicit Log(const std::filesystem::path& file);
    ~Log();
    Log(Log&& other) noexcept;
    Log& operator=(Log&& other) noexcept;

    std::uint32_t size() const { return flushed_ + static_cast<std::uint32_t>(buffer_.size()); }

    // Returns where the record begins.
    std::uint32_t append(std::string_view key, std::string_view value);

    // The record that begins there.
    Record read(std::uint32_t offset) const;

private:
    void flush();

    int file_ = -1;
    std::uint32_t flushed_ = 0;
    std::string buffer_;

    // What was read last, so that reading one record after the other is quick.
    mutable std::string window_;
    mutable std::uint32_t window_offset_ = 0;
};
