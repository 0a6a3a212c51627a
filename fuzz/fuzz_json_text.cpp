// The input as JSON: the walkers over objects and arrays account for every byte of a valid text. The input as
// a string: what append_json_string writes is JSON and means the same string.
#include "fuzz_support.h"
#include "sheaf/format/json/json_text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace sheaf::format;
using sheaf::fuzz::require;

// The walk is recursive; the walkers themselves are not.
constexpr std::size_t kDepthMax = 200;

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::string_view(" \t\n\r").find(text[at]) != std::string_view::npos) ++at;
  return at;
}

void expect(std::string_view text, std::size_t& at, char wanted) {
  at = skip_space(text, at);
  require(at < text.size() && text[at] == wanted);
  at = skip_space(text, at + 1);
}

void walk(std::string_view text);

void walk_value(std::string_view text, std::size_t& at, std::string_view value) {
  require(value.data() == text.data() + at && !value.empty());
  require(check_json(value).valid);
  walk(value);
  at += value.size();
}

void walk_object(std::string_view text) {
  std::size_t at = 0;
  expect(text, at, '{');
  RawObject object(text);
  RawMember member;
  for (bool first = true; object.next(member); first = false) {
    if (!first) expect(text, at, ',');
    require(member.begin == at);
    require(at < text.size() && text[at] == '"' && member.key.data() == text.data() + at + 1);
    require(check_json(text.substr(at, member.key.size() + 2)).valid);
    at += member.key.size() + 2;
    expect(text, at, ':');
    walk_value(text, at, member.value);
    require(member.end == at);
  }
  expect(text, at, '}');
  require(at == text.size());
}

void walk_array(std::string_view text) {
  std::size_t at = 0;
  expect(text, at, '[');
  RawArray array(text);
  std::string_view element;
  for (bool first = true; array.next(element); first = false) {
    if (!first) expect(text, at, ',');
    walk_value(text, at, element);
  }
  expect(text, at, ']');
  require(at == text.size());
}

void walk(std::string_view text) {
  const char first = text[skip_space(text, 0)];
  if (first == '{') walk_object(text);
  if (first == '[') walk_array(text);
}

void check_walkers(std::string_view text) {
  const JsonCheck check = check_json(text);
  if (!check.valid) {
    require(check.error_offset <= text.size() && !check.expected.empty());
    return;
  }
  std::size_t end = 0;
  for (const Unrepresentable& place : check.unrepresentable) {
    require(place.offset >= end && place.length > 0);
    end = place.offset + place.length;
    require(end <= text.size());
  }
  if (check.depth <= kDepthMax) walk(text);
}

/// The meaning of a JSON string of the few escapes we write.
std::string unescape(std::string_view json) {
  constexpr std::string_view kLetters = "\"\\ntrbf";
  constexpr std::string_view kMeanings = "\"\\\n\t\r\b\f";
  std::string out;
  for (std::size_t i = 1; i + 1 < json.size(); ++i) {
    if (json[i] != '\\') {
      out += json[i];
      continue;
    }
    const std::size_t letter = kLetters.find(json[++i]);
    if (letter != std::string_view::npos) {
      out += kMeanings[letter];
      continue;
    }
    require(json.substr(i, 3) == "u00");
    out += static_cast<char>(std::stoi(std::string(json.substr(i + 3, 2)), nullptr, 16));
    i += 4;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = sheaf::fuzz::as_text(data, size);
  check_walkers(input);
  if (!sheaf::fuzz::is_valid_utf8(input)) return 0;
  std::string json;
  append_json_string(json, input);
  const JsonCheck check = check_json(json);
  require(check.valid && check.depth == 0 && check.unrepresentable.empty());
  require(unescape(json) == input);
  return 0;
}
