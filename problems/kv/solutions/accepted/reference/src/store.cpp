#include "store.hpp"

#include <utility>

namespace {

constexpr const char* log_name = "store.log";
constexpr const char* new_log_name = "store.log.new";
constexpr std::uint32_t smallest_compaction = 1 << 20;

// FNV-1a
std::uint32_t hash_of(std::string_view key) {
    std::uint32_t hash = 2166136261;
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
    return hash;
}

}  // namespace

Store::Store(std::filesystem::path folder) : folder_(std::move(folder)), log_(folder_ / log_name) {
    load();
}

void Store::put(std::string_view key, std::string_view value) {
    Index::Entry* const entry = find(key);
    if (entry != nullptr) live_bytes_ -= log_.read(entry->offset).size();
    const std::uint32_t offset = log_.append(key, value);
    live_bytes_ += log_.size() - offset;
    if (entry != nullptr) {
        entry->offset = offset;
    } else {
        index_.add(hash_of(key), offset);
    }
    compact_if_worth_it();
}

std::optional<std::string> Store::get(std::string_view key) {
    const Index::Entry* const entry = find(key);
    if (entry == nullptr) return std::nullopt;
    return log_.read(entry->offset).value;
}

void Store::erase(std::string_view key) {
    Index::Entry* const entry = find(key);
    if (entry == nullptr) return;
    live_bytes_ -= log_.read(entry->offset).size();
    index_.remove(entry);
    log_.append(key, "");
    compact_if_worth_it();
}

Index::Entry* Store::find(std::string_view key) {
    const auto is_it = [&](std::uint32_t offset) { return log_.read(offset).key == key; };
    return index_.find(hash_of(key), is_it);
}

void Store::load() {
    for (std::uint32_t offset = 0; offset < log_.size();) {
        const Record record = log_.read(offset);
        Index::Entry* const entry = find(record.key);
        if (entry != nullptr) live_bytes_ -= log_.read(entry->offset).size();
        if (record.value.empty()) {
            if (entry != nullptr) index_.remove(entry);
        } else {
            live_bytes_ += record.size();
            if (entry != nullptr) {
                entry->offset = offset;
            } else {
                index_.add(hash_of(record.key), offset);
            }
        }
        offset += record.size();
    }
}

void Store::compact_if_worth_it() {
    const std::uint32_t dead_bytes = log_.size() - live_bytes_;
    if (dead_bytes > smallest_compaction && dead_bytes > live_bytes_ / 2) compact();
}

// The old log stays until the new one is complete.
void Store::compact() {
    std::filesystem::remove(folder_ / new_log_name);
    Log compacted(folder_ / new_log_name);
    for (std::uint32_t offset = 0; offset < log_.size();) {
        const Record record = log_.read(offset);
        const auto is_here = [&](std::uint32_t other) { return other == offset; };
        if (Index::Entry* const entry = index_.find(hash_of(record.key), is_here)) {
            entry->offset = compacted.append(record.key, record.value);
        }
        offset += record.size();
    }
    log_ = std::move(compacted);
    std::filesystem::rename(folder_ / new_log_name, folder_ / log_name);
}
