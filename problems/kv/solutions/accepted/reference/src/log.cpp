#include "log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace {

constexpr std::size_t buffer_size = 64 * 1024;
constexpr std::size_t window_size = 1024;
constexpr std::size_t largest_record = 2 + 255 + 255;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Log::Log(const std::filesystem::path& file)
    : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0) fail("open");
    flushed_ = static_cast<std::uint32_t>(lseek(file_, 0, SEEK_END));
    buffer_.reserve(buffer_size);
}

Log::~Log() {
    if (file_ < 0) return;
    flush();
    close(file_);
}

Log::Log(Log&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      flushed_(other.flushed_),
      buffer_(std::move(other.buffer_)) {}

Log& Log::operator=(Log&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(flushed_, other.flushed_);
    buffer_.swap(other.buffer_);
    window_.clear();
    other.window_.clear();
    return *this;
}

std::uint32_t Log::append(std::string_view key, std::string_view value) {
    const std::uint32_t offset = size();
    buffer_ += static_cast<char>(key.size());
    buffer_ += static_cast<char>(value.size());
    buffer_ += key;
    buffer_ += value;
    if (buffer_.size() + largest_record > buffer_size) flush();
    return offset;
}

Record Log::read(std::uint32_t offset) const {
    std::string_view bytes;
    if (offset >= flushed_) {
        bytes = std::string_view(buffer_).substr(offset - flushed_);
    } else {
        if (offset < window_offset_ || offset + largest_record > window_offset_ + window_.size()) {
            window_.resize(window_size);
            const ssize_t got = pread(file_, window_.data(), window_size, offset);
            if (got < 0) fail("read");
            window_.resize(static_cast<std::size_t>(got));
            window_offset_ = offset;
        }
        bytes = std::string_view(window_).substr(offset - window_offset_);
    }
    const auto key_size = static_cast<unsigned char>(bytes.at(0));
    const auto value_size = static_cast<unsigned char>(bytes.at(1));
    return {std::string(bytes.substr(2, key_size)),
            std::string(bytes.substr(2 + key_size, value_size))};
}

void Log::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
        const ssize_t written = pwrite(file_, rest.data(), rest.size(), flushed_);
        if (written < 0) fail("write");
        flushed_ += static_cast<std::uint32_t>(written);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    buffer_.clear();
    window_.clear();  // it may end where the file ended before
}
