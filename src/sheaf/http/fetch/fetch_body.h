#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/fetch/validators.h"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

// Functions that fetch only the beginning of a body, or fetch it to a temporary file.
namespace sheaf::http::fetch {

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
