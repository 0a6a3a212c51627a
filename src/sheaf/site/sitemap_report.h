#pragma once

#include "sheaf/site/sitemap.h"

#include <string>
#include <string_view>
#include <utility>

namespace sheaf::site {

/// Counts every finding and tells the sink the first few of each code.
class SitemapReport {
 public:
  SitemapReport(const SitemapLimits& limits, SitemapSink& sink, SitemapSummary& summary)
      : limits_(limits), sink_(sink), summary_(summary) {}

  void add(SitemapFinding finding) {
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

/// Text from outside for a message: not too much of it, and nothing a terminal would obey.
std::string quote(std::string_view text);

constexpr bool is_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::string_view trim_front(std::string_view text) {
  while (!text.empty() && is_xml_space(text.front())) text.remove_prefix(1);
  return text;
}

constexpr std::string_view trim(std::string_view text) {
  text = trim_front(text);
  while (!text.empty() && is_xml_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace sheaf::site
