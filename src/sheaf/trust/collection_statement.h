#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/model/collection.h"
#include <sheaf/time.h>

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

}  // namespace sheaf::trust
