#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace sheaf::traffic {

/// Longer lines are skipped: no real request produces one.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} * 1024;

/// Splits a stream of bytes into lines. Only a line that spans two pieces is copied.
class LineCutter {
 public:
  template <class Use>
  void add(std::string_view bytes, const Use& use) {
    while (!bytes.empty()) {
      const void* found = std::memchr(bytes.data(), '\n', bytes.size());
      if (found == nullptr) return keep(bytes);
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
      if (rest_.empty() && !is_skipping_) {
        if (size <= kMaxLineBytes) use(bytes.substr(0, size));
      } else {
        keep(bytes.substr(0, size));
        finish(use);
      }
      bytes.remove_prefix(size + 1);
    }
  }

  /// Ends the current line; call it at the end of the file.
  template <class Use>
  void finish(const Use& use) {
    if (!rest_.empty() && !is_skipping_) use(std::string_view(rest_));
    rest_.clear();
    is_skipping_ = false;
  }

 private:
  void keep(std::string_view bytes) {
    is_skipping_ = is_skipping_ || rest_.size() + bytes.size() > kMaxLineBytes;
    if (is_skipping_) return rest_.clear();
    rest_ += bytes;
  }

  std::string rest_;
  bool is_skipping_ = false;
};

}  // namespace sheaf::traffic
