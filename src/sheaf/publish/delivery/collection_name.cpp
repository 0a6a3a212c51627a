#include "sheaf/model/collection.h"

#include <fmt/format.h>

#include <sheaf/publish.h>

namespace sheaf {
namespace {

constexpr std::size_t kStampSize = 16;  // 20260115T000000Z

/// 20260115T000000Z: RFC 3339 without characters that are unsuitable for file names.
std::string stamp_of(Instant instant) {
  std::string text = format_time({instant.seconds, 0});
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::optional<Instant> parse_stamp(std::string_view text) {
  if (text.size() != kStampSize) return std::nullopt;
  const std::string spread = fmt::format("{}-{}-{}:{}:{}", text.substr(0, 4), text.substr(4, 2),
                                         text.substr(6, 5), text.substr(11, 2), text.substr(13));
  const auto time = parse_time(spread);
  if (!time || stamp_of(time->instant) != text) return std::nullopt;
  return time->instant;
}

/// Removes the extension and returns its codec; nullopt for an unknown extension.
std::optional<Codec> take_codec(std::string_view& name) {
  for (const Codec codec : {Codec::zstd, Codec::gzip, Codec::plain}) {
    const std::string_view extension = extension_of(codec);
    if (!name.ends_with(extension)) continue;
    name.remove_suffix(extension.size());
    return codec;
  }
  return std::nullopt;
}

/// Removes the start time of a merged delta and the hyphen after it; nullopt if there is none.
std::optional<Instant> take_since(std::string_view& name) {
  if (!name.ends_with('-') || name.size() <= kStampSize) return std::nullopt;
  const auto since = parse_stamp(name.substr(name.size() - kStampSize - 1, kStampSize));
  if (since) name.remove_suffix(kStampSize + 1);
  return since;
}

}  // namespace

std::string to_string(const CollectionName& name) {
  return fmt::format("{}-{}-{}{}{}", name.section, sheaf::to_string(name.type),
                     name.since ? stamp_of(*name.since) + "-" : "", stamp_of(name.generated),
                     extension_of(name.codec));
}

std::optional<CollectionName> parse_collection_name(std::string_view file_name) {
  CollectionName name;
  const auto codec = take_codec(file_name);
  if (!codec || file_name.size() <= kStampSize) return std::nullopt;
  name.codec = *codec;
  const auto generated = parse_stamp(file_name.substr(file_name.size() - kStampSize));
  if (!generated) return std::nullopt;
  name.generated = *generated;
  file_name.remove_suffix(kStampSize);
  name.since = take_since(file_name);
  if (name.since && *name.since >= name.generated) return std::nullopt;
  for (const auto type : {CollectionType::snapshot, CollectionType::delta}) {
    const std::string part = fmt::format("-{}-", sheaf::to_string(type));
    if (!file_name.ends_with(part)) continue;
    name.type = type;
    if (name.since && type != CollectionType::delta) return std::nullopt;
    name.section = file_name.substr(0, file_name.size() - part.size());
    if (!model::is_valid_identifier(name.section)) return std::nullopt;
    return name;
  }
  return std::nullopt;
}

}  // namespace sheaf
