#include "sheaf/pull/retired_sections.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/url_set.h"
#include "sheaf/pull/fallback.h"
#include "sheaf/pull/missing_pages.h"
#include "sheaf/pull/section_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {

using base::Result;

namespace {

/// What the pull found about the sections that are not offered any more.
struct Withdrawal {
  std::vector<std::string> retired;
  std::uint64_t lost = 0;  ///< pages of these that no other section has
};

/// Counts a pull that found the section withdrawn.
Result<SectionMemory> note_withdrawn(SiteContext& site, const std::string& section) {
  SHEAF_TRY_ASSIGN(SectionMemory memory, read_section_memory(site.store, site.name, section));
  ++memory.withdrawn;
  if (memory.withdrawn == 1 || !memory.failing_since || *memory.failing_since > site.report.began)
    memory.failing_since = site.report.began;
  SHEAF_TRY(write_section_memory(site.store, site.name, section, memory));
  return memory;
}

OffersRead how_read(const SiteOffers& offers) {
  if (offers.unread) return OffersRead::unread;
  return offers.whole ? OffersRead::whole : OffersRead::missing;
}

void report_withdrawn(SiteContext& site, const std::string& section, Failure failure) {
  site.report.ok = false;
  site.report.failure = failure;
  PullSectionReport report;
  report.section = report.plan.section = section;
  report.failure = std::move(failure);
  site.report.sections.push_back(std::move(report));
}

/// `others`: pages of all other sections.
Result<void> drop_retired(SiteContext& site, const Withdrawal& withdrawal, std::uint64_t others) {
  const bool is_held = site.options.shrink == format::Shrink::refuse &&
                       format::is_suspicious_shrink(others + withdrawal.lost, withdrawal.lost);
  for (const std::string& section : withdrawal.retired) {
    if (is_held) {
      report_withdrawn(
          site, section,
          {FailureCode::shrink_held,
           fmt::format("the site offers section {} no more; to remove its pages, {} of the {} of "
                       "the site, use --allow-shrink",
                       section, withdrawal.lost, others + withdrawal.lost)});
      continue;
    }
    SHEAF_TRY_ASSIGN(const std::uint64_t pages,
                     site.store.drop_section(site.name, section, site.options.clock()));
    SHEAF_TRY(write_section_memory(site.store, site.name, section, {}));
    site.report.notes.push_back(fmt::format("the site offers section {} no more: its {} removed", section,
                                            base::counted(pages, "page was", "pages were")));
  }
  return {};
}

/// Drops the sections of a site whose pages have all been fetched one by one.
Result<void> replace_collections(SiteContext& site, const std::vector<std::string>& stored) {
  SHEAF_TRY_ASSIGN(const auto crawled, find_crawled_section(site.store, site.name));
  base::UrlSet urls;
  std::uint64_t pages = 0;
  if (crawled) SHEAF_TRY(add_new_urls(site.store, site.name, *crawled, urls, pages));
  Withdrawal withdrawal{.retired = stored};
  for (const std::string& section : stored)
    SHEAF_TRY(add_new_urls(site.store, site.name, section, urls, withdrawal.lost));
  return drop_retired(site, withdrawal, pages);
}

}  // namespace

Result<void> retire_sections(SiteContext& site, const SiteOffers& offers, const OffersBySection& offered,
                             const std::vector<std::string>& stored) {
  if (site.options.plan_only || site.is_cancelled() || !site.options.sections.empty() || offers.unread)
    return {};
  std::vector<std::string> gone;
  for (const std::string& section : stored)
    if (!offered.contains(section)) gone.push_back(section);
  if (gone.empty()) return {};
  base::UrlSet urls;
  std::uint64_t pages = 0;
  SHEAF_TRY_ASSIGN(const auto sections, site.store.sections(site.name));
  for (const store::SectionState& section : sections)
    if (std::ranges::find(gone, section.section) == gone.end())
      SHEAF_TRY(add_new_urls(site.store, site.name, section.section, urls, pages));
  Withdrawal withdrawal;
  const bool may_remove = site.report.ok;
  for (const std::string& section : gone) {
    std::uint64_t lost = 0;
    SHEAF_TRY(add_new_urls(site.store, site.name, section, urls, lost));
    SHEAF_TRY_ASSIGN(const SectionMemory memory, note_withdrawn(site, section));
    if (!may_remove) continue;
    if (is_retired({how_read(offers), lost == 0, memory.withdrawn, memory.failing_since},
                   site.report.began)) {
      withdrawal.retired.push_back(section);
      withdrawal.lost += lost;
    } else {
      report_withdrawn(site, section,
                       {FailureCode::section_withdrawn,
                        fmt::format("the site offers section {} no more; if the next pull finds the "
                                    "same, its pages are removed",
                                    section)});
    }
  }
  return drop_retired(site, withdrawal, pages);
}

Result<void> after_collections(SiteContext& site, const SiteOffers& offers,
                               const std::vector<std::string>& stored) {
  site.report.route = PullRoute::collections;
  if (offers.refused.code == FailureCode::robots_disallowed &&
      !site.robots.rules.judge(site.address).allowed) {
    site.report.failure = offers.refused;  // nothing is known about the collections
    return {};
  }
  const OffersRead read = how_read(offers);
  bool is_due = true;
  for (const std::string& section : stored) {
    if (site.options.plan_only) break;
    SHEAF_TRY_ASSIGN(const SectionMemory memory, note_withdrawn(site, section));
    is_due = is_due && is_retired({read, false, memory.withdrawn, memory.failing_since}, site.report.began);
  }
  site.report.failure = offers.unread
                            ? offers.unread
                            : Failure{FailureCode::section_withdrawn,
                                      fmt::format("{} offers no collections any more; the copy stays until "
                                                  "further pulls find the same",
                                                  site.name)};
  if (!is_due || site.options.plan_only || site.options.html == FetchPages::never || site.must_be_signed() ||
      site.is_cancelled())
    return {};
  site.report.notes.emplace_back("the site offers no collections any more: its pages are fetched one by one");
  const Failure unread = std::exchange(site.report.failure, {});
  SHEAF_TRY(fetch_pages(site, {}, {.sections = stored}));
  if (site.report.ok && !offers.unread) return replace_collections(site, stored);
  SHEAF_TRY(remove_gone_pages(site, stored));
  site.report.ok = false;
  if (!site.report.failure) site.report.failure = unread;
  return {};
}

}  // namespace sheaf::pull
