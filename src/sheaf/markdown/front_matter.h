#pragma once

#include "sheaf/base/url.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/settings/settings.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::markdown {

/// A page split into its settings and its body. The settings are YAML between `---` lines, TOML between `+++`
/// lines, or a JSON object.
struct FrontMatterParts {
  std::optional<settings::Language> language = {};  ///< nullopt: no front matter
  std::string_view settings = {};                   ///< without the delimiter lines
  std::size_t first_line = 1;                       ///< number of the line where `settings` begins
  std::string_view body;
  bool closed = true;  ///< false: the closing delimiter is missing, and `body` is the whole text
};

/// Splits a page. Never fails: a text without front matter is all body. A single `---` is a thematic break if
/// nothing after it looks like a setting.
FrontMatterParts split_front_matter(std::string_view text);

struct FrontMatter {
  extract::Metadata metadata;
  /// The URL that `url`, `permalink` or `slug` states, relative to the page's URL. Patterns
  /// ("/:year/:title/") are ignored.
  OptionalText permalink;
  bool draft = false;  ///< marked as draft, not due yet, or expired
  std::string_view body;
  std::vector<std::string> problems;  ///< one sentence each, for the author of the page
};

struct FrontMatterOptions {
  const base::Url* url = nullptr;  ///< URL of the page, to resolve a relative canonical URL
  std::string_view robots_header;
  Instant now = sheaf::now();  ///< pages dated over a day later are drafts
};

/// Interprets front matter by the conventions of common site generators. The strings in the result point into
/// the text or the arena.
FrontMatter read_front_matter(std::string_view text, const FrontMatterOptions& options, Arena& arena);

}  // namespace sheaf::markdown
