#pragma once

#include "sheaf/compare/comparison.h"

#include <string>
#include <string_view>

// Texts that the terminal and the HTML page share.
namespace sheaf::compare {

/// Formats an amount of a Promise's kind; times are in nanoseconds.
std::string amount_text(std::string_view kind, std::uint64_t amount);
/// How many pages the figures are based on.
std::string basis_text(const Comparison& comparison);
/// Which share of the pages changes, and where that figure comes from.
std::string share_text(const Comparison& comparison);

}  // namespace sheaf::compare
