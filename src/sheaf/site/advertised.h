#pragma once

#include "sheaf/base/time.h"
#include "sheaf/model/collection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// The namespace of the SCP elements in a sitemap (drafts, "Sitemap XML Schema Definition").
inline constexpr std::string_view kScpNamespace = "https://scp-protocol.org/schemas/sitemap/1.0";
/// The namespace of sitemaps themselves (sitemaps.org).
inline constexpr std::string_view kSitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

enum class UpdateFreq : std::uint8_t { hourly, daily, weekly, monthly };

std::string_view to_string(UpdateFreq freq);
std::optional<UpdateFreq> parse_update_freq(std::string_view text) noexcept;
/// The time between two updates: an hour, a day, 7 days, 30 days.
std::int64_t seconds_of(UpdateFreq freq) noexcept;

/// Cache-Control of a collection, SCP 0.1 "Caching": a snapshot may be used until the next one is due and a
/// while longer, a delta is asked for again sooner and never used stale.
std::string cache_control_of(model::CollectionType type, UpdateFreq freq);

/// A number of pages; the drafts write an estimate with a tilde ("~5000").
struct PageCount {
  std::uint64_t pages = 0;
  bool estimate = false;

  friend bool operator==(const PageCount&, const PageCount&) = default;
};

std::string to_string(PageCount count);
std::optional<PageCount> parse_page_count(std::string_view text) noexcept;

/// A `section` element. What an element lacks or has wrong is absent here.
struct AdvertisedSection {
  std::string name;
  std::optional<UpdateFreq> update_freq;
  std::optional<PageCount> pages;
  std::uint64_t line = 0;  ///< in the sitemap, from 1; 0 where there is none

  friend bool operator==(const AdvertisedSection&, const AdvertisedSection&) = default;
};

/// A `collection` (a snapshot) or `delta` element. Section and URL are always there; what else the element
/// lacks or has wrong is absent. What the file's own metadata line says counts for more.
struct AdvertisedCollection {
  model::CollectionType type = model::CollectionType::snapshot;
  std::string section;
  std::string url;
  std::optional<base::Instant> generated;
  std::optional<base::Instant> expires;
  std::optional<base::Instant> since;  ///< deltas only
  std::string period;                  ///< deltas only: a name the publisher gave the time span
  std::optional<std::uint64_t> pages;
  std::optional<std::uint64_t> size;    ///< of the file as it is fetched, in bytes
  std::optional<std::string> checksum;  ///< "sha256:..."; the drafts speak of it, their schema does not
  std::uint64_t line = 0;

  friend bool operator==(const AdvertisedCollection&, const AdvertisedCollection&) = default;
};

/// Everything SCP that one sitemap says.
struct Advertised {
  std::optional<std::string> version;
  std::vector<std::string> compression;  ///< "zstd", "gzip", in the publisher's order
  std::vector<AdvertisedSection> sections;
  std::vector<AdvertisedCollection> collections;

  [[nodiscard]] bool empty() const {
    return !version && compression.empty() && sections.empty() && collections.empty();
  }
  /// The section of that name, or null.
  [[nodiscard]] const AdvertisedSection* find_section(std::string_view name) const;

  friend bool operator==(const Advertised&, const Advertised&) = default;
};

}  // namespace sheaf::site
