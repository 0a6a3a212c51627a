#include "sheaf/serve/file_kind.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sheaf::serve {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

/// Common file types of websites, sorted by extension.
constexpr std::array<Entry, 45> kTypes = {{
    {"atom", "application/atom+xml; charset=utf-8"},
    {"avif", "image/avif"},
    {"bmp", "image/bmp"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"eot", "application/vnd.ms-fontobject"},
    {"epub", "application/epub+zip"},
    {"gif", "image/gif"},
    {"gz", "application/gzip"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/vnd.microsoft.icon"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"jsonl", "application/jsonl"},
    {"map", "application/json"},
    {"md", "text/markdown; charset=utf-8"},
    {"minisig", "text/plain; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"ogv", "video/ogg"},
    {"otf", "font/otf"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"rss", "application/rss+xml; charset=utf-8"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"webm", "video/webm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xml", "application/xml"},
    {"zip", "application/zip"},
    {"zst", "application/zstd"},
}};
static_assert(std::is_sorted(kTypes.begin(), kTypes.end()));

}  // namespace

bool is_collection_name(std::string_view name) noexcept {
  for (const std::string_view ending : {".scp", ".scp.gz", ".scp.zst"})
    if (name.size() > ending.size() && name.ends_with(ending)) return true;
  return false;
}

std::string_view content_type_of(std::string_view name) noexcept {
  constexpr std::string_view kUnknown = "application/octet-stream";
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.size() - dot > 12) return kUnknown;
  const std::string extension = base::lower_text(name.substr(dot + 1));
  const auto found =
      std::lower_bound(kTypes.begin(), kTypes.end(), extension,
                       [](const Entry& entry, std::string_view key) { return entry.first < key; });
  return found != kTypes.end() && found->first == extension ? found->second : kUnknown;
}

format::Codec codec_of(int descriptor) {
  std::array<char, 4> first{};
  const ssize_t count = pread(descriptor, first.data(), first.size(), 0);
  return format::sniff_codec({first.data(), count > 0 ? static_cast<std::size_t>(count) : 0});
}

base::Result<ServedCollection> read_facts(int descriptor, const std::string& name) {
  auto reader = format::CollectionReader::open(base::descriptor_source(descriptor, name), {});
  if (!reader) return base::fail(base::Errc::invalid_data, name + ": " + reader.error().message);
  const model::CollectionHead& head = reader->head();
  return ServedCollection{head.section, head.type, head.generated_at, head.checksum};
}

}  // namespace sheaf::serve
