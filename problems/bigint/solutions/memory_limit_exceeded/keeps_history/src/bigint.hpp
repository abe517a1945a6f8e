#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// An integer of any size.
class BigInt {
public:
    BigInt() = default;

    // Decimal digits, maybe a minus sign before them.
    explicit BigInt(std::string_view text);

    std::string to_string() const;
    bool is_zero() const { return limbs_.empty(); }

    friend BigInt operator+(const BigInt& x, const BigInt& y);
    friend BigInt operator-(const BigInt& x, const BigInt& y);
    friend BigInt operator*(const BigInt& x, const BigInt& y);

    // The quotient, rounded towards zero, and the remainder. `y` is not 0.
    friend std::pair<BigInt, BigInt> divide(const BigInt& x, const BigInt& y);

    friend bool operator==(const BigInt& x, const BigInt& y) = default;
    friend std::strong_ordering operator<=>(const BigInt& x, const BigInt& y);

private:
    using Limb = std::uint32_t;
    using Limbs = std::vector<Limb>;

    BigInt(bool negative, Limbs limbs);

    static std::strong_ordering compare(const Limbs& x, const Limbs& y);
    static Limbs sum(const Limbs& x, const Limbs& y);
    static Limbs difference(const Limbs& x, const Limbs& y);  // x is not less than y
    static BigInt signed_sum(const BigInt& x, bool y_negative, const Limbs& y);
    static std::pair<Limbs, Limb> divide_by_limb(Limbs x, Limb y);
    static std::pair<Limbs, Limbs> divide_long(const Limbs& x, const Limbs& y);
    static Limbs times(const Limbs& x, Limb factor);

    // The magnitude in base 10^9, the lowest limb first, without zeros at the top. Zero is not
    // negative.
    bool negative_ = false;
    Limbs limbs_;
};
