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

/// A signature whose comment is known to be the key's, and what it states. The file is not checked yet.
struct CollectionSignature {
  FileSignature signature;
  CollectionStatement statement;
};

/// Reads the bytes of a signature file. Errors: invalid_data if it is not a signature of a collection,
/// refused if another key made it or somebody changed it. Messages are meant to follow the name of the file.
base::Result<CollectionSignature> open_signature(std::string_view text, const PublicKey& key);

/// Checks that `file` is the one that was signed, and that the statement is true of it. Reads the whole file;
/// whether it is a valid collection is not checked. Errors: refused, or a failure of the disk.
base::Result<void> verify_collection(const CollectionSignature& signature, const std::filesystem::path& file,
                                     const PublicKey& key, const format::Limits& limits = {});

/// The metadata line of a collection. Errors: invalid_data.
base::Result<model::CollectionHead> read_collection_head(const std::filesystem::path& file,
                                                         const format::Limits& limits = {});

}  // namespace sheaf::trust
