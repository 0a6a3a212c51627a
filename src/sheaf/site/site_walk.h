#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/sitemap.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reads all sitemaps of a site: those listed in robots.txt, or the one at a usual URL, and those listed in an
// index.
namespace sheaf::site {

/// A sitemap that was opened.
struct OpenedSitemap {
  std::unique_ptr<base::ByteSource> bytes;
  base::Url url;  ///< after redirects: the base of relative URLs
};

/// Opens a file for the walk, which does not know HTTP. Errc::not_found means that the file does not exist
/// (404, 410). Any other error means that it could not be read this time.
using OpenSitemap = std::function<base::Result<OpenedSitemap>(const base::Url&)>;

inline constexpr std::uint64_t kEntriesPerSitemap = 4;

struct SiteWalkLimits {
  SitemapLimits sitemap = {};       ///< for each file
  std::uint32_t depth = 4;          ///< nesting of indexes; a sitemap listed in an index has depth 1
  std::uint32_t sitemaps = 50'000;  ///< files in total; only their URLs are kept in memory
  /// Files that may be opened before they have listed anything. A site with more must list at least
  /// kEntriesPerSitemap pages or collections for each further one.
  std::uint32_t free_sitemaps = 200;
  std::uint64_t urls = 500'000'000;    ///< entries in total
  std::uint64_t advertised = 100'000;  ///< SCP elements in total
  std::uint32_t findings = 1000;       ///< reported one by one; the rest are only counted
  bool allow_http = false;             ///< read sitemaps over http although the site has https
};

enum class WalkProblem : std::uint8_t {
  in_file,      ///< an error in a sitemap: see `code` and `line`
  missing,      ///< a listed sitemap does not exist
  unreachable,  ///< it could not be read, or not completely
  invalid_url,  ///< robots.txt lists something that is not a URL
  elsewhere,    ///< an index lists a sitemap on a host that is not trusted
  disallowed,   ///< the caller must not request it
  insecure,     ///< plain http although the site has https: anyone on the network path could change it
  too_deep,
  too_many,    ///< too many sitemaps or entries
  no_sitemap,  ///< the site has none
};

std::string_view to_string(WalkProblem problem);

/// A problem with a site's sitemaps. Only limits end the walk.
struct WalkFinding {
  WalkProblem problem = WalkProblem::in_file;
  std::string sitemap;              ///< URL of the sitemap; for invalid_url, of robots.txt
  std::uint64_t line = 0;           ///< line in the sitemap; 0: the whole file
  std::optional<SitemapCode> code;  ///< for in_file only
  std::string message;

  /// "https://example.com/sitemap.xml:12: ...".
  [[nodiscard]] std::string str() const;
};

enum class SitemapChoice : std::uint8_t {
  read,
  skip,    ///< the caller has its content already; counts as read
  forbid,  ///< robots.txt disallows it; counts as not read. A sitemap at a usual URL does not exist then
  stop,    ///< the walk ends here
};

/// Receives the contents of a site's sitemaps, one sitemap after another.
class SiteWalkSink : public SitemapSink {
 public:
  /// Called before a sitemap is opened. `lastmod` is from its index.
  virtual SitemapChoice on_sitemap(const base::Url& /*sitemap*/, const std::optional<Instant>& /*lastmod*/) {
    return SitemapChoice::read;
  }
  virtual void on_walk_finding(const WalkFinding& /*finding*/) {}

 private:
  void on_finding(const SitemapFinding& /*finding*/) final {}  // reported by on_walk_finding()
};

struct SiteWalk {
  Advertised
      advertised;  ///< of all sitemaps: each section and URL once, from the first sitemap that lists it
  std::uint64_t sitemaps = 0;  ///< sitemaps read, completely or not
  std::uint64_t skipped = 0;   ///< sitemaps that the caller skipped
  std::uint64_t urls = 0;
  std::uint64_t findings = 0;  ///< including those that were not reported
  /// Every existing sitemap was read to its end, except those on other hosts. Only then can a page be known
  /// not to be listed. False if there is no sitemap at all.
  bool complete = false;
  bool stopped = false;       ///< the caller ended the walk
  std::uint64_t missing = 0;  ///< sitemaps that robots.txt or an index lists, but that do not exist
  /// The first problem that may hide pages or collections: a sitemap that could not be read to its end, or a
  /// limit. A missing sitemap hides nothing.
  std::optional<WalkFinding> unread = {};
};

/// Reads the sitemaps of a site in the order in which they are listed, each once.
///
/// Starts with the Sitemap lines of robots.txt (null: none). If none of these exists, tries /sitemap.xml,
/// then /sitemap_index.xml and /sitemap.xml.gz. `given`, unless empty, replaces all of these.
///
/// A sitemap listed in an index is read if it is on the host of the site, of that index, or of a sitemap
/// listed in robots.txt (ignoring www.). This is the rule of sitemaps.org: robots.txt can vouch for other
/// hosts, and a host for itself.
///
/// If the site has https, a sitemap over plain http is not read, no matter who lists or redirects to it,
/// unless the limits allow it.
///
/// Memory use does not depend on the number of entries. Problems are findings, not errors.
SiteWalk walk_sitemaps(const base::Url& site, const RobotsTxt* robots, const std::vector<base::Url>& given,
                       const OpenSitemap& open, const SiteWalkLimits& limits, SiteWalkSink& sink);

}  // namespace sheaf::site
