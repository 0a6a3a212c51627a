#pragma once

#include "sheaf/site/advertised.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A sitemap makes statements about each collection. These functions compare them with the file: pull decides
// with them what to apply, doctor what to report.
namespace sheaf::offers {

/// A file whose `generated` is further than this behind its sitemap entry is stale. Smaller differences are
/// normal: many publishers read the clock once for the file and once for the sitemap.
inline constexpr std::int64_t kStaleSeconds = 3600;

/// What is known of a downloaded file.
struct FileStatement {
  std::uint64_t bytes = 0;
  std::string_view checksum = {};           ///< that it states, lower case; empty if none
  std::optional<std::uint64_t> pages = {};  ///< in it, skipped ones too; nothing if it was not read
};

enum class StatementKind : std::uint8_t { size, checksum, pages };

/// A statement of a sitemap that is wrong.
struct WrongStatement {
  StatementKind kind = StatementKind::size;
  std::string message = {};
};

/// The first statement of the sitemap that does not hold for the file: its size, checksum or page count.
std::optional<WrongStatement> compare_statements(const site::AdvertisedCollection& offer,
                                                 const FileStatement& file);

/// Whether a file is older than its sitemap entry says.
bool is_older_than_stated(const std::optional<Instant>& advertised, Instant generated);

/// Whether a file that starts with these bytes may be a collection: gzip, zstd or JSON. Four bytes are
/// enough.
bool may_be_collection(std::string_view prefix);

}  // namespace sheaf::offers
