#include "sheaf/store/local/store_records.h"

#include "sheaf/base/record.h"

#include <algorithm>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::RecordReader;
using base::RecordWriter;

constexpr std::size_t kNumberBytes = 8;

/// Big-endian, so that keys are sorted by their numbers.
void append_number(std::string& key, std::uint64_t value, std::size_t bytes = kNumberBytes) {
  for (std::size_t i = bytes; i-- > 0;) key += static_cast<char>(value >> (8 * i));
}

std::uint64_t read_number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

std::string named_key(std::string_view kind, std::string_view site, std::string_view name) {
  std::string key(kind);
  key += site;
  key += '\0';
  key += name;
  return key;
}

}  // namespace

std::string encode(const Meta& meta) {
  return RecordWriter()
      .number(meta.format)
      .number(meta.next_section)
      .number(meta.next_run)
      .number(meta.first_sequence)
      .number(meta.last_sequence)
      .number(meta.commits)
      .bytes();
}

std::optional<Meta> decode_meta(std::string_view bytes) {
  RecordReader in(bytes);
  Meta meta;
  meta.format = in.number();
  // The version always comes first, so that another format can be distinguished from damage.
  if (in.good_so_far() && meta.format != Meta::kFormat) return meta;
  meta.next_section = in.number();
  meta.next_run = in.number();
  meta.first_sequence = in.number();
  meta.last_sequence = in.number();
  meta.commits = in.number();
  return in.good() ? std::optional(meta) : std::nullopt;
}

void encode(const PageEntry& entry, std::string& out) {
  RecordWriter record(out);
  record.text(entry.url).text(entry.modified);
  record.time(entry.modified_at);
  record.time(entry.as_of);
  record.number(entry.place.run).number(entry.place.number).number(entry.json_bytes);
}

std::optional<PageEntry> decode_entry(std::string_view bytes) {
  RecordReader in(bytes);
  PageEntry entry;
  entry.url = in.text();
  entry.modified = in.text();
  entry.modified_at = in.time();
  entry.as_of = in.time();
  entry.place.run = in.number();
  entry.place.number = in.number();
  entry.json_bytes = in.number();
  return in.good() ? std::optional(std::move(entry)) : std::nullopt;
}

void encode(const ChangeRecord& change, std::string& out) {
  RecordWriter(out)
      .number(change.is_removal ? 1 : 0)
      .text(change.site)
      .text(change.section)
      .text(change.url)
      .text(change.old_modified)
      .text(change.new_modified);
}

std::optional<StoreChange> decode_change(std::string_view key, std::string_view bytes) {
  RecordReader in(bytes);
  StoreChange change;
  const std::uint64_t is_removal = in.number();
  change.site = in.text();
  change.section = in.text();
  change.url = in.text();
  change.old_modified = in.text();
  change.new_modified = in.text();
  if (!in.good() || is_removal > 1 || key.size() != kFeed.size() + kNumberBytes) return std::nullopt;
  change.kind = kind_of_change(is_removal == 1, change.old_modified);
  change.sequence = read_number(key.substr(kFeed.size()));
  return change;
}

std::string run_key(std::uint64_t run) {
  std::string key(kUnfinishedRuns);
  append_number(key, run);
  return key;
}

std::string feed_key(std::uint64_t sequence) {
  std::string key(kFeed);
  append_number(key, sequence);
  return key;
}

std::string note_key(std::string_view site, std::string_view name) { return named_key(kNotes, site, name); }

std::string section_key(std::string_view site, std::string_view section) {
  return named_key(kSections, site, section);
}

std::string index_prefix(std::uint32_t section) {
  std::string key(kIndex);
  append_number(key, section, sizeof section);
  return key;
}

std::string index_key(std::uint32_t section, const UrlKey& url) {
  std::string key = index_prefix(section);
  key += as_text(url);
  return key;
}

std::pair<std::string_view, std::string_view> split_section_key(std::string_view key) {
  key.remove_prefix(kSections.size());
  const std::size_t end = key.find('\0');
  return end == std::string_view::npos ? std::pair(key, std::string_view())
                                       : std::pair(key.substr(0, end), key.substr(end + 1));
}

std::optional<UrlKey> url_of_index_key(std::string_view key) {
  UrlKey url{};
  const std::size_t before = kIndex.size() + sizeof(std::uint32_t);
  if (key.size() != before + url.size()) return std::nullopt;
  std::copy_n(key.begin() + static_cast<std::ptrdiff_t>(before), url.size(), url.begin());
  return url;
}

std::string data_prefix(std::uint64_t run) {
  std::string key;
  append_number(key, run);
  return key;
}

std::string data_key(const Place& place) {
  std::string key = data_prefix(place.run);
  append_number(key, place.number);
  return key;
}

std::optional<Place> place_of_data_key(std::string_view key) {
  if (key.size() != 2 * kNumberBytes) return std::nullopt;
  return Place{read_number(key.substr(0, kNumberBytes)), read_number(key.substr(kNumberBytes))};
}

}  // namespace sheaf::store::local
