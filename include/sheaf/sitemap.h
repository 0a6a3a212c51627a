// sheaf/sitemap.h - read sitemaps, and advertise collections in them
//
// A site names its collections in its sitemap with a few SCP elements. read_advertised() finds them;
// update_sitemap() puts them in and leaves every other byte of the file as it is. read_sitemap() reads
// everything else a sitemap has.
//
//     #include <sheaf/sitemap.h>
//
//     #include <cstdio>
//
//     int main() {
//       sheaf::Advertised advertised;
//       advertised.version = "0.1";
//       advertised.compression = {"zstd"};
//       advertised.sections.push_back({"blog", sheaf::UpdateFreq::daily, sheaf::PageCount{12, false}});
//       sheaf::AdvertisedCollection snapshot;
//       snapshot.section = "blog";
//       snapshot.url = "https://shop.example/blog.scp.zst";
//       snapshot.generated = snapshot.expires = sheaf::now();
//       snapshot.pages = 12;
//       snapshot.size = 4096;
//       advertised.collections.push_back(snapshot);
//       const auto sitemap = sheaf::new_sitemap(advertised);
//       if (!sitemap) return std::fprintf(stderr, "%s\n", sitemap.error().message.c_str()), 1;
//       const auto read = sheaf::read_advertised(*sitemap);
//       return read && read->advertised.collections.front().url == snapshot.url ? 0 : 1;
//     }
//
// Lifetimes: views in a SitemapUrl or ChildSitemap die when the sink's call returns; everything else owns its
// strings.
//
// Errors: a sitemap that is broken gives findings and whatever could be read. invalid_data is for a file that
// cannot be changed byte by byte, invalid_argument for elements that the drafts' schema would refuse.
//
// Safety: gzip is undone within limits; no entity is expanded and nothing is loaded from elsewhere. Memory is
// constant.
//
// Threads: any number of calls at a time.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/error.h>
#include <sheaf/time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// How often a section is updated.
enum class UpdateFreq : std::uint8_t { hourly, daily, weekly, monthly };

std::string_view to_string(UpdateFreq freq);  ///< "hourly", "daily", ...

/// A number of pages. The drafts mark an estimate with a tilde ("~5000").
struct PageCount {
  std::uint64_t pages = 0;
  bool estimate = false;

  friend bool operator==(const PageCount&, const PageCount&) = default;
};

/// A `section` element. Missing and invalid attributes are absent here.
struct AdvertisedSection {
  std::string name;
  std::optional<UpdateFreq> update_freq;
  std::optional<PageCount> pages;
  std::uint64_t line = 0;  ///< in the sitemap, from 1; 0 where there is none

  friend bool operator==(const AdvertisedSection&, const AdvertisedSection&) = default;
};

/// A `collection` (a snapshot) or `delta` element. Section and URL are present; other missing or invalid
/// attributes are absent. The file's own metadata line takes precedence.
struct AdvertisedCollection {
  CollectionType type = CollectionType::snapshot;
  std::string section;
  std::string url;
  std::optional<Instant> generated;
  std::optional<Instant> expires;
  std::optional<Instant> since;  ///< deltas only
  std::string period;            ///< deltas only: a name the publisher gave the time span
  std::optional<std::uint64_t> pages;
  std::optional<std::uint64_t> size;    ///< of the file as it is fetched, in bytes
  std::optional<std::string> checksum;  ///< "sha256:..."; the drafts mention it, their schema does not
  std::uint64_t line = 0;
  /// Set when sitemaps are followed: the sitemap that lists it and, where that was found through an index,
  /// the index.
  std::vector<std::string> sitemaps = {};

  friend bool operator==(const AdvertisedCollection&, const AdvertisedCollection&) = default;
};

/// A `key` element, our extension: the key with which the site signs its collections.
struct AdvertisedKey {
  std::string public_key;        ///< as minisign writes it, "RW..."
  std::string url;               ///< of the site's key list, with the rotations and revocations of its keys
  std::uint64_t statements = 0;  ///< how many of these the list has

  friend bool operator==(const AdvertisedKey&, const AdvertisedKey&) = default;
};

/// All SCP elements of one sitemap.
struct Advertised {
  std::optional<std::string> version;
  std::vector<std::string> compression;  ///< "zstd", "gzip", in the publisher's order
  std::vector<AdvertisedSection> sections;
  std::vector<AdvertisedCollection> collections;
  std::optional<AdvertisedKey> key = {};

  [[nodiscard]] bool empty() const {
    return !version && compression.empty() && sections.empty() && collections.empty() && !key;
  }
  /// The section of that name, or null.
  [[nodiscard]] const AdvertisedSection* find_section(std::string_view name) const;

  friend bool operator==(const Advertised&, const Advertised&) = default;
};

/// All problems of a sitemap. docs/sitemaps.md and `to_string` have their user-visible names.
enum class SitemapCode : std::uint8_t {
  // Reading ends; what came before counts.
  not_a_sitemap,      ///< another kind of document, or none
  truncated,          ///< the file ends in the middle
  ill_formed_end,     ///< not XML from here on
  decompress_failed,  ///< damaged gzip data
  ratio_exceeded,
  size_exceeded,
  too_many_entries,  ///< over the caller's limits
  entity_declaration,
  too_complex,  ///< nested or worded as no sitemap is, to exhaust a reader
  // The entry or element is skipped.
  missing_loc,
  invalid_url,
  text_too_long,
  invalid_section,
  invalid_collection,
  unknown_scp_namespace,
  // Reported only.
  ill_formed,
  wrong_namespace,
  undeclared_prefix,
  leading_space,
  doctype,
  bare_ampersand,
  not_utf8,
  repaired_url,
  invalid_lastmod,
  invalid_attribute,
  missing_attribute,
  misplaced_element,
  over_sitemap_limit,  ///< more than sitemaps.org allows, yet read
};
inline constexpr std::size_t kSitemapCodeCount =
    static_cast<std::size_t>(SitemapCode::over_sitemap_limit) + 1;

/// What a finding costs: the rest of the file, an entry, or nothing.
enum class SitemapLevel : std::uint8_t { stop, entry, warning };

constexpr SitemapLevel level_of(SitemapCode code) {
  if (code <= SitemapCode::too_complex) return SitemapLevel::stop;
  if (code <= SitemapCode::unknown_scp_namespace) return SitemapLevel::entry;
  return SitemapLevel::warning;
}

std::string_view to_string(SitemapCode code);  ///< "not-a-sitemap", "truncated", ...

/// One problem: its code, its place, and a message.
struct SitemapFinding {
  SitemapCode code;
  std::uint64_t line = 0;  ///< from 1; 0 when it concerns the whole file
  std::string message;
};

/// Limits of the reader. Memory use depends only on `text_bytes`.
struct SitemapLimits {
  std::uint64_t plain_bytes = std::uint64_t{1} << 30;  ///< of the file, gzip undone
  std::uint64_t urls = 10'000'000;                     ///< entries of a file, child sitemaps too
  std::uint64_t advertised = 10'000;                   ///< sections and collections of a file
  std::uint32_t ratio = 200;  ///< plain : gzip; lists of URLs compress better than pages do
  std::uint64_t ratio_from = std::uint64_t{4} << 20;  ///< plain bytes from which on the ratio is judged
  std::uint32_t text_bytes = 8192;                    ///< of one element's text or attribute
  std::uint64_t findings_per_code = 20;               ///< reported one by one; the rest are only counted
};

/// A `url` entry. Views are valid during the call.
struct SitemapUrl {
  std::string_view loc;               ///< an absolute http or https URL
  std::string_view lastmod;           ///< as written, white space trimmed; empty if there is none
  std::optional<Instant> lastmod_at;  ///< what it means; a date is its first second in UTC
  std::string_view changefreq;        ///< as written
  std::optional<double> priority;
  std::uint64_t line = 0;  ///< where the entry begins
};

/// A `sitemap` entry of an index. Views are valid during the call.
struct ChildSitemap {
  std::string_view loc;  ///< an absolute http or https URL
  std::string_view lastmod;
  std::optional<Instant> lastmod_at;
  std::uint64_t line = 0;
};

/// What a sink wants.
enum class Reading : std::uint8_t { go_on, stop };

/// Receives the contents of a sitemap in file order. Override only what you need.
class SitemapSink {
 public:
  virtual ~SitemapSink() = default;
  virtual Reading on_url(const SitemapUrl& /*entry*/) { return Reading::go_on; }
  virtual Reading on_child(const ChildSitemap& /*entry*/) { return Reading::go_on; }
  virtual void on_version(std::string_view /*version*/) {}
  virtual void on_compression(std::string_view /*codec*/) {}  ///< one call a codec
  virtual void on_section(const AdvertisedSection& /*section*/) {}
  virtual void on_collection(const AdvertisedCollection& /*collection*/) {}
  virtual void on_key(const AdvertisedKey& /*key*/) {}
  virtual void on_finding(const SitemapFinding& /*finding*/) {}
};

enum class SitemapKind : std::uint8_t {
  unknown,  ///< the file does not identify itself
  urlset,
  index,
  text,  ///< one URL per line
};

std::string_view to_string(SitemapKind kind);

struct SitemapSummary {
  SitemapKind kind = SitemapKind::unknown;
  bool complete = false;       ///< read to its end, and not stopped by the sink or by a finding of level stop
  std::uint64_t urls = 0;      ///< handed over
  std::uint64_t children = 0;  ///< handed over
  std::uint64_t sections = 0;
  std::uint64_t collections = 0;
  std::uint64_t plain_bytes = 0;
  std::array<std::uint64_t, kSitemapCodeCount> findings{};  ///< how many of each code, reported or not

  [[nodiscard]] std::uint64_t count(SitemapCode code) const {
    return findings[static_cast<std::size_t>(code)];
  }
};

/// The SCP elements and the problems of a sitemap. URL entries are only counted.
struct AdvertisedSitemap {
  Advertised advertised;
  SitemapSummary summary;
  std::vector<SitemapFinding> findings;
};

/// A changed sitemap file.
struct MergedSitemap {
  std::string bytes;
  bool changed = false;                  ///< whether they differ from what was there
  std::uint64_t entries = 0;             ///< `url` or `sitemap` entries
  std::vector<SitemapFinding> findings;  ///< over_sitemap_limit: past what sitemaps.org allows a file
};

/// Reads a sitemap, a sitemap index or a text sitemap; gzip is recognised by its first bytes. Relative URLs
/// are resolved against `url`, the sitemap's own; without it they are skipped.
Result<SitemapSummary> read_sitemap(std::string_view bytes, SitemapSink& sink, std::string_view url = {},
                                    const SitemapLimits& limits = {});

/// The same, but keeps the SCP elements only.
Result<AdvertisedSitemap> read_advertised(std::string_view bytes, std::string_view url = {},
                                          const SitemapLimits& limits = {});

/// A new sitemap with nothing but SCP elements.
Result<std::string> new_sitemap(const Advertised& advertised);

/// Puts SCP elements into a sitemap in place of those that are there. Every other byte stays: entries,
/// comments, prefixes, encoding, line ends. The same elements again change nothing. Nothing advertised
/// removes all SCP elements.
///
/// Errors: a file that cannot be changed byte by byte (not well-formed, a document type, UTF-16), an index,
/// and elements that the drafts' schema would refuse.
Result<MergedSitemap> update_sitemap(std::string_view existing, const Advertised& advertised);

/// Lists a sitemap in a sitemap index, once.
Result<MergedSitemap> add_to_sitemap_index(std::string_view index, std::string_view sitemap_url);

/// The absolute URL that `reference` means on a page at `base`, in the normal form of the WHATWG URL
/// Standard; nullopt where it is not an http or https URL.
std::optional<std::string> resolve_url(std::string_view reference, std::string_view base = {});

}  // namespace sheaf
