// Looks through the whole file, record by record, for each key.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

namespace {

// The file is a sequence of lines of one size: `+key value` or, where deleted, `-key value`.
class Store {
public:
    Store() {
        std::ofstream("store.txt", std::ios::app);
        file_.open("store.txt", std::ios::in | std::ios::out);
        for (std::string line; std::getline(file_, line);) count_ += line.front() == '+';
        file_.clear();
    }

    void put(const std::string& key, const std::string& value) {
        erase(key);
        std::string line = '+' + key + ' ' + value;
        line.resize(line_size - 1, ' ');
        file_.seekp(0, std::ios::end) << line << '\n';
        ++count_;
    }

    std::optional<std::string> get(const std::string& key) {
        const auto line = find(key);
        if (!line) return std::nullopt;
        const std::string value = line->substr(key.size() + 2);
        return value.substr(0, value.find(' '));
    }

    void erase(const std::string& key) {
        if (!find(key)) return;
        file_.seekp(-line_size, std::ios::cur).put('-');
        --count_;
    }

    std::size_t count() const { return count_; }

private:
    static constexpr int line_size = 160;

    // The line of the key; the file is then at the end of it.
    std::optional<std::string> find(const std::string& key) {
        const std::string beginning = '+' + key + ' ';
        file_.seekg(0);
        for (std::string line; std::getline(file_, line);) {
            if (line.starts_with(beginning)) return line;
        }
        file_.clear();
        return std::nullopt;
    }

    std::fstream file_;
    std::size_t count_ = 0;
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
