#include "sheaf/pull/offer_checks.h"

#include "sheaf/base/url.h"
#include "sheaf/offers/pull_plan.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::pull {

using site::AdvertisedCollection;

Failure check_url(const AdvertisedCollection& offer, const CollectionsTask& task) {
  const auto url = base::Url::parse(offer.url);
  if (!url) return {FailureCode::nothing_offered, fmt::format("{} is not a URL", offer.url)};
  if (task.site.name.starts_with("https:") && url->scheme() == "http" && !task.site.options.fetch.allow_http)
    return {FailureCode::insecure_url,
            fmt::format(
                "{} is offered over http by a site that has https: an attacker on the network could change "
                "it; allow it with --allow-http",
                offer.url)};
  const auto own = base::Url::parse(task.site.name);
  const bool same_site = own && own->origin() == url->origin();
  if (same_site && !task.site.robots.rules.judge(*url).allowed)
    return {FailureCode::robots_disallowed, fmt::format("{} is disallowed by robots.txt", offer.url)};
  return {};
}

Failure compare_file(const AdvertisedCollection& offer, const SeenCollection& seen) {
  auto wrong = offers::compare_statements(
      offer, {.bytes = seen.bytes, .checksum = seen.checksum, .pages = seen.pages});
  if (!wrong) return {};
  switch (wrong->kind) {
    case offers::StatementKind::size: return {FailureCode::size_mismatch, std::move(wrong->message)};
    case offers::StatementKind::checksum: return {FailureCode::checksum_mismatch, std::move(wrong->message)};
    case offers::StatementKind::pages: break;
  }
  return {FailureCode::page_count_mismatch, std::move(wrong->message)};
}

std::string describe_stale(const AdvertisedCollection& offer, const SeenCollection& seen) {
  if (!seen.advertised)
    return fmt::format("{} was generated at {}, before what the store has", offer.url,
                       format_time(seen.generated));
  return fmt::format("{} was generated at {}, but the sitemap says {}: an old file is served", offer.url,
                     format_time(seen.generated), format_time(*seen.advertised));
}

Failure nothing_offered(std::string_view section) {
  return {FailureCode::nothing_offered,
          fmt::format("the site offers nothing that brings section {} up to date", section)};
}

Failure undated_offered(std::string_view section, std::string_view url) {
  return {
      FailureCode::unreadable_offers,
      fmt::format("the sitemap does not say when {} was generated, so section {} may have something newer",
                  url, section)};
}

Failure future_offered(std::string_view section, Instant generated) {
  return {
      FailureCode::future_collection,
      fmt::format(
          "the site offers section {} with the date {}, which is in the future: the clock of its publisher "
          "or of this machine is wrong",
          section, format_time(generated))};
}

Failure newest_unreachable(std::string_view section, Instant newest, Instant reached,
                           const std::string& reason) {
  return {
      FailureCode::newest_unreachable,
      fmt::format("the site offers section {} in its state of {}, but only that of {} could be reached: {}",
                  section, format_time(newest), format_time(reached),
                  reason.empty() ? "no chain of collections leads there" : reason)};
}

Failure offers_outdated(std::string_view section, Instant newest, Instant held) {
  return {
      FailureCode::stale_collection,
      fmt::format(
          "the newest collection offered for section {} is dated {}, older than the copy, which is dated {}",
          section, format_time(newest), format_time(held))};
}

std::uint64_t pages_in_file(const store::ApplySummary& applied) {
  std::uint64_t pages = applied.pages;
  for (std::size_t i = 0; i < applied.findings.size(); ++i)
    if (format::level_of(static_cast<format::Code>(i)) == format::Level::page) pages += applied.findings[i];
  return pages;
}

}  // namespace sheaf::pull
