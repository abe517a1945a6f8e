#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

// A pop from an empty ring does nothing, where it should throw.
template <class T>
class Ring {
    template <bool is_const>
    class Iterator;

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = Iterator<false>;
    using const_iterator = Iterator<true>;

    Ring() noexcept = default;

    Ring(std::initializer_list<T> values) : Ring(Slots(values.size())) {
        for (const T& value : values) push_back(value);
    }

    // Once the delegated constructor is through, a throwing copy runs the destructor.
    Ring(const Ring& other) : Ring(Slots(other.size_)) {
        for (const T& value : other) push_back(value);
    }

    Ring(Ring&& other) noexcept { swap(other); }

    Ring& operator=(const Ring& other) {
        if (this != &other) Ring(other).swap(*this);
        return *this;
    }

    Ring& operator=(Ring&& other) noexcept {
        if (this != &other) Ring(std::move(other)).swap(*this);
        return *this;
    }

    ~Ring() {
        clear();
        if (slots_ != nullptr) std::allocator<T>().deallocate(slots_, capacity_);
    }

    void swap(Ring& other) noexcept {
        std::swap(slots_, other.slots_);
        std::swap(capacity_, other.capacity_);
        std::swap(head_, other.head_);
        std::swap(size_, other.size_);
    }

    bool empty() const noexcept { return size_ == 0; }
    size_type size() const noexcept { return size_; }

    T& operator[](size_type index) { return *slot(index); }
    const T& operator[](size_type index) const { return *slot(index); }

    T& at(size_type index) { return *checked_slot(index); }
    const T& at(size_type index) const { return *checked_slot(index); }

    T& front() { return *checked_slot(0); }
    const T& front() const { return *checked_slot(0); }

    T& back() { return *checked_slot(size_ - 1); }  // wraps to an index out of range when empty
    const T& back() const { return *checked_slot(size_ - 1); }

    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(std::move(value)); }
    void push_front(const T& value) { emplace_front(value); }
    void push_front(T&& value) { emplace_front(std::move(value)); }

    template <class... Args>
    T& emplace_back(Args&&... args) {
        if (size_ < capacity_) {
            std::construct_at(slot(size_), std::forward<Args>(args)...);
        } else {
            grow(size_, std::forward<Args>(args)...);
        }
        ++size_;
        return back();
    }

    template <class... Args>
    T& emplace_front(Args&&... args) {
        if (size_ < capacity_) {
            std::construct_at(slot(capacity_ - 1), std::forward<Args>(args)...);
        } else {
            grow(grown_capacity() - 1, std::forward<Args>(args)...);
        }
        head_ = (head_ + capacity_ - 1) & (capacity_ - 1);
        ++size_;
        return front();
    }

    void pop_back() {
        if (empty()) return;
        std::destroy_at(checked_slot(size_ - 1));
        --size_;
    }

    void pop_front() {
        if (empty()) return;
        std::destroy_at(checked_slot(0));
        head_ = (head_ + 1) & (capacity_ - 1);
        --size_;
    }

    void clear() noexcept {
        while (!empty()) pop_back();
    }

    iterator begin() noexcept { return {this, 0}; }
    iterator end() noexcept { return {this, size_}; }
    const_iterator begin() const noexcept { return {this, 0}; }
    const_iterator end() const noexcept { return {this, size_}; }
    const_iterator cbegin() const noexcept { return begin(); }
    const_iterator cend() const noexcept { return end(); }

    friend bool operator==(const Ring& left, const Ring& right) {
        return std::equal(left.begin(), left.end(), right.begin(), right.end());
    }

private:
    struct Slots {
        explicit Slots(size_type least) : number(least == 0 ? 0 : std::bit_ceil(least)) {}
        size_type number;
    };

    explicit Ring(Slots slots)
        : slots_(slots.number == 0 ? nullptr : std::allocator<T>().allocate(slots.number)),
          capacity_(slots.number) {}

    T* slot(size_type index) const noexcept {
        return slots_ + ((head_ + index) & (capacity_ - 1));
    }

    T* checked_slot(size_type index) const {
        if (index >= size_) throw std::out_of_range("there is no such element in the ring");
        return slot(index);
    }

    size_type grown_capacity() const noexcept { return std::max<size_type>(4, 2 * capacity_); }

    // Moves to more slots and constructs one more element at `index`; the caller counts it. The
    // new element comes first, because its arguments may be an element of this ring.
    template <class... Args>
    void grow(size_type index, Args&&... args) {
        const Slots slots(grown_capacity());
        Ring grown(slots);
        T* const added = grown.slot(index);
        std::construct_at(added, std::forward<Args>(args)...);
        try {
            for (; grown.size_ < size_; ++grown.size_) {
                T& old = *slot(grown.size_);
                std::construct_at(grown.slot(grown.size_), std::move_if_noexcept(old));
            }
        } catch (...) {
            std::destroy_at(added);
            throw;
        }
        swap(grown);
    }

    T* slots_ = nullptr;
    size_type capacity_ = 0;
    size_type head_ = 0;
    size_type size_ = 0;
};

// A position in a ring: its index, counted from the front.
template <class T>
template <bool is_const>
class Ring<T>::Iterator {
    using Owner = std::conditional_t<is_const, const Ring, Ring>;

public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<is_const, const T&, T&>;
    using pointer = std::conditional_t<is_const, const T*, T*>;

    Iterator() noexcept = default;
    Iterator(Owner* ring, size_type index) noexcept : ring_(ring), index_(index) {}

    operator Iterator<true>() const noexcept
        requires(!is_const)
    {
        return {ring_, index_};
    }

    reference operator*() const { return (*ring_)[index_]; }
    pointer operator->() const { return &**this; }
    reference operator[](difference_type steps) const { return *(*this + steps); }

    Iterator& operator+=(difference_type steps) noexcept {
        index_ += static_cast<size_type>(steps);
        return *this;
    }
    Iterator& operator-=(difference_type steps) noexcept { return *this += -steps; }
    Iterator& operator++() noexcept { return *this += 1; }
    Iterator& operator--() noexcept { return *this -= 1; }
    Iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }

    friend Iterator operator+(Iterator it, difference_type steps) noexcept { return it += steps; }
    friend Iterator operator+(difference_type steps, Iterator it) noexcept { return it += steps; }
    friend Iterator operator-(Iterator it, difference_type steps) noexcept { return it -= steps; }
    friend difference_type operator-(const Iterator& left, const Iterator& right) noexcept {
        return static_cast<difference_type>(left.index_ - right.index_);
    }

    friend bool operator==(const Iterator& left, const Iterator& right) noexcept {
        return left.index_ == right.index_;
    }
    friend auto operator<=>(const Iterator& left, const Iterator& right) noexcept {
        return left.index_ <=> right.index_;
    }

private:
    Owner* ring_ = nullptr;
    size_type index_ = 0;
};
