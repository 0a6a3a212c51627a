#pragma once

#include "sheaf/base/url.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/settings/settings.h"
#include "sheaf/visibility/page_rules.h"
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
/// lines, a JSON object, or lines "Title: x" up to an empty line, if one of their names is a known one.
struct FrontMatterParts {
  std::optional<settings::Language> language = {};  ///< nullopt: no front matter
  std::string_view settings = {};                   ///< without the delimiter lines
  std::size_t first_line = 1;                       ///< number of the line where `settings` begins
  std::string_view body;
  /// Why the settings cannot be read: the closing delimiter is missing, or their language is not known. Then
  /// `body` is the whole text.
  std::string problem = {};
};

/// Splits a page. Never fails: a text without front matter is all body. A single `---` is a thematic break if
/// nothing after it looks like a setting.
FrontMatterParts split_front_matter(std::string_view text);

struct FrontMatter {
  extract::Metadata metadata;
  /// The URL that `url`, `permalink` or `slug` states, relative to the page's URL. Patterns
  /// ("/:year/:title/") are ignored.
  OptionalText permalink;
  visibility::Verdict verdict;  ///< front matter that cannot be read holds the page
  std::string_view body;
  std::vector<std::string> problems;  ///< one sentence each, for the author of the page
};

struct FrontMatterOptions {
  const base::Url* url = nullptr;  ///< URL of the page, to resolve a relative canonical URL
  std::string_view robots_header;
  Instant now = sheaf::now();  ///< for publication and expiry dates
};

/// Interprets front matter by the conventions of common site generators. The strings in the result point into
/// the text or the arena.
FrontMatter read_front_matter(std::string_view text, const FrontMatterOptions& options, Arena& arena);

/// Judges the pages below the page of a folder by its front matter: Hugo's `cascade`.
visibility::Verdict judge_cascade(std::string_view text, Instant now = sheaf::now());

}  // namespace sheaf::markdown
