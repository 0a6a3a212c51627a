#include "sheaf/pull/drop_pages.h"

#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/section_memory.h"
#include "sheaf/pull/site_pin.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::fail;
using base::Result;

Result<bool> has_notes(const store::PageStore& store, const std::string& site) {
  bool found = false;
  SHEAF_TRY(store.each_note(site, "", [&](std::string_view, std::string_view) {
    found = true;
    return false;
  }));
  return found;
}

/// A damaged pin must not prevent the site from being dropped.
Result<bool> has_pin(const store::PageStore& store, const std::string& site) {
  const auto pin = read_site_pin(store, site);
  if (!pin && pin.error().code != Errc::invalid_data) return std::unexpected(pin.error());
  return !pin || pin->has_value();
}

/// Removes a section and what pull remembers about it. The memory goes first: a crawl that remembers pages
/// which are gone would be told that they have not changed, and not fetch them.
Result<void> drop_with_memory(store::PageStore& store, const store::SectionState& section, Instant now) {
  SHEAF_TRY(write_section_memory(store, section.site, section.section, {}));
  SHEAF_TRY(write_section_signature(store, section.site, section.section, std::nullopt));
  if (section.origin == store::Origin::html) {
    store::SectionEdit edit(section.site, section.section);
    CrawlState::remove_crawl(edit);
    SHEAF_TRY(store.commit(edit));
  }
  SHEAF_TRY(store.drop_section(section.site, section.section, now));
  return {};
}

}  // namespace

std::uint64_t DropPlan::pages() const {
  std::uint64_t sum = 0;
  for (const store::SectionState& state : sections) sum += state.pages;
  return sum;
}

Result<DropPlan> plan_drop(const store::PageStore& store, const std::string& site,
                           const std::optional<std::string>& section) {
  DropPlan plan{.site = site, .section = section};
  SHEAF_TRY_ASSIGN(plan.sections, store.sections(site));
  if (section) {
    const bool is_known = !plan.sections.empty();
    std::erase_if(plan.sections, [&](const auto& state) { return state.section != *section; });
    if (plan.sections.empty() && is_known)
      return fail(Errc::not_found, fmt::format("the store has no section {} of {}; `sheaf status --site {}` "
                                               "lists its sections",
                                               *section, site, site));
  } else {
    SHEAF_TRY_ASSIGN(plan.forgets_key, has_pin(store, site));
  }
  bool is_known = !plan.sections.empty();
  if (!is_known && !section) {
    SHEAF_TRY_ASSIGN(is_known, has_notes(store, site));
  }
  if (!is_known)
    return fail(Errc::not_found,
                fmt::format("the store does not have {}; `sheaf status` lists its sites", site));
  return plan;
}

Result<void> drop_pages(store::PageStore& store, const DropPlan& plan, Instant now) {
  for (const store::SectionState& state : plan.sections) SHEAF_TRY(drop_with_memory(store, state, now));
  if (plan.section) return {};
  store::SectionEdit edit(plan.site, kHtmlSection);
  edit.remove_notes("");
  SHEAF_TRY(store.commit(edit));
  return {};
}

}  // namespace sheaf::pull
