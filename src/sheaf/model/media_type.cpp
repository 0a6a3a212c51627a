#include "sheaf/model/media_type.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::model {

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
