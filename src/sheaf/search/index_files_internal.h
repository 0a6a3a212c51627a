#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/feed_cursor.h"

#include <xapian.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

// Xapian's types, shared by the sources that read and write the index.
namespace sheaf::search {

/// Raised when the terms of a page change their meaning: an index of another version is made anew.
inline constexpr std::uint64_t kIndexVersion = 1;

inline constexpr Xapian::valueno kModifiedSlot = 0;

/// What the index says of itself, in the database's metadata, which is committed with the documents.
struct IndexPosition {
  std::uint64_t version = 0;                       ///< 0: nothing there yet
  std::optional<store::FeedCursor> sequence = {};  ///< everything up to this change is in it
  std::optional<store::FeedCursor> rebuilding =
      {};  ///< the store's newest change when a walk over all pages began
};

IndexPosition read_position(const Xapian::Database& database);
void write_position(Xapian::WritableDatabase& database, const IndexPosition& position);

/// The folder of the index of the store at `location`.
std::filesystem::path index_folder(const std::string& location);

/// What an exception of Xapian means.
base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder);

/// Known words, for suggestions: metadata with this prefix and nothing to say.
inline constexpr std::string_view kVocabularyPrefix = "W";

}  // namespace sheaf::search
