#pragma once

#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::extract {

/// The directives for all robots in robots metas or headers, in lowercase, without duplicates; nullopt if
/// there are none.
std::optional<List<Text>> robots_directives(std::span<const std::string_view> texts, Arena& arena);

}  // namespace sheaf::extract
