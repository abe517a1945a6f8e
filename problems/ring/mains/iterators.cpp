// Reads numbers into a ring that is wrapped around, and lets the standard algorithms at it.
#include "ring.hpp"
#include "rules.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <ranges>
#include <type_traits>

namespace {

using Numbers = Ring<long long>;

static_assert(std::random_access_iterator<Numbers::iterator>);
static_assert(std::random_access_iterator<Numbers::const_iterator>);
static_assert(std::is_convertible_v<Numbers::iterator, Numbers::const_iterator>);
static_assert(!std::is_convertible_v<Numbers::const_iterator, Numbers::iterator>);
static_assert(std::is_same_v<std::iter_reference_t<Numbers::const_iterator>, const long long&>);
static_assert(std::ranges::random_access_range<const Numbers>);

Numbers read() {
    Numbers numbers;
    for (long long value; std::cin >> value;) {
        if (value % 3 == 0) {
            numbers.push_front(value);
        } else {
            numbers.push_back(value);
        }
        if (value % 5 == 0) {
            numbers.push_back(numbers.front());
            numbers.pop_front();
        }
    }
    return numbers;
}

void print(const Numbers& numbers) {
    for (auto it = numbers.begin(); it != numbers.end(); it++) std::cout << *it << ' ';
    std::cout << '\n';
}

}  // namespace

int main() {
    Numbers numbers = read();
    const Numbers& constant = numbers;
    print(numbers);
    std::cout << std::accumulate(constant.cbegin(), constant.cend(), 0LL) << '\n';

    auto it = numbers.begin();
    const auto size = static_cast<std::ptrdiff_t>(numbers.size());
    std::cout << (numbers.end() - it == size) << (it + size == numbers.end()) << (it < numbers.end())
              << (size + it > it) << (it == constant.begin()) << '\n';
    it += size / 2;
    std::cout << *it << ' ' << it[1] << ' ' << it[-1] << ' ' << *(it - 1) << ' ' << *--it << ' ';
    std::cout << *it++ << ' ' << *it-- << ' ' << *++it << ' ' << it - numbers.begin() << '\n';

    std::ranges::copy(constant | std::views::reverse, std::ostream_iterator<long long>(std::cout, " "));
    std::cout << '\n';
    std::sort(numbers.begin(), numbers.end());
    print(numbers);
    for (const long long value : {0, 100, 777}) {
        std::cout << std::lower_bound(constant.begin(), constant.end(), value) - constant.begin() << '\n';
    }
    std::reverse(numbers.begin() + size / 4, numbers.end() - size / 4);
    std::rotate(numbers.begin(), numbers.begin() + size / 3, numbers.end());
    print(numbers);
    std::stable_sort(numbers.begin(), numbers.end(), [](auto a, auto b) { return a % 10 < b % 10; });
    print(numbers);
}
