#pragma once

#include "sheaf/compare/comparison.h"

#include <string>
#include <string_view>

// Texts that the terminal and the HTML page share.
namespace sheaf::compare {

std::string amount_text(std::string_view kind, std::uint64_t amount);
/// How many pages the figures are based on.
std::string basis_text(const Comparison& comparison);
/// Which share of the pages changes, and how that is known.
std::string share_text(const Comparison& comparison);

}  // namespace sheaf::compare
