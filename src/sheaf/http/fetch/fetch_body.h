#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch/fetcher.h"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Functions that fetch only the beginning of a body, or fetch it to a temporary file.
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

/// Fetches the first `bytes` of a body, decoded if it has a Content-Encoding. The rest is not fetched, and a
/// longer body is not an error. Errors are those of Fetcher::fetch and decode_content_prefix. `request.limit`
/// is ignored.
base::Result<Fetcher::Text> fetch_prefix(Fetcher& fetcher, FetchRequest request, std::size_t bytes);

/// Requests the first `bytes` of a robots.txt, without content coding. A redirect is returned and not
/// followed, because the robots standard has its own limit on redirects. With the validators of a stored
/// copy the response may be 304.
base::Result<Fetcher::Text> fetch_robots_file(Fetcher& fetcher, std::string_view url, std::size_t bytes,
                                              const Validators& copy = {}, unsigned most_tries = UINT_MAX);

/// A body in an unnamed temporary file.
struct SpooledBody {
  FetchHead head;
  std::shared_ptr<const base::SpoolFile> file;  ///< null unless the status is 2xx: other bodies are dropped

  /// Opens the body at its first byte. The source is named `head.url`.
  [[nodiscard]] std::unique_ptr<base::ByteSource> open() const { return base::spool_source(file, head.url); }
};

/// Fetches a body that may not fit in memory, such as a sitemap. `folder` is passed to base::SpoolFile.
base::Result<SpooledBody> fetch_to_spool(Fetcher& fetcher, const FetchRequest& request,
                                         const std::filesystem::path& folder);

}  // namespace sheaf::http::fetch
