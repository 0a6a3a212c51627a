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

// What stands under which key, in which bytes (docs/store.md). Everything that reads the database goes
// through here.
namespace sheaf::store::local {

/// Half of a URL's SHA-256: nobody can make two collide.
using UrlKey = std::array<std::uint8_t, 16>;

/// Makes them, one after the other.
class UrlHasher {
 public:
  UrlKey operator()(std::string_view url);

 private:
  base::Sha256 sha_;
};

/// Where a page's data is. Runs count the operations that wrote pages, numbers the pages of each; so the
/// order of places is the order in which the store came by pages.
struct Place {
  std::uint64_t run = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The JSON of a larger page lies in several records, under its place and the numbers that follow. The
/// database handles a value as a whole and in several copies, so none may be as large as a page can be.
constexpr std::size_t kPartBytes = std::size_t{1} << 20;

constexpr std::uint64_t part_count(std::uint64_t json_bytes) {
  return json_bytes <= kPartBytes ? 1 : (json_bytes + kPartBytes - 1) / kPartBytes;
}

/// What concerns the store as a whole.
struct Meta {
  static constexpr std::uint64_t kFormat = 2;  ///< 1 had every page in one record

  std::uint64_t format = kFormat;
  std::uint64_t next_section = 1;
  std::uint64_t next_run = 1;
  std::uint64_t first_sequence = 1;  ///< that the feed still has, if it has any
  std::uint64_t last_sequence = 0;
  std::uint64_t commits = 0;  ///< how many there were
};

struct SectionRecord {
  std::uint32_t id = 0;
  Origin origin = Origin::collections;
  Instant generated;
  std::optional<Instant> snapshot;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  base::Digest state{};
  /// By the newest collection, less what the pages of other hosts add to it: what `state` has to be.
  std::optional<base::Digest> stated;
  Instant changed_at;
  format::ShrinkGuard guard;
  /// The sum over the pages of other hosts, which the site counts and the store skips. Nothing where a delta
  /// changed them: what they were before is not known, so until the next snapshot nothing can be proven.
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

/// A page in the data table. URL and times are there a second time: they cost next to nothing beside the JSON
/// they also stand in, and spare a walk over pages a look into the index for each. Further parts of a page
/// have neither.
struct PageData {
  std::string_view url;
  std::string_view modified;
  Instant learnt;
  std::string_view json;
  Instant fetched = {};  ///< by our clock; the same as `learnt` in records that do not have it
};

/// An entry of the change feed, but for its sequence, which is the key.
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
// Of these there are many, so they are appended to a text that is used again.
void encode(const PageEntry& entry, std::string& out);
void encode(const PageData& data, std::string& out);
void encode(const ChangeRecord& change, std::string& out);

// nullopt for what is damaged or of a newer version.
std::optional<Meta> decode_meta(std::string_view bytes);
std::optional<SectionRecord> decode_section(std::string_view bytes);
std::optional<PageEntry> decode_entry(std::string_view bytes);
std::optional<PageData> decode_data(std::string_view bytes);  ///< borrows the bytes
std::optional<StoreChange> decode_change(std::string_view key, std::string_view bytes);

// Keys of the main table, in the order in which they lie there.
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
