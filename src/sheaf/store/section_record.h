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

// Records of sections and pages that all kinds of stores use.
namespace sheaf::store {

/// Half of a URL's SHA-256: collisions cannot be constructed.
using UrlKey = std::array<std::uint8_t, 16>;

/// Computes keys; reuses its hash state.
class UrlHasher {
 public:
  UrlKey operator()(std::string_view url);

 private:
  base::Sha256 sha_;
};

/// Position of a page's data: the number of the operation (or, in a shared store, of the pack) that wrote it,
/// and the number of the page within that. Places sort by the time of writing.
struct Place {
  std::uint64_t run = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct SectionRecord {
  std::uint32_t id = 0;
  Origin origin = Origin::collections;
  Instant generated;
  std::optional<Instant> snapshot;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  base::Digest state{};
  /// The digest that the newest collection states, minus the pages of other hosts. `state` has to equal it.
  std::optional<base::Digest> stated;
  Instant changed_at;
  format::ShrinkGuard guard;
  /// The digest of the pages of other hosts, which the site counts and the store skips. Empty if a delta
  /// changed them: their former state is unknown, so nothing can be proven until the next snapshot.
  std::optional<base::Digest> foreign = base::Digest{};
};

std::string encode(const SectionRecord& section);
/// Returns nullopt if `bytes` are damaged or of another version.
std::optional<SectionRecord> decode_section(std::string_view bytes);

struct NamedSection {
  std::string site;
  std::string name;
  SectionRecord record;
};

SectionState to_state(const NamedSection& section);

/// The index entry of a page.
struct PageEntry {
  std::string url;
  std::string modified;
  Instant modified_at;
  Instant as_of;
  Place place;
  std::uint64_t json_bytes = 0;
};

/// The time by which versions of a stored page are compared.
inline Instant modified_of(const PageEntry& entry) {
  return format::bounded_modified(entry.modified_at, entry.as_of);
}

/// A page as it is stored. URL and times are repeated from the index: they are small, and a walk over pages
/// then needs no index lookups.
struct PageData {
  std::string_view url;
  std::string_view modified;
  Instant as_of;
  std::string_view json;
  Instant fetched = {};  ///< by our clock
};

/// Appends to `out`, whose memory callers reuse for many pages.
void encode(const PageData& data, std::string& out);
/// The result borrows `bytes`. Returns nullopt if they are damaged.
std::optional<PageData> decode_data(std::string_view bytes);

}  // namespace sheaf::store
