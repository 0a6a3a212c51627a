#pragma once

#include "sheaf/http/fetch/fetcher.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::http::fetch {

/// A longer entity tag is dropped. The longest ones seen on real sites are below 200 bytes.
inline constexpr std::size_t kEntityTagBytes = 1024;

/// ETag and Last-Modified of a response, kept for a conditional request later. Every instance is checked: a
/// member is either empty or safe to store, print and send back. A server may send anything in these headers,
/// and a single control character would make every later request for the file impossible.
class Validators {
 public:
  Validators() = default;
  /// Keeps an entity tag as in RFC 9110 8.8.3, in printable ASCII and up to kEntityTagBytes long, and a
  /// Last-Modified that is an HTTP date. Drops anything else: the file is then fetched again, which is
  /// correct if slower.
  Validators(std::string_view etag, std::string_view last_modified);
  explicit Validators(const FetchHead& head);

  [[nodiscard]] const std::string& etag() const { return etag_; }
  [[nodiscard]] const std::string& last_modified() const { return last_modified_; }
  [[nodiscard]] bool empty() const { return etag_.empty() && last_modified_.empty(); }

  /// Adds If-None-Match and If-Modified-Since to the request headers, for each value that is set.
  void add_conditions(std::vector<std::pair<std::string, std::string>>& headers) const;

  friend bool operator==(const Validators&, const Validators&) = default;

 private:
  std::string etag_;
  std::string last_modified_;
};

}  // namespace sheaf::http::fetch
