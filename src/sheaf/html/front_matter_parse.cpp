// The three languages of front matter, each through its own library, into one flat list of settings.
#include "sheaf/base/arena.h"
#include "sheaf/html/front_matter.h"
#include "sheaf/html/text_compare.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <toml_library.h>
#include <yaml.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace sheaf::html {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // settings are a screen; more is something else
constexpr std::size_t kMostSettings = 4096;
constexpr std::size_t kDepth = 64;       // of maps and lists; what comes deeper ends the reading
constexpr std::size_t kNameLevels = 3;   // params.authors.name
constexpr std::size_t kNameBytes = 128;  // longer ones are none that we know

std::string_view language_name(FrontMatterKind kind) {
  switch (kind) {
    case FrontMatterKind::yaml: return "YAML";
    case FrontMatterKind::toml: return "TOML";
    case FrontMatterKind::json: return "JSON";
    case FrontMatterKind::none: break;
  }
  return "";
}

/// The name of the value being read, of the maps around it; lists add nothing to it.
class SettingPath {
 public:
  void enter(std::string_view name) {
    ends_.push_back(text_.size());
    if (ignored_ > 0 || ends_.size() > kNameLevels || text_.size() + name.size() > kNameBytes) {
      ++ignored_;
      return;
    }
    if (!text_.empty()) text_ += '.';
    for (const char c : name)
      if (c != '_' && c != '-') text_ += lower_ascii(c);
  }
  void leave() {
    if (ignored_ > 0) --ignored_;
    text_.resize(ends_.back());
    ends_.pop_back();
  }
  [[nodiscard]] bool counts() const { return ignored_ == 0 && !text_.empty(); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  // of the names around
  std::size_t ignored_ = 0;        // names too deep or too long to be one of ours
};

class SettingList {
 public:
  explicit SettingList(base::Arena& arena) : arena_(arena) {}

  SettingPath path;

  /// False when there are more than anybody writes.
  bool add(std::string_view value) {
    if (!path.counts()) return true;
    if (settings_.size() == kMostSettings) return false;
    settings_.push_back({arena_.copy(path.text()), arena_.copy(value)});
    return true;
  }
  std::vector<Setting> take() { return std::move(settings_); }

 private:
  base::Arena& arena_;
  std::vector<Setting> settings_;
};

std::string fault(const FrontMatterParts& parts, std::size_t line, std::string_view what) {
  return fmt::format(
      "line {}: the front matter is not {}: {}; correct it there (the page's text is read all the same)",
      parts.first_line + line, language_name(parts.kind), what);
}

std::string too_much(const FrontMatterParts& parts, std::string_view what) {
  return fmt::format("line {}: the front matter has {}; what comes after is ignored", parts.first_line, what);
}

// YAML.

/// Reads the events of libyaml. A stack of its own, so that depth costs no recursion.
class YamlReader {
 public:
  YamlReader(const FrontMatterParts& parts, SettingList& out) : parts_(parts), out_(out) {}

  std::string read() {
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) return fault(parts_, 0, "there is no memory to read it");
    // The text is UTF-8 by now; a name of another encoding in it is no reason to read it otherwise.
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(parts_.settings.data()),
                                 parts_.settings.size());
    std::string problem;
    for (bool more = true; more && problem.empty();) {
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

  std::string describe(const yaml_parser_t& parser) const {
    std::string what = parser.problem != nullptr ? parser.problem : "it cannot be read";
    if (parser.context != nullptr) what += fmt::format(" ({})", parser.context);
    return fault(parts_, parser.problem_mark.line, what);
  }

  std::string take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT: return take_scalar(event);
      case YAML_ALIAS_EVENT: begin_value(""), end_value(); return {};
      case YAML_SEQUENCE_START_EVENT: return open(Place::list);
      case YAML_MAPPING_START_EVENT: return open(Place::key);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        places_.pop_back();
        end_value();
        return {};
      default: return {};
    }
  }

  /// A map or a list begins; as the key of a map it has no name.
  std::string open(Place place) {
    if (places_.empty() && place == Place::list)
      return fault(parts_, 0, "a list was found where names with values belong");
    if (places_.size() == kDepth) return too_much(parts_, "maps or lists nested over 64 deep");
    begin_value("");
    places_.push_back(place);
    return {};
  }

  std::string take_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (places_.empty()) {
      if (plain && text.empty()) return {};
      return fault(parts_, event.start_mark.line, "a text was found where names with values belong");
    }
    const bool is_value = places_.back() != Place::key;
    begin_value(text);
    const bool absent = plain && (text.empty() || text == "~" || equal_text(text, "null", TextCase::ignore));
    const bool room = !is_value || absent || out_.add(text);
    end_value();
    return room ? std::string() : too_much(parts_, "over 4096 settings");
  }

  /// A node begins: as a key it names what follows.
  void begin_value(std::string_view text) {
    if (!places_.empty() && places_.back() == Place::key) out_.path.enter(text);
  }
  /// A node ended: keys and values take turns.
  void end_value() {
    if (places_.empty() || places_.back() == Place::list) return;
    if (places_.back() == Place::value) out_.path.leave();
    places_.back() = places_.back() == Place::key ? Place::value : Place::key;
  }

  const FrontMatterParts& parts_;
  SettingList& out_;
  std::vector<Place> places_;
};

// TOML.

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string toml_scalar(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* date = node.as_date()) return printed(date->get());
  if (const auto* time = node.as_date_time()) return printed(time->get());
  return {};
}

/// Recursion is bounded: the library itself refuses what is nested over 256 deep, and kDepth comes before.
// NOLINTNEXTLINE(misc-no-recursion)
bool add_toml(const toml::node& node, SettingList& out, std::size_t depth) {
  if (depth > kDepth) return true;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      out.path.enter(key.str());
      const bool room = add_toml(value, out, depth + 1);
      out.path.leave();
      if (!room) return false;
    }
    return true;
  }
  if (const auto* list = node.as_array())
    return std::ranges::all_of(*list, [&](const toml::node& item) { return add_toml(item, out, depth + 1); });
  const std::string value = toml_scalar(node);
  return value.empty() || out.add(value);
}

std::string read_toml(const FrontMatterParts& parts, SettingList& out) {
  const toml::parse_result parsed = toml::parse(parts.settings);
  if (parsed.failed()) {
    const auto line = std::max<toml::source_index>(parsed.error().source().begin.line, 1);
    return fault(parts, line - 1, parsed.error().description());
  }
  return add_toml(parsed.table(), out, 0) ? std::string() : too_much(parts, "over 4096 settings");
}

// JSON.

std::string json_scalar(simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::STRING: return std::string(value.get_string().value());
    case simdjson::dom::element_type::BOOL: return value.get_bool().value() ? "true" : "false";
    case simdjson::dom::element_type::INT64: return std::to_string(value.get_int64().value());
    case simdjson::dom::element_type::UINT64: return std::to_string(value.get_uint64().value());
    default: return {};
  }
}

/// Recursion is bounded by the depth the parser is given.
// NOLINTNEXTLINE(misc-no-recursion)
bool add_json(simdjson::dom::element value, SettingList& out) {
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS) {
    for (const auto [key, member] : object) {
      out.path.enter(key);
      const bool room = add_json(member, out);
      out.path.leave();
      if (!room) return false;
    }
    return true;
  }
  simdjson::dom::array array;
  if (value.get(array) == simdjson::SUCCESS) {
    for (const simdjson::dom::element item : array)
      if (!add_json(item, out)) return false;
    return true;
  }
  const std::string text = json_scalar(value);
  return text.empty() || out.add(text);
}

std::string read_json(const FrontMatterParts& parts, SettingList& out) {
  simdjson::dom::parser parser;
  if (parser.allocate(parts.settings.size() + 1, kDepth) != simdjson::SUCCESS)
    return fault(parts, 0, "there is no memory to read it");
  const simdjson::padded_string text(parts.settings);
  simdjson::dom::element root;
  const simdjson::error_code error = parser.parse(text).get(root);
  if (error != simdjson::SUCCESS) return fault(parts, 0, simdjson::error_message(error));
  return add_json(root, out) ? std::string() : too_much(parts, "over 4096 settings");
}

}  // namespace

ParsedSettings parse_settings(const FrontMatterParts& parts, base::Arena& arena) {
  ParsedSettings result;
  if (parts.settings.empty()) return result;
  if (parts.settings.size() > kMostBytes) {
    result.problem = fmt::format(
        "line {}: the front matter is over 1 MiB long and was not read; a line that ends it may be missing",
        parts.first_line);
    return result;
  }
  SettingList list(arena);
  switch (parts.kind) {
    case FrontMatterKind::yaml: result.problem = YamlReader(parts, list).read(); break;
    case FrontMatterKind::toml: result.problem = read_toml(parts, list); break;
    case FrontMatterKind::json: result.problem = read_json(parts, list); break;
    case FrontMatterKind::none: break;
  }
  result.settings = list.take();
  return result;
}

}  // namespace sheaf::html
