// sheaf/sitemap.h - read sitemaps, and advertise collections in them
//
// A site advertises its collections with SCP elements in its sitemap. read_advertised() reads these elements.
// update_sitemap() inserts or replaces them and changes no other byte of the file. read_sitemap() reads all
// entries of a sitemap.
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
// Lifetimes: views in a SitemapUrl or ChildSitemap are valid during the call of the sink; everything else
// owns its strings.
//
// Errors: from a broken sitemap, the functions return what could be read, with findings. invalid_data means
// that a file cannot be edited in place, invalid_argument that the drafts' schema would refuse an element.
//
// Safety: gzip is decompressed within limits, entities are not expanded, and no external resource is loaded.
// Memory use is constant.
//
// Threads: all functions are thread-safe.
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

/// A `section` element. Missing and invalid attributes are nullopt.
struct AdvertisedSection {
  std::string name;
  std::optional<UpdateFreq> update_freq;
  std::optional<PageCount> pages;
  std::uint64_t line = 0;  ///< line in the sitemap, from 1; 0 if there is no sitemap

  friend bool operator==(const AdvertisedSection&, const AdvertisedSection&) = default;
};

/// A `collection` (a snapshot) or `delta` element. Section and URL are always set; other attributes are
/// nullopt if missing or invalid. The metadata line of the collection takes precedence.
struct AdvertisedCollection {
  CollectionType type = CollectionType::snapshot;
  std::string section;
  std::string url;
  std::optional<Instant> generated;
  std::optional<Instant> expires;
  std::optional<Instant> since;  ///< deltas only
  std::string period;            ///< deltas only: the publisher's name for the time span
  std::optional<std::uint64_t> pages;
  std::optional<std::uint64_t> size;    ///< file size in bytes, as downloaded
  std::optional<std::string> checksum;  ///< "sha256:..."; the drafts mention it, their schema does not
  std::uint64_t line = 0;
  /// Set when sitemaps are followed: the sitemap that lists the collection and, if that sitemap was found
  /// through an index, the index.
  std::vector<std::string> sitemaps = {};

  friend bool operator==(const AdvertisedCollection&, const AdvertisedCollection&) = default;
};

/// A `key` element, our extension: the key with which the site signs its collections.
struct AdvertisedKey {
  std::string public_key;        ///< in minisign's format, "RW..."
  std::string url;               ///< URL of the site's key list, which has key rotations and revocations
  std::uint64_t statements = 0;  ///< number of rotations and revocations in the list

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
  // Reading stops; entries before the problem are valid.
  not_a_sitemap,      ///< another kind of document, or an empty file
  truncated,          ///< the file ends prematurely
  ill_formed_end,     ///< not XML from here on
  decompress_failed,  ///< damaged gzip data
  ratio_exceeded,
  size_exceeded,
  too_many_entries,  ///< over the caller's limits
  entity_declaration,
  too_complex,  ///< nesting or markup that no real sitemap has, made to exhaust a reader
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
  over_sitemap_limit,  ///< exceeds a limit of sitemaps.org; read nevertheless
};
inline constexpr std::size_t kSitemapCodeCount =
    static_cast<std::size_t>(SitemapCode::over_sitemap_limit) + 1;

/// What is lost because of a finding: the rest of the file, an entry, or nothing.
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
  std::uint64_t line = 0;  ///< line number, from 1; 0 if the finding concerns the whole file
  std::string message;
};

/// Limits of the reader. Memory use depends only on `text_bytes`.
struct SitemapLimits {
  std::uint64_t plain_bytes = std::uint64_t{1} << 30;  ///< size of the file, decompressed
  std::uint64_t urls = 10'000'000;                     ///< entries per file, including child sitemaps
  std::uint64_t advertised = 10'000;                   ///< sections and collections per file
  std::uint32_t ratio = 200;  ///< plain : gzip; lists of URLs compress better than pages
  std::uint64_t ratio_from = std::uint64_t{4} << 20;  ///< the ratio is checked after this many plain bytes
  std::uint32_t text_bytes = 8192;                    ///< size of one text or attribute
  std::uint64_t findings_per_code = 20;               ///< findings reported per code; the rest are counted
};

/// A `url` entry. Views are valid during the call.
struct SitemapUrl {
  std::string_view loc;               ///< an absolute http or https URL
  std::string_view lastmod;           ///< as written, with white space trimmed; empty if absent
  std::optional<Instant> lastmod_at;  ///< `lastmod`, parsed; a date means its first second in UTC
  std::string_view changefreq;        ///< as written
  std::optional<double> priority;
  std::uint64_t line = 0;  ///< line where the entry begins
};

/// A `sitemap` entry of an index. Views are valid during the call.
struct ChildSitemap {
  std::string_view loc;  ///< an absolute http or https URL
  std::string_view lastmod;
  std::optional<Instant> lastmod_at;
  std::uint64_t line = 0;
};

/// A sink's answer: continue or stop reading.
enum class Reading : std::uint8_t { go_on, stop };

/// Receives the contents of a sitemap in file order. Override only what you need.
class SitemapSink {
 public:
  virtual ~SitemapSink() = default;
  virtual Reading on_url(const SitemapUrl& /*entry*/) { return Reading::go_on; }
  virtual Reading on_child(const ChildSitemap& /*entry*/) { return Reading::go_on; }
  virtual void on_version(std::string_view /*version*/) {}
  virtual void on_compression(std::string_view /*codec*/) {}  ///< called once per codec
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
  bool complete = false;       ///< read to the end, not stopped by the sink or by a finding of level stop
  std::uint64_t urls = 0;      ///< `url` entries passed to the sink
  std::uint64_t children = 0;  ///< `sitemap` entries passed to the sink
  std::uint64_t sections = 0;
  std::uint64_t collections = 0;
  std::uint64_t plain_bytes = 0;
  std::array<std::uint64_t, kSitemapCodeCount> findings{};  ///< findings per code, reported or not

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
  bool changed = false;                  ///< whether `bytes` differ from the existing file
  std::uint64_t entries = 0;             ///< number of `url` or `sitemap` entries
  std::vector<SitemapFinding> findings;  ///< over_sitemap_limit if the file exceeds a limit of sitemaps.org
};

/// Reads a sitemap, a sitemap index or a text sitemap; gzip is detected by its first bytes. Relative URLs are
/// resolved against `url`, the URL of the sitemap; without it they are skipped.
Result<SitemapSummary> read_sitemap(std::string_view bytes, SitemapSink& sink, std::string_view url = {},
                                    const SitemapLimits& limits = {});

/// Reads only the SCP elements of a sitemap. The parameters are those of read_sitemap().
Result<AdvertisedSitemap> read_advertised(std::string_view bytes, std::string_view url = {},
                                          const SitemapLimits& limits = {});

/// Makes a new sitemap that has only SCP elements.
Result<std::string> new_sitemap(const Advertised& advertised);

/// Replaces the SCP elements of a sitemap. Every other byte stays: entries, comments, prefixes, encoding,
/// line ends. The operation is idempotent. If `advertised` is empty, all SCP elements are removed.
///
/// Fails if the file cannot be edited in place (not well-formed, has a document type, UTF-16), is an index,
/// or if the drafts' schema would refuse an element.
Result<MergedSitemap> update_sitemap(std::string_view existing, const Advertised& advertised);

/// Adds a sitemap to a sitemap index unless the index already lists it.
Result<MergedSitemap> add_to_sitemap_index(std::string_view index, std::string_view sitemap_url);

/// Resolves `reference` against `base` and normalises the result by the WHATWG URL Standard. Returns nullopt
/// if the result is not an http or https URL.
std::optional<std::string> resolve_url(std::string_view reference, std::string_view base = {});

/// How often a section without a state digest gets a snapshot. Deltas need not list deletions, but a snapshot
/// shows them.
inline constexpr std::int64_t kSnapshotEverySeconds = std::int64_t{7} * 86'400;

enum class PlanKind : std::uint8_t {
  current,   ///< nothing newer is offered
  deltas,    ///< deltas close the gap
  snapshot,  ///< a snapshot, and the deltas after it
  nothing,   ///< no usable offer
};

std::string_view to_string(PlanKind kind);

/// The collections that bring one section up to date.
struct SectionPlan {
  std::string section;
  PlanKind kind = PlanKind::nothing;
  std::vector<AdvertisedCollection> steps;  ///< in the order of application
  std::uint64_t bytes = 0;                  ///< sum of the sizes that the sitemap states for the steps
  bool bytes_known = true;                  ///< the sitemap states the size of every step
  std::vector<std::string> notes;           ///< remarks, such as on skipped offers; a few sentences
  std::optional<Instant> newest = {};       ///< the newest state offered that is not in the future
  std::optional<Instant> future = {};       ///< the latest `generated` that is in the future
  /// URL of a collection without a date that cannot be put in order with the others, so that something newer
  /// may be offered; empty if there is none.
  std::string undated = {};
  std::uint64_t work = 0;  ///< comparisons made
};

}  // namespace sheaf
