#include "sheaf/settings/settings.h"

#include "sheaf/settings/setting_list.h"
#include "sheaf/text/text_compare.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <toml_library.h>
#include <yaml.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

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

namespace {

std::string scalar_of(simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::STRING: return std::string(value.get_string().value());
    case simdjson::dom::element_type::BOOL: return value.get_bool().value() ? "true" : "false";
    case simdjson::dom::element_type::INT64: return std::to_string(value.get_int64().value());
    case simdjson::dom::element_type::UINT64: return std::to_string(value.get_uint64().value());
    default: return {};
  }
}

/// Recursion is bounded by the maximum depth of the parser.
// NOLINTNEXTLINE(misc-no-recursion)
bool add_value(simdjson::dom::element value, SettingList& out) {
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS) {
    for (const auto [key, member] : object) {
      out.path.enter(key);
      const bool fits = add_value(member, out);
      out.path.leave();
      if (!fits) return false;
    }
    return true;
  }
  simdjson::dom::array array;
  if (value.get(array) == simdjson::SUCCESS) {
    for (const simdjson::dom::element item : array)
      if (!add_value(item, out)) return false;
    return true;
  }
  const std::string text = scalar_of(value);
  return text.empty() || out.add(text);
}

}  // namespace

std::optional<Problem> read_json(std::string_view text, SettingList& out) {
  simdjson::dom::parser parser;
  if (parser.allocate(text.size() + 1, kMaxDepth) != simdjson::SUCCESS) return invalid(0, "out of memory");
  const simdjson::padded_string padded(text);
  simdjson::dom::element root;
  const simdjson::error_code error = parser.parse(padded).get(root);
  if (error != simdjson::SUCCESS) return invalid(0, simdjson::error_message(error));
  if (!add_value(root, out)) return too_many_settings();
  return std::nullopt;
}

namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string scalar_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* date = node.as_date()) return printed(date->get());
  if (const auto* time = node.as_date_time()) return printed(time->get());
  return {};
}

/// Recursion is bounded: the library rejects nesting deeper than 256, and kMaxDepth is lower.
// NOLINTNEXTLINE(misc-no-recursion)
bool add_node(const toml::node& node, SettingList& out, std::size_t depth) {
  if (depth > kMaxDepth) return true;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      out.path.enter(key.str());
      const bool fits = add_node(value, out, depth + 1);
      out.path.leave();
      if (!fits) return false;
    }
    return true;
  }
  if (const auto* list = node.as_array())
    return std::ranges::all_of(*list, [&](const toml::node& item) { return add_node(item, out, depth + 1); });
  const std::string value = scalar_of(node);
  return value.empty() || out.add(value);
}

/// Skips the string at the front of the text, which may end with the text.
void skip_string(std::string_view& text) {
  const char quote = text.front();
  const std::string_view rest = text.substr(1);
  const bool is_long = rest.size() >= 2 && rest[0] == quote && rest[1] == quote;
  const std::string end(is_long ? 3 : 1, quote);
  std::size_t at = end.size();
  while (at < text.size() && !text.substr(at).starts_with(end) && (is_long || text[at] != '\n'))
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  text.remove_prefix(std::min(at + end.size(), text.size()));
}

/// Whether a key such as a.b.c has too many parts. The library recurses into each, without a limit.
bool has_deep_key(std::string_view text) {
  std::size_t dots = 0;
  while (!text.empty() && dots <= kMaxDepth) {
    const char c = text.front();
    if (c == '"' || c == '\'') {
      skip_string(text);
      continue;
    }
    if (c == '#') text.remove_prefix(std::min(text.find('\n'), text.size() - 1));
    if (std::string_view("\n=,[]{}#").contains(c)) dots = 0;
    if (c == '.') ++dots;
    text.remove_prefix(1);
  }
  return dots > kMaxDepth;
}

}  // namespace

std::optional<Problem> read_toml(std::string_view text, SettingList& out) {
  if (has_deep_key(text)) return too_many_settings();
  const toml::parse_result parsed = toml::parse(text);
  if (parsed.failed()) {
    const auto line = std::max<toml::source_index>(parsed.error().source().begin.line, 1);
    return invalid(line - 1, std::string(parsed.error().description()));
  }
  if (!add_node(parsed.table(), out, 0)) return too_many_settings();
  return std::nullopt;
}

namespace {

/// Reads the events of libyaml with an explicit stack instead of recursion. Tags ("!!python/name:x", "!ENV")
/// are ignored; their values are read as written.
class YamlReader {
 public:
  explicit YamlReader(SettingList& out) : out_(out) {}

  std::optional<Problem> read(std::string_view text) {
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) return invalid(0, "out of memory");
    // The text has been decoded to UTF-8, so a declared encoding is ignored.
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    std::optional<Problem> problem;
    for (bool more = true; more && !problem;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) {
        problem = describe(parser);
        break;
      }
      more = event.type != YAML_STREAM_END_EVENT && event.type != YAML_DOCUMENT_END_EVENT;
      problem = take(event);
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return problem;
  }

 private:
  enum class Place : std::uint8_t { list, key, value };

  static Problem describe(const yaml_parser_t& parser) {
    std::string what = parser.problem != nullptr ? parser.problem : "it cannot be read";
    if (parser.context != nullptr) what += fmt::format(" ({})", parser.context);
    return invalid(parser.problem_mark.line, std::move(what));
  }

  std::optional<Problem> take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT: return take_scalar(event);
      case YAML_ALIAS_EVENT: return take_alias(event);
      case YAML_SEQUENCE_START_EVENT: return open(Place::list);
      case YAML_MAPPING_START_EVENT: return open(Place::key);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        places_.pop_back();
        end_value();
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  /// Handles the start of a map or a list. As a key of a map it has an empty name.
  std::optional<Problem> open(Place place) {
    if (places_.empty() && place == Place::list)
      return invalid(0, "found a list, expected names with values");
    if (places_.size() == kMaxDepth)
      return Problem{Problem::Kind::too_many, 0, "maps or lists nested over 64 deep"};
    begin_value("");
    places_.push_back(place);
    return std::nullopt;
  }

  std::optional<Problem> take_alias(const yaml_event_t& event) {
    const bool is_value = !places_.empty() && places_.back() != Place::key;
    begin_value("");
    const std::string name = fmt::format("*{}", reinterpret_cast<const char*>(event.data.alias.anchor));
    const bool fits = !is_value || out_.add(name, true);
    end_value();
    return fits ? std::nullopt : std::optional(too_many_settings());
  }

  std::optional<Problem> take_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (places_.empty()) {
      if (plain && text.empty()) return std::nullopt;
      return invalid(event.start_mark.line, "found a text, expected names with values");
    }
    const bool is_value = places_.back() != Place::key;
    begin_value(text);
    const bool is_null =
        plain && (text.empty() || text == "~" || text::equal_text(text, "null", text::TextCase::ignore));
    const bool fits = !is_value || is_null || out_.add(text);
    end_value();
    if (!fits) return too_many_settings();
    return std::nullopt;
  }

  /// Called at the start of each node. A key is the name of the next value.
  void begin_value(std::string_view text) {
    if (!places_.empty() && places_.back() == Place::key) out_.path.enter(text);
  }
  /// Called at the end of each node. In a map, keys and values alternate.
  void end_value() {
    if (places_.empty() || places_.back() == Place::list) return;
    if (places_.back() == Place::value) out_.path.leave();
    places_.back() = places_.back() == Place::key ? Place::value : Place::key;
  }

  SettingList& out_;
  std::vector<Place> places_;
};

}  // namespace

std::optional<Problem> read_yaml(std::string_view text, SettingList& out) {
  return YamlReader(out).read(text);
}

}  // namespace sheaf::settings
