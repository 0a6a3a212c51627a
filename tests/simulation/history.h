#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A simulated history: what a site, its network and its clients do, one event after another. A history is
// plain data, made from a seed. Any part of its events is a valid history too, so a failing one can be shrunk
// by leaving events out.
namespace sheaf::simulation {

/// A random generator whose sequence is the same on every platform (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// A number below `limit`, which is not 0.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(next() % limit); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

enum class SitemapLayout : std::uint8_t {
  one,    ///< pages and collections in one sitemap
  index,  ///< an index of a sitemap of collections and two of pages
  lines,  ///< two Sitemap lines in robots.txt
  links,  ///< no sitemap: the front page has links. Such a site has no collections
};

/// What kind of site it is. Fixed for a history.
struct Traits {
  std::uint32_t pages = 10;
  std::uint32_t sections = 1;  ///< besides `all`
  bool whole = false;          ///< `all` is published as well
  bool collections = true;     ///< from the start
  bool deltas = true;
  bool removed = true;           ///< deltas list removed URLs
  bool state = true;             ///< collections state their digest
  bool checksum = true;          ///< collections state their checksum
  bool sitemap_checksum = true;  ///< the sitemap states it too
  bool counts = true;            ///< the sitemap states sizes and numbers of pages
  bool fixed_names = false;      ///< a snapshot replaces the one before at the same URL
  bool validators = true;        ///< responses have an ETag
  bool both = false;             ///< a snapshot comes with each delta
  bool lastmods = true;          ///< the sitemap has <lastmod>
  bool html_dates = true;        ///< HTML pages state when they were modified
  bool lists_noindex = false;    ///< collections have noindex pages, instead of leaving them out
  bool other_host = false;       ///< collections are on a host of their own
  bool cumulative = false;       ///< a delta begins with an earlier state than that before it
  bool two_codecs = false;       ///< each collection is offered in gzip and in zstd
  bool gzip_sitemaps = false;
  bool odd_times = false;   ///< `modified` in other forms that RFC 3339 allows
  bool repeats = false;     ///< collections have an older version of their first page, too
  bool old_offers = false;  ///< one of two sitemaps has the collections that were offered before
  bool own = false;         ///< published by sheaf itself; overrides much of the above
  std::uint32_t codec = 0;  ///< plain, gzip, zstd
  SitemapLayout layout = SitemapLayout::one;
};

enum class Act : std::uint8_t {
  edit,
  backdate,  ///< an edit that makes `modified` earlier
  add,
  remove,
  remove_many,
  restore,     ///< a removed page comes back
  move,        ///< to another section
  change_url,  ///< of a page
  break_rule,  ///< the page breaks a rule of the format from now on
  mend,        ///< pages that broke a rule
  hide,        ///< noindex
  show,
  rename_section,
  withdraw_section,
  split_section,
  add_whole,
  drop_whole,
  begin_collections,  ///< of all pages or of a part
  end_collections,
  add_foreign,    ///< collections contain a page of another host
  hide_times,     ///< the sitemap states no `generated` of one section
  lie,            ///< collections state a wrong digest, or no longer
  skew,           ///< of the publisher's clock
  close,          ///< robots.txt disallows everything or a part, or no longer
  publish,        ///< deltas or snapshots, of some sections or all
  move_to_https,  ///< the old URLs redirect
  move_to_www,    ///< or back
  move_domain,    ///< to another host, or back to a former one; the old URLs redirect
  // What follows happens outside of the site.
  outage,  ///< a fault that lasts over many pulls, or the end of all of them
  clock,   ///< of the client goes wrong, or is right again
  drop,    ///< the user drops a section or the whole copy
  wait,
  pull,
};

/// How the user pulls.
enum class PullKind : std::uint8_t {
  normal,
  plan_only,
  one_section,
  reset,
  no_pages,  ///< pages are not fetched one by one
  allow_shrink,
};

/// What a request is for.
enum class Target : std::uint8_t { robots, sitemap, collection, page };

enum class FaultKind : std::uint8_t {
  unreachable,
  cut,           ///< the connection breaks in the middle of the body
  truncated,     ///< a part of the body as if it were all
  login_page,    ///< 200, but a web page
  empty,         ///< 200 with no body
  forbidden,     ///< 403
  missing,       ///< 404
  gone,          ///< 410
  too_many,      ///< 429
  error,         ///< 500
  unavailable,   ///< 503
  busy,          ///< 503 with a Retry-After of two hours
  slow,          ///< ends with a timeout
  stale,         ///< the version before
  not_modified,  ///< 304, whatever the client has
  other_part,    ///< a break in the middle of the body, then 206 with bytes of the version before
  accepted,      ///< 203
  coded,         ///< a collection that the server compressed on the fly
  altered,       ///< another file than the one that the checksum in the sitemap is of
  redirected,    ///< to the same file at another URL of the site, for now
};

/// A fault of one response in a pull.
struct Fault {
  Target target = Target::page;
  std::uint32_t number = 0;  ///< of the request among those for the target
  FaultKind kind = FaultKind::error;
  bool lasts = false;  ///< for later requests of the same URL in this pull too
};

struct Event {
  Act act = Act::pull;
  std::uint32_t a = 0;  ///< parameters; their meaning depends on `act`
  std::uint32_t b = 0;
  std::vector<Fault> faults = {};  ///< of a pull or an outage
  std::uint32_t kill = 0;          ///< a pull is killed at this write to the store; 0: it is not
  std::uint32_t kill_request = 0;  ///< a pull is killed at this request; 0: it is not
  PullKind kind = PullKind::normal;
};

struct History {
  std::uint64_t seed = 0;
  Traits traits;
  std::vector<Event> events;
};

History make_history(std::uint64_t seed);

std::string describe(const Traits& traits);
std::string describe(const Event& event);

}  // namespace sheaf::simulation
