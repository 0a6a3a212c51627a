#pragma once

#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Keys and values of the database. All code that reads the database uses these functions. The main table,
// with big-endian numbers in keys, so that they sort in numerical order:
//
//   A run                       empty: pages of this run are being written, unreferenced so far
//   F sequence                  a change
//   M                           format version, next numbers, newest change
//   N site NUL name             a note
//   S site NUL section          a section, with its number
//   U section, URL's SHA-256/2  URL, `modified`, time learned, place of the data
//
// The data table maps run (one operation that wrote pages) and number to URL, `modified`, time learned, JSON
// and time fetched. So pages are stored in the order of their arrival, next to similar ones, and compress
// well.
namespace sheaf::store::local {

// The overloads below, for the records of local stores, add to those for all stores.
using store::decode_data;
using store::decode_section;
using store::encode;

/// The JSON of a larger page is split into records, under its place and the following numbers. RocksDB copies
/// values several times, so a value must not be as large as the largest page.
constexpr std::size_t kPartBytes = std::size_t{1} << 20;

constexpr std::uint64_t part_count(std::uint64_t json_bytes) {
  return json_bytes <= kPartBytes ? 1 : (json_bytes + kPartBytes - 1) / kPartBytes;
}

/// The record that describes the store itself.
struct Meta {
  static constexpr std::uint64_t kFormat = 2;

  std::uint64_t format = kFormat;
  std::uint64_t next_section = 1;
  std::uint64_t next_run = 1;
  std::uint64_t first_sequence = 1;  ///< oldest entry of the feed, if it has any
  std::uint64_t last_sequence = 0;
  std::uint64_t commits = 0;  ///< number of commits
};

/// An entry of the change feed, without its sequence number, which is the key.
struct ChangeRecord {
  bool is_removal = false;
  std::string_view site;
  std::string_view section;
  std::string_view url;
  std::string_view old_modified;
  std::string_view new_modified;
};

std::string encode(const Meta& meta);
// These append to `out`, whose memory callers reuse for many records.
void encode(const PageEntry& entry, std::string& out);
void encode(const ChangeRecord& change, std::string& out);

// These return nullopt if `bytes` are damaged. For another version of the store, decode_meta() only sets
// `format`.
std::optional<Meta> decode_meta(std::string_view bytes);
std::optional<PageEntry> decode_entry(std::string_view bytes);
std::optional<StoreChange> decode_change(std::string_view key, std::string_view bytes);

// The first byte of keys in the main table, in the order of the keys. SectionChange relies on this order.
constexpr std::string_view kUnfinishedRuns = "A";
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
