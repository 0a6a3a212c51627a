#include "sheaf/settings/settings.h"

#include "sheaf/settings/setting_list.h"

namespace sheaf::settings {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;

std::optional<Problem> read_text(std::string_view text, Language language, SettingList& out) {
  switch (language) {
    case Language::yaml: return read_yaml(text, out);
    case Language::toml: return read_toml(text, out);
    case Language::json: break;
  }
  return read_json(text, out);
}

}  // namespace

std::string_view language_name(Language language) {
  switch (language) {
    case Language::yaml: return "YAML";
    case Language::toml: return "TOML";
    case Language::json: break;
  }
  return "JSON";
}

ParsedSettings parse_settings(std::string_view text, Language language, Arena& arena) {
  if (text.empty()) return {};
  if (text.size() > kMaxTextBytes) return {{}, Problem{Problem::Kind::too_long, 0, "over 1 MiB"}};
  SettingList list(arena);
  std::optional<Problem> problem = read_text(text, language, list);
  return {list.take(), std::move(problem)};
}

}  // namespace sheaf::settings
