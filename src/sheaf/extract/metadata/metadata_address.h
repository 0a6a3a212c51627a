#pragma once

#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::extract {

/// The directives for everybody in robots metas or headers, in lower case, each once; nullopt if there are
/// none.
std::optional<List<Text>> robots_directives(std::span<const std::string_view> texts, Arena& arena);

}  // namespace sheaf::extract
