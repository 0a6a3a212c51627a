#include "sheaf/publish/publish_advice.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/url.h"
#include "sheaf/publish/release.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <variant>

namespace sheaf::publish {
namespace {

/// Whether the sources have no items at all. This is the usual reason for an empty site.
bool has_no_items(std::span<const PublishSectionReport> sections) {
  return std::ranges::all_of(sections, [](const PublishSectionReport& section) {
    return section.pages == 0 &&
           std::ranges::all_of(section.skipped, [](const auto& omission) { return omission.count == 0; });
  });
}

}  // namespace

bool names_sitemap(const site::RobotsTxt& robots, const PublishConfig& config) {
  return std::ranges::any_of(robots.sitemaps(), [&](const std::string& line) {
    const auto url = base::Url::parse(line, &*config.base);
    return url && url->href() == advertised_sitemap_url(config);
  });
}

bool is_served_from_folder(const PublishConfig& config) {
  return std::holds_alternative<std::monostate>(config.delivery.to);
}

base::Result<void> check_base(const PublishConfig& config, std::span<const PublishSectionReport> sections) {
  std::uint64_t elsewhere = 0;
  std::string example;
  for (const PublishSectionReport& section : sections) {
    if (section.pages > 0) return {};
    for (const SkippedItems& omission : section.skipped) {
      if (omission.reason != SkipReason::canonical_elsewhere && omission.reason != SkipReason::no_address)
        continue;
      elsewhere += omission.count;
      if (example.empty()) example = omission.named.front().what + ": " + omission.named.front().detail;
    }
  }
  if (elsewhere == 0) return {};
  return base::fail(
      base::Errc::refused,
      fmt::format("no page belongs to {}: {} {} to another site, such as {}; is the base right?",
                  config.base->href(), elsewhere, elsewhere == 1 ? "page belongs" : "pages belong", example));
}

base::Result<void> check_skipped(std::span<const PublishSectionReport> sections) {
  std::vector<std::string> reasons;
  for (const PublishSectionReport& section : sections) {
    if (section.pages > 0 || section.has_changes()) return {};
    for (const SkippedItems& omission : section.skipped)
      reasons.push_back(
          fmt::format("{} {} ({})", omission.count, describe(omission.reason), omission.named.front().what));
  }
  if (reasons.empty()) return {};
  return base::fail(base::Errc::refused,
                    fmt::format("there is nothing to publish, because every page was skipped: {}",
                                fmt::join(reasons, ", ")));
}

std::vector<std::string> describe_redated(std::span<const PublishSectionReport> sections) {
  std::vector<std::string> notes;
  for (const PublishSectionReport& section : sections)
    if (section.redated > 0)
      notes.push_back(
          fmt::format("{} of section {} had `modified` more than a month in the future, and {} a new one",
                      base::counted(section.redated, "page", "pages"), section.section,
                      section.redated == 1 ? "gets" : "get"));
  return notes;
}

std::vector<std::string> advise(const PublishConfig& config, const site::RobotsTxt& robots,
                                std::span<const PublishSectionReport> sections) {
  std::vector<std::string> steps;
  if (has_no_items(sections)) steps.emplace_back("there is no page in the sources: is the site built?");
  if (config.collections_url_guessed && is_served_from_folder(config))
    steps.push_back(
        fmt::format("serve {} as {}, as the sitemap says: it is outside the "
                    "site's folder (set `collections_url` in sheaf.toml for another URL)",
                    config.out.string(), config.collections_url));
  if (!names_sitemap(robots, config))
    steps.push_back(fmt::format(
        "add this line to {}, so that crawlers find the sitemap (--write-robots adds it): Sitemap: {}",
        config.robots.string(), advertised_sitemap_url(config)));
  return steps;
}

}  // namespace sheaf::publish
