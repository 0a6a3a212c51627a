#include "sheaf/text/box_kinds.h"

#include "sheaf/text/text_compare.h"

#include <array>

namespace sheaf::text {
namespace {

constexpr std::array<std::string_view, 16> kKinds = {
    "Note",  "Tip",       "Hint",    "Info",     "Important", "Warning", "Caution", "Danger",
    "Error", "Attention", "Success", "Question", "Failure",   "Bug",     "Example", "Todo"};

}  // namespace

std::string_view admonition_kind(std::string_view word) {
  for (const std::string_view kind : kKinds)
    if (equal_text(word, kind, TextCase::ignore)) return kind;
  return {};
}

}  // namespace sheaf::text
