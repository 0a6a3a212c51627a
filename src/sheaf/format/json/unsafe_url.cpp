#include "sheaf/format/json/unsafe_url.h"

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sheaf::format {
namespace {

// No scheme is longer, so most strings are judged by their first few characters.
constexpr std::size_t kSchemeBytes = 16;

bool is_ignored(char c) { return c == '\t' || c == '\n' || c == '\r'; }

/// Removes the scheme and its colon from the front. Returns the scheme in lower case, or "" if there is none.
std::string take_scheme(std::string_view& text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  std::string scheme;
  for (std::size_t i = 0; i < text.size() && scheme.size() < kSchemeBytes; ++i) {
    const char c = text[i];
    if (is_ignored(c)) continue;
    if (c == ':') {
      text.remove_prefix(i + 1);
      return base::lower_text(scheme);
    }
    if (!base::is_letter(c)) break;
    scheme += c;
  }
  return {};
}

/// Whether the values of a member are URLs, by its name.
bool is_url_member(std::string_view name) {
  constexpr auto kEnds = std::to_array<std::string_view>({"url", "uri", "href", "src", "link", "id"});
  constexpr auto kNames =
      std::to_array<std::string_view>({"image", "logo", "sameas", "thumbnail", "target", "icon"});
  const std::string lower = base::lower_text(name);
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return lower.ends_with(end); }) ||
         std::ranges::find(kNames, lower) != kNames.end();
}

/// Decodes the inside of a JSON string as far as URLs need it: characters beyond ASCII become '?'.
std::string decode_string(std::string_view raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      text += raw[i];
      continue;
    }
    const char c = raw[++i];
    if (c == 'u') {
      const std::string_view digits = raw.substr(std::min(i + 1, raw.size()), 4);
      unsigned code = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
      text += code < 0x80 ? static_cast<char>(code) : '?';
      i += digits.size();
    } else {
      constexpr std::string_view kLetters = "bfnrt";
      constexpr std::string_view kMeanings = "\b\f\n\r\t";
      const std::size_t found = kLetters.find(c);
      text += found == std::string_view::npos ? c : kMeanings[found];
    }
  }
  return text;
}

/// Copies one JSON text, from front to back.
class Copier {
 public:
  explicit Copier(std::string_view json) : rest_(json) {}

  /// Copies a value to the end of `out`. Returns false if it is an unsafe URL; `out` then has no more than
  /// before.
  bool value(std::string_view name) {
    skip_space();
    if (rest_.empty()) return false;
    if (rest_.front() == '{') return object(), true;
    if (rest_.front() == '[') return array(name), true;
    if (rest_.front() == '"') {
      const std::string_view string = take_string();
      if (is_unsafe_url(name, decode_string(string.substr(1, string.size() - 2)))) {
        has_left_out = true;
        return false;
      }
      out += string;
      return true;
    }
    const std::size_t end = std::min(rest_.find_first_of(",]} \t\n\r"), rest_.size());
    out += rest_.substr(0, end);
    rest_.remove_prefix(end);
    return true;
  }

  std::string out;
  bool has_left_out = false;

 private:
  void object() {
    out += '{';
    items('}', [this] {
      const std::string_view key = take_string();
      out += key;
      out += ':';
      skip_space();
      rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
      return value(decode_string(key.substr(1, key.size() - 2)));
    });
  }

  void array(std::string_view name) {
    out += '[';
    items(']', [&] { return value(name); });
  }

  /// Copies the items up to `close`. `copy` returns false for one that is left out.
  template <class Copy>
  void items(char close, Copy copy) {
    rest_.remove_prefix(1);
    bool first = true;
    for (skip_space(); !rest_.empty() && rest_.front() != close; skip_space()) {
      if (rest_.front() == ',') {
        rest_.remove_prefix(1);
        continue;
      }
      const std::size_t start = out.size();
      if (!first) out += ',';
      if (copy()) {
        first = false;
      } else {
        out.resize(start);
      }
    }
    rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
    out += close;
  }

  std::string_view take_string() {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, rest_.size());
    const std::string_view string = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return string;
  }

  void skip_space() { rest_ = base::trim_front<base::is_xml_space>(rest_); }

  std::string_view rest_;
};

}  // namespace

bool is_unsafe_url(std::string_view name, std::string_view text) {
  const std::string scheme = take_scheme(text);
  if (scheme.empty()) return false;
  constexpr auto kUnsafe =
      std::to_array<std::string_view>({"javascript", "vbscript", "data", "file", "blob", "filesystem"});
  if (std::ranges::find(kUnsafe, scheme) == kUnsafe.end()) return false;
  if (is_url_member(name)) return true;
  // A text may begin with such a word and a colon; then a space follows. "File:Cat.jpg" is a name in wikis,
  // and a data URL has a comma.
  if (text.empty() || text.front() == ' ') return false;
  if (scheme == "data") return text.contains(',');
  if (scheme == "file") return text.starts_with('/') || text.starts_with('\\');
  return true;
}

std::optional<std::string> without_unsafe_urls(std::string_view key, std::string_view json) {
  Copier copier(json);
  copier.value(decode_string(key));
  if (!copier.has_left_out) return std::nullopt;
  return std::move(copier.out);
}

}  // namespace sheaf::format
