#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch.h"
#include "sheaf/http/validators.h"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

// Bodies that are wanted in other ways than whole and in memory.
namespace sheaf::http {

/// The first `bytes` of a body, decoded if it has a Content-Encoding; of the rest nothing more is fetched,
/// and its length is no error. For robots.txt. Counts against `fetcher` and its errors are those of
/// Fetcher::fetch and decode_content_prefix; `request.limit` has no meaning here.
base::Result<Fetcher::Text> fetch_prefix(Fetcher& fetcher, FetchRequest request, std::size_t bytes);

/// One request for a robots.txt: the first `bytes` of it, asked for without a coding. A redirect is not followed but is the answer: how many count is the robots standard's business. With
/// the validators of a copy the answer may be 304.
base::Result<Fetcher::Text> fetch_robots_file(Fetcher& fetcher, std::string_view url, std::size_t bytes,
                                              const Validators& copy = {}, unsigned most_tries = UINT_MAX);

/// A body in a nameless file.
struct SpooledBody {
  FetchHead head;
  std::shared_ptr<const base::SpoolFile>
      file;  ///< null unless the status is 2xx: other bodies are passed over

  /// From its first byte; `head.url` is its name.
  [[nodiscard]] std::unique_ptr<base::ByteSource> open() const { return base::spool_source(file, head.url); }
};

/// For what may be larger than memory: a sitemap. `folder` as for base::SpoolFile.
base::Result<SpooledBody> fetch_to_spool(Fetcher& fetcher, const FetchRequest& request,
                                         const std::filesystem::path& folder);

}  // namespace sheaf::http
