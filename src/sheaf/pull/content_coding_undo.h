#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace sheaf::pull {

/// A downloaded collection, and what is known about it.
struct CodedFile {
  std::filesystem::path path;
  std::string_view url;
  std::string_view coding;                       ///< Content-Encoding; empty if there was none
  std::optional<std::uint64_t> advertised = {};  ///< its size according to the sitemap
};

/// Collections are requested as they are, but some servers compress on the fly nevertheless. Writes the file
/// without its content coding (gzip, zstd, br, deflate) to `plain` and returns its size. Returns nullopt if
/// there is nothing to undo: no coding, or that of the file itself, as the drafts demand of `.scp.gz`. Fails
/// with Errc::invalid_data if the data is damaged, an unknown coding hides the collection, or the result is
/// longer than `limit` bytes or a hundred times the file.
base::Result<std::optional<std::uint64_t>> undo_content_coding(const CodedFile& file,
                                                               const std::filesystem::path& plain,
                                                               std::uint64_t limit);

}  // namespace sheaf::pull
