#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace sheaf::search {

/// The role of a text in a page, which decides how much its words weigh.
enum class TextRole : std::uint8_t { title, description, heading, body, code };

struct PageText {
  std::string_view text;
  TextRole role = TextRole::body;
  int level = 0;  ///< level of a heading
};

/// Only this many bytes of a page's text are searchable, so that a site cannot make a page arbitrarily
/// expensive.
inline constexpr std::size_t kMaxPageText = std::size_t{8} << 20U;

/// Calls `use` with each searchable text of a page, in reading order: title, description, then content. Ends
/// after kMaxPageText bytes, or when `use` returns false.
void each_page_text(const Page& page, const std::function<bool(const PageText&)>& use);

}  // namespace sheaf::search
