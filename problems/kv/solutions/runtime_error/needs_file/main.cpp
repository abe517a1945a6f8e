// Takes it for granted that there is a file from an earlier run, and dies where there is none.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <unordered_map>

namespace {

class Store {
public:
    Store() {
        std::ifstream file;
        file.exceptions(std::ios::failbit);
        file.open("store.txt");
        file.exceptions(std::ios::goodbit);
        for (std::string key, value; file >> key >> value;) values_[key] = value;
    }

    ~Store() {
        std::ofstream file("store.txt");
        for (const auto& [key, value] : values_) file << key << ' ' << value << '\n';
    }

    void put(const std::string& key, const std::string& value) { values_[key] = value; }

    std::optional<std::string> get(const std::string& key) const {
        const auto found = values_.find(key);
        if (found == values_.end()) return std::nullopt;
        return found->second;
    }

    void erase(const std::string& key) { values_.erase(key); }
    std::size_t count() const { return values_.size(); }

private:
    std::unordered_map<std::string, std::string> values_;
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
