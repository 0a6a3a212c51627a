#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_position.h"

#include <xapian.h>

#include <filesystem>
#include <string>

// Xapian's types, shared by the sources that read and write the index.
namespace sheaf::search {

inline constexpr Xapian::valueno kModifiedSlot = 0;

/// Raised with kIndexVersion, and when the files change: an index of another version is made anew.
inline constexpr std::uint64_t kLocalIndexVersion = 3;
/// The file of a database that names the others.
inline constexpr const char* kVersionFile = "iamglass";
inline constexpr std::size_t kMostShards = 64;

IndexPosition read_position(const Xapian::Database& database);
void write_position(Xapian::WritableDatabase& database, const IndexPosition& position);

/// How many shards the index has. Throws Xapian::DatabaseCorruptError if that is not there.
std::size_t read_shards(const Xapian::Database& head);
void write_shards(Xapian::WritableDatabase& head, std::size_t shards);
std::filesystem::path shard_folder(const std::filesystem::path& folder, std::size_t number);

/// The folder of the index of the store at `location`.
std::filesystem::path index_folder(const std::string& location);

/// What an exception of Xapian means.
base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder);

/// Known words, for suggestions: metadata with this prefix and nothing to say.
inline constexpr std::string_view kVocabularyPrefix = "W";

}  // namespace sheaf::search
