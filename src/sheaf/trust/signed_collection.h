#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/limits.h"
#include "sheaf/trust/collection_statement.h"
#include "sheaf/trust/file_signature.h"
#include "sheaf/trust/signing_key.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sheaf::trust {

/// A signature whose comment has been verified with the key, and what the comment states. The file has not
/// been checked yet.
struct CollectionSignature {
  FileSignature signature;
  CollectionStatement statement;
};

/// Parses the text of a signature file and verifies its comment. Fails with Errc::invalid_data if it is not a
/// signature of a collection, and with Errc::refused if it was made with another key or altered. Messages are
/// meant to follow the name of the file.
base::Result<CollectionSignature> open_signature(std::string_view text, const PublicKey& key);

/// Checks that `file` is the one that was signed, and that the statement matches its metadata line. Reads the
/// whole file, but does not check whether it is a valid collection. Fails with Errc::refused if a check
/// fails, with Errc::invalid_data if the metadata line is invalid, and if the file cannot be read.
base::Result<void> verify_collection(const CollectionSignature& signature, const std::filesystem::path& file,
                                     const PublicKey& key, const format::Limits& limits = {});

/// Reads the metadata line of a collection. Fails with Errc::invalid_data if it is invalid.
base::Result<model::CollectionHead> read_collection_head(const std::filesystem::path& file,
                                                         const format::Limits& limits = {});

}  // namespace sheaf::trust
