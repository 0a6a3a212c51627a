#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/limits.h"
#include "sheaf/model/collection.h"
#include "sheaf/trust/signing.h"
#include <sheaf/time.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::trust {

/// What a publisher states about a collection in the trusted comment of its signature:
///
///     scp-collection origin=https://example.com section=blog type=delta generated=2026-01-16T00:00:00Z
///     since=2026-01-15T00:00:00Z checksum=sha256:... state=sum256:...
///
/// on one line. It says which file this is, so that a file that was signed for another section, another site
/// or another time cannot take its place.
struct CollectionStatement {
  std::string origin;
  std::string section;
  model::CollectionType type = model::CollectionType::snapshot;
  Instant generated;
  std::optional<Instant> since;  ///< of deltas
  std::string checksum;          ///< "sha256:..."; empty if the collection has none
  std::string state;             ///< "sum256:..."; empty if the collection has none

  friend bool operator==(const CollectionStatement&, const CollectionStatement&) = default;
};

/// The statement for a collection with this metadata line.
CollectionStatement make_statement(std::string_view origin, const model::CollectionHead& head);

std::string to_string(const CollectionStatement& statement);
/// Unknown members are ignored. Fails with Errc::invalid_data if the text is malformed, or if a member is
/// missing or stated twice.
base::Result<CollectionStatement> parse_statement(std::string_view trusted_comment);

/// Why the statement is not about section `section` of `site`; nullopt if it is. Sites are compared as in
/// site::is_same_site(): ignoring `www.`, and with http equal to https on the default ports.
std::optional<std::string> differs_from_place(const CollectionStatement& statement, const base::Url& site,
                                              std::string_view section);
/// Why the statement does not match a collection with this metadata line; nullopt if it does.
std::optional<std::string> differs_from_head(const CollectionStatement& statement,
                                             const model::CollectionHead& head);

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
