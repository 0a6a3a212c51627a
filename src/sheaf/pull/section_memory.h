#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url_set.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/model/collection.h"
#include "sheaf/offers/pull_plan.h"
#include "sheaf/site/advertised.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// What pull remembers about a section in addition to its pages. Stored as a note of the site.
namespace sheaf::pull {

using offers::kStaleSeconds;

/// A fetched collection that the store does not need again, because it was applied or is older than the
/// stored state.
struct SeenCollection {
  model::CollectionType type = model::CollectionType::snapshot;
  std::string url = {};
  std::optional<Instant> advertised = {};   ///< `generated` in the sitemap
  std::optional<Instant> since = {};        ///< in the sitemap
  Instant generated = {};                   ///< in the file
  http::fetch::Validators validators = {};  ///< of the file
  std::uint64_t bytes = 0;                  ///< of the file
  std::optional<std::uint64_t> pages = {};  ///< in the file, with skipped ones; nullopt: not read
  std::string checksum = {};                ///< stated by the file, in lower case; empty if it states none

  friend bool operator==(const SeenCollection&, const SeenCollection&) = default;
};

struct SectionMemory {
  std::vector<SeenCollection> seen = {};  ///< at most one per URL
  /// When a snapshot was last applied, or found to be the one already applied. By our clock.
  std::optional<Instant> snapshot_checked = {};
  std::uint32_t failures = 0;                 ///< failed pulls of this section in a row
  std::optional<Instant> failing_since = {};  ///< start of the first of them, by our clock
  bool stands_in = false;                     ///< pulled only because section `all` is unusable
  std::uint32_t withdrawn = 0;                ///< pulls in a row that found that no sitemap offers it
  /// Its pages were fetched one by one, and some removed: the copy is not what its collections say.
  bool was_crawled = false;

  [[nodiscard]] const SeenCollection* find(std::string_view url) const;
  /// Adds a collection; replaces the one with the same URL.
  void put(SeenCollection collection);
  /// Removes collections that are no longer offered, and the oldest ones over the limit. Snapshots are
  /// removed last: their validators save the most.
  void keep_offered(std::span<const site::AdvertisedCollection> offers);

  friend bool operator==(const SectionMemory&, const SectionMemory&) = default;
};

std::string encode(const SectionMemory& memory);
/// Returns nullopt if the bytes are damaged or of another version.
std::optional<SectionMemory> decode_section_memory(std::string_view bytes);

/// Returns an empty memory if none is stored.
base::Result<SectionMemory> read_section_memory(const store::PageStore& store, std::string_view site,
                                                std::string_view section);
base::Result<void> write_section_memory(store::PageStore& store, std::string_view site,
                                        std::string_view section, const SectionMemory& memory);

/// Replaces the `generated` of an offer by that of its file, if the file was seen with this very entry and is
/// not stale. Offers of the same collection in another codec change too. Without this, an entry whose time is
/// a few seconds off would look new in every pull. Returns the sitemap's times of the changed offers, by URL.
using AdvertisedTimes = std::unordered_map<std::string, Instant>;
AdvertisedTimes correct_times(std::span<site::AdvertisedCollection> offers, const SectionMemory& memory);

// Stand-ins: sections that replace the section `all` while its collections cannot be used. They are marked,
// so that they are deleted when `all` can be pulled again; otherwise the store would have its pages twice.

/// Marks a section as a stand-in.
base::Result<void> mark_stand_in(store::PageStore& store, const std::string& site,
                                 const std::string& section);

/// Deletes the stand-ins of a site, except those that `pulled` names: they are needed beside `all` now. No
/// mark is left.
base::Result<void> drop_stand_ins(store::PageStore& store, const std::string& site,
                                  const std::set<std::string>& pulled, Instant now);

/// Adds the URLs of a section's pages to the set, and to `count` the number of those that are new.
base::Result<void> add_new_urls(const store::PageStore& store, const std::string& site,
                                std::string_view section, base::UrlSet& urls, std::uint64_t& count);

/// Whether a file is older than its sitemap entry or the store allows. `advertised` is the time in the entry,
/// `held` that of the newest collection applied before it.
bool is_stale(const std::optional<Instant>& advertised, Instant generated,
              const std::optional<Instant>& held);

}  // namespace sheaf::pull
