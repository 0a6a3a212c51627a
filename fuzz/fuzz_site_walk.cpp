// A site whose robots.txt and sitemaps are all made of the same few bytes: the walk ends, asks for each
// address once, and keeps to its limits.
#include "fuzz_support.h"
#include "sheaf/site/site_walk.h"

#include <cstdint>
#include <set>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

class Counter final : public site::SiteWalkSink {
 public:
  site::Reading on_url(const site::SitemapUrl& /*entry*/) override {
    ++urls;
    return site::Reading::go_on;
  }
  void on_walk_finding(const site::WalkFinding& finding) override {
    ++findings;
    require(!finding.message.empty() && !to_string(finding.problem).empty());
  }
  std::uint64_t urls = 0;
  std::uint64_t findings = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::as_text(data, size);
  const base::Url site = *base::Url::parse("https://e.com/");
  const site::RobotsTxt robots = site::RobotsTxt::parse(bytes);
  site::SiteWalkLimits limits;
  limits.sitemaps = 20;
  limits.urls = 50;
  limits.findings = 10;
  limits.sitemap.findings_per_code = 5;
  Counter sink;
  std::set<std::string, std::less<>> asked;
  const site::SiteWalk walk = site::walk_sitemaps(
      site, &robots, {},
      [&](const base::Url& url) -> base::Result<site::OpenedSitemap> {
        require(asked.emplace(url.href()).second);
        const std::size_t turn = asked.size();
        if (turn % 5 == 0) return base::fail(base::Errc::not_found, "none");
        if (turn % 7 == 0) return base::fail(base::Errc::io, "cut off");
        const base::Url final_url = turn % 3 == 0 ? *base::Url::parse("/elsewhere", &url) : url;
        return site::OpenedSitemap{base::buffer_source(bytes), final_url};
      },
      limits, sink);
  require(asked.size() <= limits.sitemaps + 3);
  require(walk.urls == sink.urls && walk.urls <= limits.urls);
  require(sink.findings == std::min<std::uint64_t>(walk.findings, limits.findings));
  require(!walk.stopped);
  return 0;
}
