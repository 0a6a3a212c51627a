#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/base/url.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/sitemap_finding.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// What sitemaps.org allows one file. A reader says when a file passes these, and reads on.
inline constexpr std::uint64_t kSitemapUrls = 50'000;
inline constexpr std::uint64_t kSitemapBytes = std::uint64_t{50} * 1024 * 1024;

/// What a reader will bear. Memory does not depend on any of these but `text_bytes`.
struct SitemapLimits {
  std::uint64_t plain_bytes = std::uint64_t{1} << 30;  ///< of the file, gzip undone
  std::uint64_t urls = 10'000'000;                     ///< entries of a file, child sitemaps too
  std::uint64_t advertised = 10'000;                   ///< sections and collections of a file
  std::uint32_t ratio = 200;  ///< plain : gzip; lists of addresses compress better than pages do
  std::uint64_t ratio_from = std::uint64_t{4} << 20;  ///< plain bytes from which on the ratio is judged
  std::uint32_t text_bytes = 8192;                    ///< of one element's text or attribute
  std::uint32_t findings_per_code = 20;               ///< told one by one; the rest are only counted
};

/// A `url` entry. Views die when the call that hands it over returns.
struct SitemapUrl {
  std::string_view loc;                     ///< an absolute http or https URL
  std::string_view lastmod;                 ///< as written, white space trimmed; empty if there is none
  std::optional<base::Instant> lastmod_at;  ///< what it means; a date is its first second in UTC
  std::string_view changefreq;              ///< as written
  std::optional<double> priority;
  std::uint64_t line = 0;  ///< where the entry begins
};

/// A `sitemap` entry of an index. Views die when the call that hands it over returns.
struct ChildSitemap {
  std::string_view loc;  ///< an absolute http or https URL
  std::string_view lastmod;
  std::optional<base::Instant> lastmod_at;
  std::uint64_t line = 0;
};

enum class Reading : std::uint8_t { go_on, stop };

/// Takes what a sitemap has, in the order of the file. What a user does not want it need not override.
class SitemapSink {
 public:
  virtual ~SitemapSink() = default;
  virtual Reading on_url(const SitemapUrl& /*entry*/) { return Reading::go_on; }
  virtual Reading on_child(const ChildSitemap& /*entry*/) { return Reading::go_on; }
  virtual void on_version(std::string_view /*version*/) {}
  virtual void on_compression(std::string_view /*codec*/) {}  ///< one call a codec
  virtual void on_section(const AdvertisedSection& /*section*/) {}
  virtual void on_collection(const AdvertisedCollection& /*collection*/) {}
  virtual void on_finding(const SitemapFinding& /*finding*/) {}
};

enum class SitemapKind : std::uint8_t {
  unknown,  ///< nothing in it said what it is
  urlset,
  index,
  text,  ///< one address a line
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
  std::array<std::uint64_t, kSitemapCodeCount> findings{};  ///< how many of each code, told or not

  [[nodiscard]] std::uint64_t count(SitemapCode code) const {
    return findings[static_cast<std::size_t>(code)];
  }
};

/// Reads a sitemap, a sitemap index or a text sitemap from front to back, gzip (by its first bytes, once or
/// twice) undone, in constant memory. Nothing is ever loaded from elsewhere and no entity is expanded.
/// `base` is the sitemap's own address where it is known: relative addresses are resolved against it; without
/// one they are passed over. An error only when `source` fails; everything the file has wrong is a finding.
base::Result<SitemapSummary> read_sitemap(base::ByteSource& source, const SitemapLimits& limits,
                                          SitemapSink& sink, const base::Url* base = nullptr);

/// What a sitemap says of SCP, and what it has wrong, gathered; URL entries are counted and passed over.
struct AdvertisedSitemap {
  Advertised advertised;
  SitemapSummary summary;
  std::vector<SitemapFinding> findings;
};

base::Result<AdvertisedSitemap> read_advertised(base::ByteSource& source, const SitemapLimits& limits = {},
                                                const base::Url* base = nullptr);

}  // namespace sheaf::site
