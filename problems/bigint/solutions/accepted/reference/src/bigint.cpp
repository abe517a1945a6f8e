#include "bigint.hpp"

#include <algorithm>
#include <charconv>

namespace {

constexpr std::uint64_t base = 1'000'000'000;
constexpr std::size_t limb_digits = 9;

template <class Limbs>
void strip_zeros(Limbs& limbs) {
    while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

}  // namespace

BigInt::BigInt(bool negative, Limbs limbs) : limbs_(std::move(limbs)) {
    strip_zeros(limbs_);
    negative_ = negative && !limbs_.empty();
}

BigInt::BigInt(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    Limbs limbs;
    while (!text.empty()) {
        const std::size_t begin = text.size() - std::min(text.size(), limb_digits);
        std::from_chars(text.data() + begin, text.data() + text.size(), limbs.emplace_back());
        text = text.substr(0, begin);
    }
    *this = BigInt(negative, std::move(limbs));
}

std::string BigInt::to_string() const {
    if (is_zero()) return "0";
    std::string text = negative_ ? "-" : "";
    for (std::size_t i = limbs_.size(); i-- > 0;) {
        const std::string digits = std::to_string(limbs_[i]);
        if (i + 1 < limbs_.size()) text.append(limb_digits - digits.size(), '0');
        text += digits;
    }
    return text;
}

BigInt operator+(const BigInt& x, const BigInt& y) {
    return BigInt::signed_sum(x, y.negative_, y.limbs_);
}

BigInt operator-(const BigInt& x, const BigInt& y) {
    return BigInt::signed_sum(x, !y.negative_, y.limbs_);
}

BigInt operator*(const BigInt& x, const BigInt& y) {
    BigInt::Limbs product(x.limbs_.size() + y.limbs_.size());
    for (std::size_t i = 0; i < x.limbs_.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < y.limbs_.size(); ++j) {
            carry += product[i + j] + std::uint64_t{x.limbs_[i]} * y.limbs_[j];
            product[i + j] = static_cast<BigInt::Limb>(carry % base);
            carry /= base;
        }
        product[i + y.limbs_.size()] = static_cast<BigInt::Limb>(carry);
    }
    return {x.negative_ != y.negative_, std::move(product)};
}

std::pair<BigInt, BigInt> divide(const BigInt& x, const BigInt& y) {
    if (BigInt::compare(x.limbs_, y.limbs_) < 0) return {BigInt(), x};
    const bool negative = x.negative_ != y.negative_;
    if (y.limbs_.size() == 1) {
        auto [quotient, rest] = BigInt::divide_by_limb(x.limbs_, y.limbs_.front());
        return {BigInt(negative, std::move(quotient)), BigInt(x.negative_, {rest})};
    }
    auto [quotient, rest] = BigInt::divide_long(x.limbs_, y.limbs_);
    return {BigInt(negative, std::move(quotient)), BigInt(x.negative_, std::move(rest))};
}

std::strong_ordering operator<=>(const BigInt& x, const BigInt& y) {
    if (x.negative_ != y.negative_) {
        return x.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    return x.negative_ ? BigInt::compare(y.limbs_, x.limbs_) : BigInt::compare(x.limbs_, y.limbs_);
}

std::strong_ordering BigInt::compare(const Limbs& x, const Limbs& y) {
    if (x.size() != y.size()) return x.size() <=> y.size();
    return std::lexicographical_compare_three_way(x.rbegin(), x.rend(), y.rbegin(), y.rend());
}

BigInt BigInt::signed_sum(const BigInt& x, bool y_negative, const Limbs& y) {
    if (x.negative_ == y_negative) return {y_negative, sum(x.limbs_, y)};
    if (compare(x.limbs_, y) >= 0) return {x.negative_, difference(x.limbs_, y)};
    return {y_negative, difference(y, x.limbs_)};
}

BigInt::Limbs BigInt::sum(const Limbs& x, const Limbs& y) {
    Limbs result(std::max(x.size(), y.size()) + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (i < x.size()) carry += x[i];
        if (i < y.size()) carry += y[i];
        result[i] = static_cast<Limb>(carry % base);
        carry /= base;
    }
    return result;
}

BigInt::Limbs BigInt::difference(const Limbs& x, const Limbs& y) {
    Limbs result(x.size());
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::uint64_t less = borrow + (i < y.size() ? y[i] : 0);
        borrow = x[i] < less ? 1 : 0;
        result[i] = static_cast<Limb>(x[i] + borrow * base - less);
    }
    return result;
}

BigInt::Limbs BigInt::times(const Limbs& x, Limb factor) {
    Limbs result;
    result.reserve(x.size() + 1);
    std::uint64_t carry = 0;
    for (const Limb limb : x) {
        carry += std::uint64_t{limb} * factor;
        result.push_back(static_cast<Limb>(carry % base));
        carry /= base;
    }
    result.push_back(static_cast<Limb>(carry));
    return result;
}

std::pair<BigInt::Limbs, BigInt::Limb> BigInt::divide_by_limb(Limbs x, Limb y) {
    std::uint64_t rest = 0;
    for (std::size_t i = x.size(); i-- > 0;) {
        rest = rest * base + x[i];
        x[i] = static_cast<Limb>(rest / y);
        rest %= y;
    }
    return {std::move(x), static_cast<Limb>(rest)};
}

// Long division (Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D). Both are
// first scaled so that the divisor's top limb is at least half of the base: then a limb of the
// quotient that is guessed from the top three limbs is at most one too large.
std::pair<BigInt::Limbs, BigInt::Limbs> BigInt::divide_long(const Limbs& x, const Limbs& y) {
    const auto scale = static_cast<Limb>(base / (y.back() + 1));
    Limbs rest = times(x, scale);
    Limbs divisor = times(y, scale);
    strip_zeros(divisor);

    const std::size_t n = divisor.size();
    Limbs quotient(rest.size() - n);
    for (std::size_t k = quotient.size(); k-- > 0;) {
        const std::uint64_t top = rest[k + n] * base + rest[k + n - 1];
        std::uint64_t guess = top / divisor[n - 1];
        std::uint64_t over = top % divisor[n - 1];
        while (guess == base || guess * divisor[n - 2] > over * base + rest[k + n - 2]) {
            --guess;
            over += divisor[n - 1];
            if (over >= base) break;
        }

        // Subtracts guess times the divisor; `borrow` is what is still to be taken.
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < n; ++i) {
            borrow += guess * divisor[i];
            const auto less = static_cast<Limb>(borrow % base);
            borrow /= base;
            if (rest[k + i] < less) {
                rest[k + i] += base;
                ++borrow;
            }
            rest[k + i] -= less;
        }
        if (rest[k + n] < borrow) {
            --guess;
            Limb carry = 0;
            for (std::size_t i = 0; i < n; ++i) {
                rest[k + i] += divisor[i] + carry;
                carry = rest[k + i] >= base ? 1 : 0;
                if (carry != 0) rest[k + i] -= base;
            }
        }
        rest[k + n] = 0;
        quotient[k] = static_cast<Limb>(guess);
    }
    strip_zeros(rest);
    return {std::move(quotient), divide_by_limb(std::move(rest), scale).first};
}
