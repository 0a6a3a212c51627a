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

/// Where the settings of a page end and its text begins: YAML between `---` lines, TOML between `+++` lines,
/// or one JSON object.
struct FrontMatterParts {
  std::optional<settings::Language> language = {};  ///< nullopt: no front matter
  std::string_view settings = {};                   ///< without the lines around them
  std::size_t first_line = 1;                       ///< the line of the file that `settings` begin on
  std::string_view body;
  bool closed = true;  ///< false: the line that ends them is missing, and `body` is all of the text
};

/// Never fails: a text that does not begin with front matter is all body. A single `---` is a thematic break
/// if nothing after it looks like a setting.
FrontMatterParts split_front_matter(std::string_view text);

struct FrontMatter {
  extract::Metadata metadata;
  /// The URL that the settings give, relative to the page's URL: `url`, `permalink` or `slug`. Patterns
  /// ("/:year/:title/") are ignored.
  OptionalText permalink;
  bool draft = false;  ///< marked as draft, not due yet, or expired
  std::string_view body;
  std::vector<std::string> problems;  ///< one sentence each, for the author of the page
};

struct FrontMatterOptions {
  const base::Url* url = nullptr;  ///< of the page, to resolve a relative canonical URL
  std::string_view robots_header;
  Instant now = sheaf::now();  ///< a page dated later is not published yet
};

/// Interprets the settings by the conventions of common site generators. Strings point into the text or the
/// arena.
FrontMatter read_front_matter(std::string_view text, const FrontMatterOptions& options, Arena& arena);

}  // namespace sheaf::markdown
