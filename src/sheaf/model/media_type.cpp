#include "sheaf/model/media_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::model {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_duration(std::string_view text) noexcept {
  if (!text.starts_with("PT")) return false;
  text.remove_prefix(2);
  constexpr std::string_view kUnits = "HMS";
  std::size_t unit = 0;
  bool any = false;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    std::size_t end = digits;
    const bool fraction = end < text.size() && text[end] == '.';
    if (fraction) {
      const std::size_t from = ++end;
      while (end < text.size() && is_digit(text[end])) ++end;
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

std::string media_type(std::string_view format, std::string_view url, std::string_view family) {
  if (format.find('/') != std::string_view::npos) return std::string(format);
  if (format.empty()) {
    url = url.substr(0, url.find_first_of("?#"));
    const std::size_t dot = url.find_last_of("./");
    if (dot != std::string_view::npos && url[dot] == '.') format = url.substr(dot + 1);
  }
  std::string name(format);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
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
