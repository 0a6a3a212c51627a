#pragma once

#include "sheaf/base/sha256.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Keys and values of the database (docs/store.md). All code that reads the database uses these functions.
namespace sheaf::store::local {

/// Half of a URL's SHA-256: collisions cannot be constructed.
using UrlKey = std::array<std::uint8_t, 16>;

/// Computes keys; reuses its hash state.
class UrlHasher {
 public:
  UrlKey operator()(std::string_view url);

 private:
  base::Sha256 sha_;
};

/// Position of a page's data: the number of the operation that wrote it, and of the page within it. So places
/// are sorted by the time of writing.
struct Place {
  std::uint64_t run = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The JSON of a larger page is split into records, under its place and the following numbers. RocksDB copies
/// values several times, so a value must not be as large as the largest page.
constexpr std::size_t kPartBytes = std::size_t{1} << 20;

constexpr std::uint64_t part_count(std::uint64_t json_bytes) {
  return json_bytes <= kPartBytes ? 1 : (json_bytes + kPartBytes - 1) / kPartBytes;
}

/// The record of the store as a whole.
struct Meta {
  static constexpr std::uint64_t kFormat = 2;  ///< 1 had every page in one record

  std::uint64_t format = kFormat;
  std::uint64_t next_section = 1;
  std::uint64_t next_run = 1;
  std::uint64_t first_sequence = 1;  ///< oldest entry of the feed, if it has any
  std::uint64_t last_sequence = 0;
  std::uint64_t commits = 0;  ///< number of commits
};

struct SectionRecord {
  std::uint32_t id = 0;
  Origin origin = Origin::collections;
  Instant generated;
  std::optional<Instant> snapshot;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  base::Digest state{};
  /// The digest in the newest collection without the pages of other hosts: what `state` has to be.
  std::optional<base::Digest> stated;
  Instant changed_at;
  format::ShrinkGuard guard;
  /// The digest of the pages of other hosts, which the site counts and the store skips. Empty if a delta
  /// changed them: their former state is unknown, so nothing can be proven until the next snapshot.
  std::optional<base::Digest> foreign = base::Digest{};
};

/// A page of a section in the index.
struct PageEntry {
  std::string url;
  std::string modified;
  Instant modified_at;
  Instant learnt;
  Place place;
  std::uint64_t json_bytes = 0;
};

/// A page in the data table. URL and times are repeated from the index: they are small, and a walk over pages
/// then needs no index lookups. Further parts of a page have neither.
struct PageData {
  std::string_view url;
  std::string_view modified;
  Instant learnt;
  std::string_view json;
  Instant fetched = {};  ///< by our clock; `learnt` in older records without it
};

/// An entry of the change feed, without its sequence number, which is the key.
struct ChangeRecord {
  ChangeKind kind = ChangeKind::put;
  std::string_view site;
  std::string_view section;
  std::string_view url;
  std::string_view old_modified;
  std::string_view new_modified;
};

std::string encode(const Meta& meta);
std::string encode(const SectionRecord& section);
// These append to a reused string, because there are many of them.
void encode(const PageEntry& entry, std::string& out);
void encode(const PageData& data, std::string& out);
void encode(const ChangeRecord& change, std::string& out);

// nullopt for damaged bytes and newer versions.
std::optional<Meta> decode_meta(std::string_view bytes);
std::optional<SectionRecord> decode_section(std::string_view bytes);
std::optional<PageEntry> decode_entry(std::string_view bytes);
std::optional<PageData> decode_data(std::string_view bytes);  ///< borrows the bytes
std::optional<StoreChange> decode_change(std::string_view key, std::string_view bytes);

// Keys of the main table, sorted.
constexpr std::string_view kRunsUnderWay = "A";
constexpr std::string_view kFeed = "F";
constexpr std::string_view kMetaKey = "M";
constexpr std::string_view kNotes = "N";
constexpr std::string_view kSections = "S";
constexpr std::string_view kIndex = "U";

std::string run_key(std::uint64_t run);
std::string feed_key(std::uint64_t sequence);
std::string note_key(std::string_view site, std::string_view name);
std::string section_key(std::string_view site, std::string_view section);
std::string index_prefix(std::uint32_t section);
std::string index_key(std::uint32_t section, const UrlKey& url);

/// Site and section of a section's key.
std::pair<std::string_view, std::string_view> split_section_key(std::string_view key);
std::optional<UrlKey> url_of_index_key(std::string_view key);

// Keys of the data table.
std::string data_prefix(std::uint64_t run);
std::string data_key(const Place& place);
std::optional<Place> place_of_data_key(std::string_view key);

}  // namespace sheaf::store::local
