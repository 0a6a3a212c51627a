#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/model/block.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::extract {

/// The directives for everybody in robots metas or headers, in lower case, each once; nullopt if there are
/// none.
std::optional<model::List<model::Text>> robots_directives(std::span<const std::string_view> texts,
                                                          base::Arena& arena);

}  // namespace sheaf::extract
