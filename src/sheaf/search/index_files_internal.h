#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_position.h"

#include <xapian.h>

#include <filesystem>
#include <string>

// Xapian's types, shared by the sources that read and write the index.
namespace sheaf::search {

inline constexpr Xapian::valueno kModifiedSlot = 0;

/// Must be increased with kIndexVersion, and when the files change. An index of another version is rebuilt.
inline constexpr std::uint64_t kLocalIndexVersion = 3;
/// Xapian's version file, which every database has.
inline constexpr const char* kVersionFile = "iamglass";
inline constexpr std::size_t kMaxShards = 64;

IndexPosition read_position(const Xapian::Database& database);
void write_position(Xapian::WritableDatabase& database, const IndexPosition& position);

/// Returns the number of shards of the index. Throws Xapian::DatabaseCorruptError if it is missing.
std::size_t read_shards(const Xapian::Database& head);
void write_shards(Xapian::WritableDatabase& head, std::size_t shards);
std::filesystem::path shard_folder(const std::filesystem::path& folder, std::size_t number);

/// The folder of the index of the store at `location`.
std::filesystem::path index_folder(const std::string& location);

/// Converts an exception of Xapian to an error.
base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder);

/// Prefix of metadata keys that are known words, for suggestions. Their values have no meaning.
inline constexpr std::string_view kVocabularyPrefix = "W";

}  // namespace sheaf::search
