#pragma once

#include <sheaf/collection.h>

#include <cstddef>
#include <expected>

namespace sheaf::format {

using sheaf::Finding;
using sheaf::FindingSink;
using sheaf::level_of;
using sheaf::to_string;
using Code = FindingCode;
using Level = FindingLevel;
inline constexpr std::size_t kCodeCount = kFindingCodes;

/// A value, or the fatal finding that ended the reading.
template <class T>
using Read = std::expected<T, Finding>;

}  // namespace sheaf::format
