#pragma once

#include <sheaf/page.h>

#include <array>
#include <optional>
#include <string_view>

namespace sheaf::model {

/// The values of `kind` of inline ranges in files, in the order of InlineKind.
inline constexpr std::array<std::string_view, 7> kInlineNames = {"link", "code", "strong", "em",
                                                                 "math", "sub",  "sup"};

constexpr std::string_view inline_name(InlineKind kind) {
  return kInlineNames[static_cast<std::size_t>(kind)];
}

constexpr std::optional<InlineKind> find_inline_kind(std::string_view name) {
  for (std::size_t i = 0; i < kInlineNames.size(); ++i)
    if (kInlineNames[i] == name) return static_cast<InlineKind>(i);
  return std::nullopt;
}

}  // namespace sheaf::model
