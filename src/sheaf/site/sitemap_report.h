#pragma once

#include "sheaf/site/sitemap.h"

#include <string>
#include <utility>

namespace sheaf::site {

/// Counts all findings and reports the first few of each code.
class SitemapReport {
 public:
  SitemapReport(const SitemapLimits& limits, SitemapSink& sink, SitemapSummary& summary)
      : limits_(limits), sink_(sink), summary_(summary) {}

  void add(const SitemapFinding& finding) {
    std::uint64_t& count = summary_.findings[static_cast<std::size_t>(finding.code)];
    if (++count <= limits_.findings_per_code) sink_.on_finding(finding);
  }
  void add(SitemapCode code, std::uint64_t line, std::string message) {
    add({code, line, std::move(message)});
  }
  [[nodiscard]] bool has(SitemapCode code) const { return summary_.count(code) > 0; }
  [[nodiscard]] bool has_stopped() const {
    for (std::size_t i = 0; i < kSitemapCodeCount; ++i)
      if (level_of(static_cast<SitemapCode>(i)) == SitemapLevel::stop && summary_.findings[i] > 0)
        return true;
    return false;
  }

 private:
  const SitemapLimits& limits_;
  SitemapSink& sink_;
  SitemapSummary& summary_;
};

}  // namespace sheaf::site
