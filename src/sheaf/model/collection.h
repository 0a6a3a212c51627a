#pragma once

#include <sheaf/collection.h>
#include <sheaf/time.h>

#include <cstdint>
#include <string_view>

namespace sheaf::model {

using sheaf::CollectionHead;
using sheaf::CollectionType;
using sheaf::to_string;

/// Whether a text is valid as an id or a section name: one or more letters, digits, `-` and `_`.
bool is_valid_identifier(std::string_view text) noexcept;

enum class VersionVerdict : std::uint8_t { supported, too_new, malformed };

/// Judges a version, MAJOR.MINOR. All versions 0.x are supported, because minor versions only add members.
VersionVerdict judge_version(std::string_view version) noexcept;

/// Whether a text is `prefix` ("sha256:" or "sum256:") followed by 64 hex digits of either case.
bool is_prefixed_digest(std::string_view text, std::string_view prefix) noexcept;

}  // namespace sheaf::model
