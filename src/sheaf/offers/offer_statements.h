#pragma once

#include "sheaf/site/advertised.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A sitemap makes statements about each collection. These functions compare them with the file. pull uses
// them to decide what to apply, and doctor to decide what to report.
namespace sheaf::offers {

/// A file is stale if its `generated` is earlier than in its sitemap entry by more than this. Smaller
/// differences are normal: many publishers read the clock once for the file and once for the sitemap.
inline constexpr std::int64_t kStaleSeconds = 3600;

/// The facts about a downloaded file that are compared.
struct FileStatement {
  std::uint64_t bytes = 0;
  std::string_view checksum = {};           ///< checksum that the file states, in lower case; empty if none
  std::optional<std::uint64_t> pages = {};  ///< pages in it, including skipped ones; nullopt if not read
};

enum class StatementKind : std::uint8_t { size, checksum, pages };

/// A statement of a sitemap that is wrong.
struct WrongStatement {
  StatementKind kind = StatementKind::size;
  std::string message = {};
};

/// The first statement of the sitemap that is wrong about the file: its size, checksum or page count. Nullopt
/// if all are right.
std::optional<WrongStatement> compare_statements(const site::AdvertisedCollection& offer,
                                                 const FileStatement& file);

/// Whether a file is older than its sitemap entry says, by more than kStaleSeconds.
bool is_older_than_stated(const std::optional<Instant>& advertised, Instant generated);

/// Whether a file that starts with these bytes may be a collection: gzip, zstd or JSON. Four bytes are
/// enough.
bool may_be_collection(std::string_view prefix);

}  // namespace sheaf::offers
