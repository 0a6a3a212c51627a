#include "sheaf/pull/section_pulls.h"

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

template <class Choice>
Result<void> pull_again(const CollectionsTask& task, const Choice& is_chosen) {
  SiteContext& site = task.site;
  for (PullSectionReport& section : site.report.sections) {
    if (!is_chosen(section)) continue;
    const PullSectionReport before = std::move(section);
    SHEAF_TRY_ASSIGN(section, pull_section(task, before.section));
    section += before;
    section.applied += before.applied;
    section.resynchronised = section.resynchronised || before.resynchronised;
    for (std::size_t i = 0; i < before.findings.size(); ++i) section.findings[i] += before.findings[i];
  }
  return {};
}

Result<void> pull_sections(const CollectionsTask& task, const std::vector<std::string>& sections) {
  SiteContext& site = task.site;
  for (const std::string& section : sections) {
    SHEAF_TRY_ASSIGN(auto result, pull_section(task, section));
    for (const std::string& note : result.plan.notes) site.report.notes.push_back(note);
    if (result.misdated)
      site.report.notes.push_back(fmt::format(
          "section {} was dated in the future by a clock that was wrong; it was read again from a snapshot",
          section));
    if (result.resynchronised)
      site.report.notes.push_back(fmt::format(
          "section {} did not match the state digest of the site and was read again from a snapshot",
          section));
    site.report.sections.push_back(std::move(result));
    if (site.is_cancelled()) break;
  }
  return {};
}

/// Drops section `all`: its pages are outdated and include deleted ones, so they must not stay in the store
/// next to those of the other sections.
Result<void> replace_whole_site(SiteContext& site) {
  PullSectionReport& whole = *find_section_report(site.report, kWholeSite);
  whole.covered = true;
  SHEAF_TRY(site.store.drop_section(site.name, kWholeSite, site.options.clock()));
  whole.pages = 0;
  site.report.notes.push_back(fmt::format("section {} cannot be used ({}): the other sections replace it",
                                          kWholeSite, whole.failure.message));
  return {};
}

}  // namespace

PullSectionReport* find_section_report(PullReport& report, std::string_view section) {
  const auto found = std::ranges::find(report.sections, section, &PullSectionReport::section);
  return found == report.sections.end() ? nullptr : &*found;
}

Result<void> pull_together(CollectionsTask task, const std::vector<std::string>& sections) {
  SiteContext& site = task.site;
  const bool is_one = sections.size() < 2 || !site.options.sections.empty();
  task.losses = is_one ? store::Losses::accept : store::Losses::hold;
  SHEAF_TRY(pull_sections(task, sections));
  if (is_one || site.options.plan_only || site.is_cancelled()) return {};
  SHEAF_TRY(pull_again(task, [](const PullSectionReport& section) { return section.held_back; }));
  // A section that has failed for long must not keep the others from removing pages.
  const bool is_missing = std::ranges::any_of(site.report.sections, [](const PullSectionReport& section) {
    return section.held_back || (!section.ok && !section.losses_held && section.failures < kGracePulls);
  });
  if (is_missing) return {};
  const auto is_held = [](const PullSectionReport& section) { return section.losses_held; };
  if (std::ranges::none_of(site.report.sections, is_held)) return {};
  task.losses = store::Losses::keep;
  SHEAF_TRY(pull_again(task, is_held));
  const bool has_arrived = std::ranges::all_of(site.report.sections, [&](const PullSectionReport& section) {
    return !is_held(section) || section.arrived || section.failures >= kGracePulls;
  });
  if (!has_arrived) return {};
  SHEAF_TRY_ASSIGN(const bool may_remove, fetch_before_removals(site));
  if (!may_remove) return {};
  task.losses = store::Losses::accept;
  return pull_again(task, is_held);
}

Result<void> cover_whole_site(const CollectionsTask& task) {
  SiteContext& site = task.site;
  if (site.options.plan_only || site.is_cancelled() || !site.options.sections.empty() ||
      task.offers.size() < 2)
    return {};
  const PullSectionReport* whole = find_section_report(site.report, kWholeSite);
  if (whole == nullptr || whole->ok || !can_fall_back(whole->failure.code)) return {};
  std::vector<std::string> others;
  for (const auto& [section, offered] : task.offers)
    if (find_section_report(site.report, section) == nullptr) others.push_back(section);
  SHEAF_TRY(pull_sections(task, others));
  for (const std::string& section : others) SHEAF_TRY(mark_stand_in(site.store, site.name, section));
  whole = find_section_report(site.report, kWholeSite);
  Coverage coverage{.stated = stated_pages(task.advertised, task.offers, kWholeSite), .stored = whole->pages};
  if (site.report.sections.size() != task.offers.size()) return {};
  // A set instead of lookups in the store, because a site may have thousands of sections.
  base::UrlSet urls;
  for (const PullSectionReport& section : site.report.sections) {
    if (&section == whole) continue;
    if (!section.ok) return {};
    coverage.is_as_new = coverage.is_as_new && newest_of(task.offers.at(section.section)) >=
                                                   newest_of(task.offers.at(whole->section));
    SHEAF_TRY(add_new_urls(site.store, site.name, section.section, urls, coverage.others));
  }
  SHEAF_TRY(add_new_urls(site.store, site.name, kWholeSite, urls, coverage.lost));
  return covers_whole_site(coverage, site.options.shrink) ? replace_whole_site(site) : Result<void>();
}

}  // namespace sheaf::pull
