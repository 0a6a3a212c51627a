#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace sheaf::search {

/// What a text of a page is, which decides how much it weighs.
enum class TextRole : std::uint8_t { title, description, heading, body, code };

struct PageText {
  std::string_view text;
  TextRole role = TextRole::body;
  int level = 0;  ///< of a heading
};

/// Of longer pages, only so many bytes of text are searchable: what a page costs must not depend on what its
/// site puts into it.
inline constexpr std::size_t kMostPageText = std::size_t{8} << 20U;

/// Calls `use` with each searchable text of a page, in reading order: title, description, then content. Ends
/// after kMostPageText bytes, or when `use` returns false.
void each_page_text(const Page& page, const std::function<bool(const PageText&)>& use);

}  // namespace sheaf::search
