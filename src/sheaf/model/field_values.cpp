#include "sheaf/model/field_values.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::model {
// ^PT(?=.*[HMS])(\d+H)?(\d+M)?(\d+(\.\d+)?S)?$
bool is_duration(std::string_view text) noexcept {
  if (!text.starts_with("PT")) return false;
  text.remove_prefix(2);
  constexpr std::string_view kUnits = "HMS";
  std::size_t unit = 0;
  bool any = false;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && base::is_digit(text[digits])) ++digits;
    std::size_t end = digits;
    const bool fraction = end < text.size() && text[end] == '.';
    if (fraction) {
      const std::size_t from = ++end;
      while (end < text.size() && base::is_digit(text[end])) ++end;
      if (end == from) return false;
    }
    if (digits == 0 || end >= text.size()) return false;
    const std::size_t found = kUnits.find(text[end], unit);
    if (found == std::string_view::npos || (fraction && text[end] != 'S')) return false;
    unit = found + 1;
    any = true;
    text.remove_prefix(end + 1);
  }
  return any;
}

namespace {

constexpr std::size_t kTagBytes = 64;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 0x20) : c; }

}  // namespace

// The schema has optional script and region subtags, but its last group, (-[0-9A-Za-z]+)*, matches them too.
// So only the language and the form of the subtags need to be checked.
bool is_language_tag(std::string_view tag) noexcept {
  const std::size_t end = std::min(tag.find('-'), tag.size());
  if (end < 2 || end > 3 || !std::ranges::all_of(tag.substr(0, end), is_lower)) return false;
  std::string_view rest = tag.substr(end);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t length = std::min(rest.find('-'), rest.size());
    if (length == 0 || !std::ranges::all_of(rest.substr(0, length), base::is_alphanumeric)) return false;
    rest.remove_prefix(length);
  }
  return true;
}

std::string normal_language_tag(std::string_view raw) {
  raw = base::trim_space(raw);
  raw = raw.substr(0, raw.find_first_of(".@"));  // en_US.UTF-8, as in POSIX locales
  if (raw.size() > kTagBytes) return {};
  std::string tag = base::lower_text(raw);
  std::ranges::replace(tag, '_', '-');
  for (std::size_t at = tag.find('-'); at != std::string::npos;) {
    const std::size_t begin = at + 1;
    at = tag.find('-', begin);
    const std::size_t size = std::min(at, tag.size()) - begin;
    // A single letter starts an extension, which remains in lower case.
    if (size == 1) break;
    if (size == 2) std::transform(&tag[begin], &tag[begin] + 2, &tag[begin], to_upper);
    if (size == 4 && tag[begin] > '9') tag[begin] = to_upper(tag[begin]);
  }
  // A tag cannot end with a single letter or digit, which starts an extension: "utf-8" is a charset.
  const std::size_t last = tag.rfind('-');
  const bool ends_open = last != std::string::npos && tag.size() - last == 2;
  return is_language_tag(tag) && !ends_open ? tag : std::string();
}

std::string media_type(std::string_view format, std::string_view url, std::string_view family) {
  if (format.find('/') != std::string_view::npos) return std::string(format);
  if (format.empty()) {
    url = url.substr(0, url.find_first_of("?#"));
    const std::size_t dot = url.find_last_of("./");
    if (dot != std::string_view::npos && url[dot] == '.') format = url.substr(dot + 1);
  }
  const std::string name = base::lower_text(format);
  struct Known {
    std::string_view extension;
    std::string_view type;
  };
  constexpr std::array<Known, 12> kKnown = {{{"m4v", "video/mp4"},
                                             {"ogv", "video/ogg"},
                                             {"mov", "video/quicktime"},
                                             {"mkv", "video/x-matroska"},
                                             {"m3u8", "application/vnd.apple.mpegurl"},
                                             {"mpd", "application/dash+xml"},
                                             {"hls", "application/vnd.apple.mpegurl"},
                                             {"dash", "application/dash+xml"},
                                             {"mp3", "audio/mpeg"},
                                             {"m4a", "audio/mp4"},
                                             {"oga", "audio/ogg"},
                                             {"youtube", "text/html"}}};
  for (const Known& known : kKnown)
    if (known.extension == name) return std::string(known.type);
  constexpr std::array<std::string_view, 8> kSameName = {"mp4",  "webm", "ogg",  "aac",
                                                         "flac", "wav",  "opus", "mpeg"};
  if (std::ranges::find(kSameName, name) != kSameName.end()) return fmt::format("{}/{}", family, name);
  return "application/octet-stream";
}

}  // namespace sheaf::model
