// Appends every record to one file, and never removes one that is dead.
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

// The records are lines of one size, `key value` or, for a deletion, `key -`. Memory holds the
// number of the newest line of each key in a hash table with open addressing.
class Store {
public:
    Store() {
        for (std::string line; !(line = read(lines_)).empty();) {
            const std::string key = key_of(line);
            note(key, find(key), value_of(line));
        }
    }

    void put(const std::string& key, const std::string& value) {
        Entry& entry = find(key);
        std::string line = key + ' ' + value;
        line.resize(line_size, ' ');
        out_ << line;
        note(key, entry, value);
    }

    std::optional<std::string> get(const std::string& key) {
        const Entry& entry = find(key);
        if (!entry.stored) return std::nullopt;
        return value_of(read(entry.line));
    }

    void erase(const std::string& key) {
        if (find(key).stored) put(key, "-");
    }

    std::size_t count() const { return count_; }

private:
    static constexpr std::uint32_t unused = UINT32_MAX >> 1;
    static constexpr int line_size = 144;

    struct Entry {
        std::uint32_t hash = 0;
        std::uint32_t line : 31 = unused;
        std::uint32_t stored : 1 = 0;
    };

    static std::string key_of(const std::string& line) { return line.substr(0, line.find(' ')); }
    static std::string value_of(const std::string& line) {
        const auto begin = line.find(' ') + 1;
        return line.substr(begin, line.find(' ', begin) - begin);
    }
    static std::uint32_t hash_of(const std::string& key) {
        return static_cast<std::uint32_t>(std::hash<std::string>()(key));
    }

    // Empty behind the last line.
    std::string read(std::uint32_t line) {
        out_.flush();
        std::string text(line_size, ' ');
        if (in_.seekg(std::streamoff{line} * line_size).read(text.data(), line_size)) return text;
        in_.clear();
        return "";
    }

    // What the table says, or should say, of the key.
    Entry& find(const std::string& key) {
        const std::uint32_t hash = hash_of(key);
        std::size_t place = hash % table_.size();
        while (table_[place].line != unused &&
               (table_[place].hash != hash || key_of(read(table_[place].line)) != key)) {
            place = (place + 1) % table_.size();
        }
        return table_[place];
    }

    // The next line of the file has the value of that key.
    void note(const std::string& key, Entry& entry, const std::string& value) {
        count_ -= entry.stored;
        entry = {hash_of(key), lines_++, value != "-"};
        count_ += entry.stored;
    }

    std::ofstream out_{"store.txt", std::ios::app};
    std::ifstream in_{"store.txt"};
    std::uint32_t lines_ = 0;
    std::size_t count_ = 0;
    std::vector<Entry> table_ = std::vector<Entry>(1 << 19);
};

// The value of the key with that number, as `fill` makes it.
std::string made_value(std::uint32_t seed, std::uint32_t number) {
    constexpr std::uint32_t mask = (1U << 31) - 1;
    constexpr char digits[] = "0123456789abcdef";
    std::uint32_t x = (seed + 7919 * number) & mask;
    std::string value;
    for (int k = 0; k < 15; ++k) {
        x = (1103515245 * x + 12345) & mask;
        for (int shift = 28; shift >= 0; shift -= 4) value += digits[x >> shift & 15];
    }
    return value;
}

void fill(Store& store, const std::string& prefix, std::uint32_t number, std::uint32_t seed) {
    for (std::uint32_t i = 0; i < number; ++i) {
        store.put(prefix + std::to_string(i), made_value(seed, i));
    }
}

void drop(Store& store, const std::string& prefix, std::uint32_t number) {
    for (std::uint32_t i = 0; i < number; ++i) store.erase(prefix + std::to_string(i));
}

void print_digest(Store& store, const std::string& prefix, std::uint32_t number) {
    std::uint32_t found = 0, digest = 0;
    for (std::uint32_t i = 0; i < number; ++i) {
        const auto value = store.get(prefix + std::to_string(i));
        if (!value) continue;
        ++found;
        for (const char c : *value) digest = 31 * digest + static_cast<unsigned char>(c);
    }
    std::cout << found << ' ' << digest << '\n';
}

void obey(Store& store, const std::string& command) {
    std::string key, value;
    std::uint32_t number = 0, seed = 0;
    if (command == "put" && std::cin >> key >> value) {
        store.put(key, value);
    } else if (command == "get" && std::cin >> key) {
        std::cout << store.get(key).value_or("none") << '\n';
    } else if (command == "del" && std::cin >> key) {
        store.erase(key);
    } else if (command == "count") {
        std::cout << store.count() << '\n';
    } else if (command == "fill" && std::cin >> key >> number >> seed) {
        fill(store, key, number, seed);
    } else if (command == "drop" && std::cin >> key >> number) {
        drop(store, key, number);
    } else if (command == "digest" && std::cin >> key >> number) {
        print_digest(store, key, number);
    }
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Store store;
    for (std::string command; std::cin >> command;) obey(store, command);
}
