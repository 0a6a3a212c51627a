#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_position.h"

#include <xapian.h>

#include <filesystem>
#include <string>

// Xapian's types, shared by the sources that read and write the index.
namespace sheaf::search {

inline constexpr Xapian::valueno kModifiedSlot = 0;

IndexPosition read_position(const Xapian::Database& database);
void write_position(Xapian::WritableDatabase& database, const IndexPosition& position);

/// The folder of the index of the store at `location`.
std::filesystem::path index_folder(const std::string& location);

/// What an exception of Xapian means.
base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder);

/// Known words, for suggestions: metadata with this prefix and nothing to say.
inline constexpr std::string_view kVocabularyPrefix = "W";

}  // namespace sheaf::search
