#include "sheaf/publish/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sheaf::publish {
namespace {

constexpr std::size_t kStampSize = 16;  // 20260115T000000Z

/// 20260115T000000Z: RFC 3339 without what file names had better not have.
std::string stamp_of(base::Instant instant) {
  std::string text = base::format_time({instant.seconds, 0});
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::optional<base::Instant> parse_stamp(std::string_view text) {
  if (text.size() != kStampSize) return std::nullopt;
  const std::string spread = fmt::format("{}-{}-{}:{}:{}", text.substr(0, 4), text.substr(4, 2),
                                         text.substr(6, 5), text.substr(11, 2), text.substr(13));
  const auto time = base::parse_time(spread);
  if (!time || stamp_of(time->instant) != text) return std::nullopt;
  return time->instant;
}

/// Takes the extension off; nullopt for another one.
std::optional<format::Codec> take_codec(std::string_view& name) {
  for (const format::Codec codec : {format::Codec::zstd, format::Codec::gzip, format::Codec::plain}) {
    const std::string_view extension = format::extension_of(codec);
    if (!name.ends_with(extension)) continue;
    name.remove_suffix(extension.size());
    return codec;
  }
  return std::nullopt;
}

}  // namespace

PageVerdict judge_page(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                       std::optional<base::Instant> source_time, base::Instant now) {
  if (source_time && *source_time > now) source_time.reset();
  if (!known) return {Change::added, source_time.value_or(now)};
  if (!known->removed && known->fingerprint == fingerprint) return {Change::none, known->modified};
  base::Instant modified = source_time && *source_time > known->modified ? *source_time : now;
  // The clock went back since the page was published.
  if (modified <= known->modified) modified = {known->modified.seconds + 1, 0};
  return {known->removed ? Change::added : Change::changed, modified};
}

base::Instant next_generated(std::optional<base::Instant> last, base::Instant now) {
  const base::Instant whole{now.seconds, 0};
  if (last && whole <= *last) return {last->seconds + 1, 0};
  return whole;
}

bool is_snapshot_due(std::optional<base::Instant> last_snapshot, site::UpdateFreq update, base::Instant now) {
  if (!last_snapshot) return true;
  const std::int64_t period = site::seconds_of(update);
  return now.seconds - last_snapshot->seconds >= period - period / 10;
}

std::string to_string(const CollectionName& name) {
  return fmt::format("{}-{}-{}{}", name.section, model::to_string(name.type), stamp_of(name.generated),
                     format::extension_of(name.codec));
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
  for (const auto type : {model::CollectionType::snapshot, model::CollectionType::delta}) {
    const std::string part = fmt::format("-{}-", model::to_string(type));
    if (!file_name.ends_with(part)) continue;
    name.type = type;
    name.section = file_name.substr(0, file_name.size() - part.size());
    if (!model::is_valid_identifier(name.section)) return std::nullopt;
    return name;
  }
  return std::nullopt;
}

std::vector<CollectionName> choose_kept(std::span<const CollectionName> files, const Retention& retention,
                                        base::Instant now) {
  std::vector<base::Instant> snapshots;
  for (const CollectionName& file : files)
    if (file.type == model::CollectionType::snapshot) snapshots.push_back(file.generated);
  std::ranges::sort(snapshots, std::ranges::greater());
  snapshots.erase(std::ranges::unique(snapshots).begin(), snapshots.end());
  if (snapshots.size() > retention.snapshots) snapshots.resize(std::max(retention.snapshots, 1U));
  std::vector<CollectionName> kept;
  for (const CollectionName& file : files) {
    const bool keep = file.type == model::CollectionType::snapshot
                          ? std::ranges::find(snapshots, file.generated) != snapshots.end()
                          : file.generated.seconds + retention.delta_seconds > now.seconds ||
                                (!snapshots.empty() && file.generated > snapshots.front());
    if (keep) kept.push_back(file);
  }
  return kept;
}

base::Instant expiry_of(const CollectionName& name, site::UpdateFreq update, const Retention& retention,
                        base::Instant now) {
  if (name.type == model::CollectionType::delta) return {name.generated.seconds + retention.delta_seconds, 0};
  return {std::max(name.generated.seconds, now.seconds) + 2 * site::seconds_of(update), 0};
}

}  // namespace sheaf::publish
