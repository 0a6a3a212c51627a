#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/validators.h"
#include "sheaf/model/collection.h"
#include "sheaf/offers/offer_statements.h"
#include "sheaf/site/advertised.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// State of a section between two pulls, beside its pages. It is stored as a note of the site.
namespace sheaf::pull {

using offers::kStaleSeconds;

/// A fetched collection that the store does not need again: it was applied, or is older than the stored
/// state.
struct SeenCollection {
  model::CollectionType type = model::CollectionType::snapshot;
  std::string url = {};
  std::optional<Instant> advertised = {};   ///< `generated` in the sitemap
  std::optional<Instant> since = {};        ///< in the sitemap
  Instant generated = {};                   ///< in the file
  http::fetch::Validators validators = {};  ///< of the file
  std::uint64_t bytes = 0;                  ///< of the file
  std::optional<std::uint64_t> pages = {};  ///< in the file, skipped ones too; nothing if it was not read
  std::string checksum = {};                ///< that the file states, lower case; empty if it states none

  friend bool operator==(const SeenCollection&, const SeenCollection&) = default;
};

struct SectionMemory {
  std::vector<SeenCollection> seen = {};  ///< a URL at most once
  /// When a snapshot was last applied, or found to be the one already applied; by our clock.
  std::optional<Instant> snapshot_checked = {};
  std::uint32_t failures = 0;                 ///< pulls of this section in a row that failed
  std::optional<Instant> failing_since = {};  ///< start of the first of them, by our clock
  bool stands_in = false;                     ///< it was pulled only because section `all` could not be used

  [[nodiscard]] const SeenCollection* find(std::string_view url) const;
  void put(SeenCollection collection);
  /// Removes collections that are no longer offered, and the oldest ones over the limit. Snapshots are
  /// removed last: their validators save the most.
  void keep_offered(std::span<const site::AdvertisedCollection> offers);

  friend bool operator==(const SectionMemory&, const SectionMemory&) = default;
};

std::string encode(const SectionMemory& memory);
/// Nothing, if the bytes are damaged or of another version.
std::optional<SectionMemory> decode_section_memory(std::string_view bytes);

/// Empty if nothing is stored.
base::Result<SectionMemory> read_section_memory(const store::PageStore& store, std::string_view site,
                                                std::string_view section);
base::Result<void> write_section_memory(store::PageStore& store, std::string_view site,
                                        std::string_view section, const SectionMemory& memory);

/// An offer's `generated` becomes that of its file, where the file was seen under this very entry and is not
/// stale; so does that of the same collection in another codec. An entry whose time is a few seconds off then
/// does not look like something new for ever. Returns the sitemap's times of the changed offers, by URL.
using AdvertisedTimes = std::unordered_map<std::string, Instant>;
AdvertisedTimes correct_times(std::span<site::AdvertisedCollection> offers, const SectionMemory& memory);

/// Whether a file is older than the site and the store allow. `advertised` is its sitemap entry's time,
/// `held` the newest collection applied before it.
bool is_stale(const std::optional<Instant>& advertised, Instant generated,
              const std::optional<Instant>& held);

}  // namespace sheaf::pull
