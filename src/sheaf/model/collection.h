#pragma once

#include "sheaf/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::model {

enum class CollectionType : std::uint8_t { snapshot, delta };

std::string_view to_string(CollectionType type);

/// The metadata line of a collection. Times are kept as written beside what they mean.
struct CollectionHead {
  std::string id;
  std::string section;
  CollectionType type = CollectionType::snapshot;
  std::string generated;
  base::Instant generated_at;
  std::optional<std::string> since;  ///< required of deltas
  std::optional<base::Instant> since_at;
  std::string version = "0.1";
  std::optional<std::string> state;     ///< "sum256:" and 64 hex digits, see docs/format.md
  std::vector<std::string> removed;     ///< URLs unpublished since `since`
  std::optional<std::string> checksum;  ///< "sha256:" and 64 hex digits
  /// Members no draft names: key with its escapes and without quotes, value as JSON text.
  std::vector<std::pair<std::string, std::string>> extra;

  friend bool operator==(const CollectionHead&, const CollectionHead&) = default;

  void set_generated(base::Instant instant);
  void set_since(base::Instant instant);
};

/// Letters, digits, `-` and `_`, at least one: what ids and section names are made of.
bool is_valid_identifier(std::string_view text) noexcept;

enum class VersionVerdict : std::uint8_t { supported, too_new, malformed };

/// MAJOR.MINOR, and MAJOR at most 0: any 0.x can be read, since minor versions only add.
VersionVerdict judge_version(std::string_view version) noexcept;

/// "sha256:" or "sum256:" followed by 64 hex digits of either case.
bool is_prefixed_digest(std::string_view text, std::string_view prefix) noexcept;

}  // namespace sheaf::model
