#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

// Bodies that are wanted in other ways than whole and in memory.
namespace sheaf::http {

/// The first `bytes` of a body; of the rest nothing more is fetched, and its length is no error. For
/// robots.txt. Counts against `fetcher` and its errors are those of Fetcher::fetch; `request.limit` has no
/// meaning here.
base::Result<Fetcher::Text> fetch_prefix(Fetcher& fetcher, FetchRequest request, std::size_t bytes);

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
