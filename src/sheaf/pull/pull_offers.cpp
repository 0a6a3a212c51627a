#include "sheaf/pull/pull_offers.h"

#include "sheaf/pull/collection_sync.h"
#include "sheaf/pull/fallback.h"
#include "sheaf/pull/missing_pages.h"
#include "sheaf/pull/retired_sections.h"
#include "sheaf/pull/section_memory.h"
#include "sheaf/pull/section_pulls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {

using base::Result;

namespace {

/// The sections of the site that the store has from collections.
Result<std::vector<std::string>> stored_sections(const SiteContext& site) {
  SHEAF_TRY_ASSIGN(const auto sections, site.store.sections(site.name));
  std::vector<std::string> names;
  for (const store::SectionState& section : sections)
    if (section.origin == store::Origin::collections) names.push_back(section.section);
  return names;
}

/// The sections to pull. A section that replaced `all` for a while is kept up to date only if it is needed.
Result<std::vector<std::string>> sections_to_pull(const SiteContext& site, const site::Advertised& advertised,
                                                  const OffersBySection& offers,
                                                  const std::vector<std::string>& stored) {
  std::vector<std::string> kept;
  for (const std::string& section : stored) {
    SHEAF_TRY_ASSIGN(const SectionMemory memory, read_section_memory(site.store, site.name, section));
    if (!memory.stands_in) kept.push_back(section);
  }
  return choose_sections({advertised, offers, site.options.sections, kept});
}

/// Says when collections are on a host that the site never used: it may be a move to another CDN, or
/// somebody who changed the sitemap.
Result<void> note_new_hosts(SiteContext& site, const std::vector<site::AdvertisedCollection>& collections,
                            bool knows_site) {
  constexpr std::string_view kNote = "collection-hosts";
  constexpr std::ptrdiff_t kMaxHosts = 16;
  SHEAF_TRY_ASSIGN(const auto note, site.store.note(site.name, kNote));
  std::string known = note.value_or("\n");
  const std::size_t before = known.size();
  for (const site::AdvertisedCollection& offer : collections) {
    const auto url = base::Url::parse(offer.url);
    const std::string line = url ? fmt::format("\n{}\n", url->host()) : std::string();
    if (line.empty() || known.contains(line) || std::ranges::count(known, '\n') > kMaxHosts) continue;
    known += line.substr(1);
    if (note || knows_site)
      site.report.notes.push_back(
          fmt::format("collections are on the host {}, which this site did not use before", url->host()));
  }
  if (known.size() != before) site.closing.put_note(kNote, known);
  return {};
}

void note_schedule(const site::Advertised& advertised, PullReport& report) {
  for (const site::AdvertisedSection& section : advertised.sections) {
    if (!section.update_freq) continue;
    const std::int64_t seconds = site::seconds_of(*section.update_freq);
    report.update_seconds = std::min(report.update_seconds.value_or(seconds), seconds);
  }
}

/// Whether a section must be paid for. A site that charges for its collections does not want its pages to
/// be crawled instead.
bool has_unpaid_section(const PullReport& report) {
  return std::ranges::any_of(report.sections, [](const PullSectionReport& section) {
    return section.failure.code == FailureCode::payment_required;
  });
}

/// Combines the results of the sections, and fetches pages one by one if necessary.
Result<void> judge_sections(SiteContext& site, const SiteOffers& offers, const OffersBySection& offered) {
  std::vector<std::string> to_crawl;
  const PullSectionReport* patient = nullptr;  // a failed section that is not crawled (yet)
  for (const PullSectionReport& section : site.report.sections) {
    if (section.ok || section.covered) continue;
    if (!site.report.failure || section.held_back) site.report.failure = section.failure;
    const FailingSection failing{section.failure.code, section.pages, section.failures,
                                 section.failing_since};
    // Removals that wait for another section are no reason to crawl this one.
    if (!section.losses_held && is_crawl_due(failing, site.report.began)) {
      to_crawl.push_back(section.section);
    } else if (patient == nullptr || section.held_back) {
      patient = &section;
    }
  }
  site.report.ok = !site.report.failure && !site.report.sections.empty();
  if (site.options.plan_only) return {};
  if (site.report.ok && offers.unread) {
    site.report.failure = offers.unread;
    site.report.ok = false;
    return {};
  }
  if (site.report.ok) return complete_from_pages(site);
  // A crawled page does not say which section it belongs to, so sections requested by name are not crawled.
  // If the site signs its collections, unsigned pages are not accepted.
  if (to_crawl.empty() || site.options.html == FetchPages::never || site.is_cancelled() ||
      !site.options.sections.empty() || site.must_be_signed() || has_unpaid_section(site.report))
    return {};
  SHEAF_TRY(crawl_broken_sections(site, offered, std::move(to_crawl)));
  if (site.report.ok && patient != nullptr) {
    site.report.ok = false;
    site.report.failure = patient->failure;
  }
  return {};
}

/// Handles a site that never had collections.
Result<void> without_collections(SiteContext& site, const SiteOffers& offers) {
  if (site.must_be_signed()) {
    site.report.failure = {
        FailureCode::unsigned_collection,
        fmt::format("{} offers no collections, and pages that are fetched one by one are not "
                    "signed; if the publisher confirms that it signs no longer, pull once with "
                    "--key {}=none",
                    site.name, site.name)};
    return {};
  }
  if (site.options.html == FetchPages::never || !site.options.sections.empty()) {
    site.report.failure = {FailureCode::no_collections, fmt::format("{} offers no collections", site.name)};
    if (offers.unread) site.report.failure = offers.unread;
    if (offers.refused) site.report.failure = offers.refused;
    return {};
  }
  site.report.notes.emplace_back("the site offers no collections: its pages are fetched one by one");
  return fetch_pages(site, {}, {});
}

}  // namespace

Result<std::vector<std::string>> pull_offers(SiteContext& site) {
  SHEAF_TRY_ASSIGN(const SiteOffers offers,
                   walk_site(site.address, site.robots, site.downloads, site.options.fetch.allow_http, {}));
  site.report.notes = offers.notes;
  note_schedule(offers.advertised, site.report);
  std::vector<std::string> urls;
  for (const auto& offer : offers.advertised.collections) urls.push_back(offer.url);
  SHEAF_TRY_ASSIGN(site.report.failure, site.signing.adopt(offers.advertised.key, site.downloads));
  if (site.report.failure) {
    site.report.route = PullRoute::collections;
    return urls;
  }
  if (offers.advertised.collections.empty() && offers.unpaid) {
    site.report.failure = offers.unpaid;
    return urls;
  }
  SHEAF_TRY_ASSIGN(const std::vector<std::string> stored, stored_sections(site));
  if (offers.advertised.collections.empty()) {
    const bool had_collections = !stored.empty() && site.options.sections.empty() && !site.must_be_signed();
    SHEAF_TRY(had_collections ? after_collections(site, offers, stored) : without_collections(site, offers));
    return urls;
  }
  site.report.route = PullRoute::collections;
  const OffersBySection by_section = group_by_section(offers.advertised.collections);
  SHEAF_TRY(note_new_hosts(site, offers.advertised.collections, !stored.empty()));
  const CollectionsTask task{site, offers.advertised, by_section};
  SHEAF_TRY_ASSIGN(const auto sections, sections_to_pull(site, offers.advertised, by_section, stored));
  SHEAF_TRY(pull_together(task, sections));
  SHEAF_TRY(cover_whole_site(task));
  if (std::string note = site.hosts.note(); !note.empty()) site.report.notes.push_back(std::move(note));
  SHEAF_TRY(judge_sections(site, offers, by_section));
  SHEAF_TRY(retire_sections(site, offers, by_section, stored));
  return urls;
}

}  // namespace sheaf::pull
