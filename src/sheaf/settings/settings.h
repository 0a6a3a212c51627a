#pragma once

#include <sheaf/arena.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Settings that people write for site generators, in YAML, TOML or JSON: the front matter of a page,
/// mkdocs.yml, hugo.toml. The three become one flat list of names and values, so a caller looks up the few
/// names it knows and does not care about the language.
namespace sheaf::settings {

enum class Language : std::uint8_t { yaml, toml, json };

/// "YAML", "TOML" or "JSON".
std::string_view language_name(Language language);

/// A scalar, or one item of a list. The names of maps are joined by dots: "last_update.date". Items of a list
/// have the name of the list.
struct Setting {
  std::string_view name;
  std::string_view value;
};

struct Problem {
  enum class Kind : std::uint8_t {
    invalid,   ///< not in the language, at `line`
    too_many,  ///< too many settings, or nested too deeply: the rest was ignored
    too_long,  ///< over 1 MiB: nothing was read
  };
  Kind kind;
  std::size_t line;  ///< of the text, from 0
  std::string what;  ///< without a full stop
};

struct ParsedSettings {
  std::vector<Setting> settings;  ///< in the order of the text; strings are in the arena
  std::optional<Problem> problem;
};

/// Reads settings; those before a problem count. Time and memory are linear in the text: aliases of YAML are
/// not followed, and values below the third level of maps are skipped.
ParsedSettings parse_settings(std::string_view text, Language language, Arena& arena);

}  // namespace sheaf::settings
