#pragma once

#include <sheaf/arena.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reads settings of site generators in YAML, TOML or JSON: the front matter of a page, mkdocs.yml,
/// hugo.toml. All three languages become a flat list of names and values, so callers look up the names that
/// they know and do not depend on the language.
namespace sheaf::settings {

enum class Language : std::uint8_t { yaml, toml, json };

/// "YAML", "TOML" or "JSON".
std::string_view language_name(Language language);

/// A scalar value or an item of a list. Keys of nested maps are joined by dots: "last_update.date". List
/// items have the name of their list.
struct Setting {
  std::string_view name;
  std::string_view value;
  bool is_alias = false;  ///< YAML: the value is "*name", an alias, which is not followed
};

struct Problem {
  enum class Kind : std::uint8_t {
    invalid,   ///< syntax error at `line`
    too_many,  ///< too many settings, or nested too deeply; the rest was ignored
    too_long,  ///< over 1 MiB; nothing was read
  };
  Kind kind;
  std::size_t line;  ///< line number in the text, from 0
  std::string what;  ///< without a full stop
};

struct ParsedSettings {
  std::vector<Setting> settings;  ///< in the order of the text; strings are in the arena
  std::optional<Problem> problem;
};

/// Reads settings. If there is a problem, the settings before it are returned nevertheless. Time and memory
/// are linear in the size of the text: YAML aliases are not followed, and values below the third level of
/// maps are skipped.
ParsedSettings parse_settings(std::string_view text, Language language, Arena& arena);

}  // namespace sheaf::settings
