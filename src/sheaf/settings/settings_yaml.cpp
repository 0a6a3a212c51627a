#include "sheaf/settings/setting_list.h"
#include "sheaf/text/text_compare.h"

#include <fmt/format.h>
#include <yaml.h>

#include <cstdint>

namespace sheaf::settings {
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
