#include "sheaf/pull/missing_pages.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/section_memory.h"
#include "sheaf/pull/section_pulls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sheaf::pull {

using base::Result;

namespace {

/// Whether a visit showed that the page is no page of the site any more.
bool is_gone(crawl::PageOutcome fate) {
  return fate == crawl::PageOutcome::missing || fate == crawl::PageOutcome::noindex ||
         fate == crawl::PageOutcome::elsewhere || fate == crawl::PageOutcome::duplicate;
}

bool is_as_new(const store::StoredPage& page, const Instant& lastmod) {
  const auto modified = parse_time(page.modified);
  return modified && modified->instant >= lastmod;
}

/// Selects the pages that need not be crawled: those that are no older than the sitemap says. If the
/// sitemap does not say, those of the sections that are not in `broken`: a broken section may have a newer
/// version of their pages, too.
HeldFilter make_held_filter(SiteContext& site, const std::vector<std::string>& broken) {
  std::vector<std::string> intact;
  for (const PullSectionReport& section : site.report.sections)
    if (std::ranges::find(broken, section.section) == broken.end()) intact.push_back(section.section);
  return
      [&site, intact, broken](std::string_view url, const std::optional<Instant>& lastmod) -> Result<bool> {
        for (const std::string& section : intact) {
          SHEAF_TRY_ASSIGN(const auto page, site.store.find(site.name, section, url));
          if (page && (!lastmod || broken.empty() || is_as_new(*page, *lastmod))) return true;
        }
        if (!lastmod) return false;
        for (const std::string& section : broken) {
          SHEAF_TRY_ASSIGN(const auto page, site.store.find(site.name, section, url));
          if (page && is_as_new(*page, *lastmod)) return true;
        }
        return false;
      };
}

/// A page that a collection lists, but that breaks a rule of the format.
struct Unreadable {
  std::string section;
  std::string url;  ///< as the collection writes it
};

/// By the normal form of the URL: each section that lists it.
using UnreadableByUrl = std::map<std::string, std::vector<Unreadable>>;

UnreadableByUrl unreadable_pages(const PullReport& report) {
  UnreadableByUrl pages;
  for (const PullSectionReport& section : report.sections)
    for (const auto& [url, generated] : section.unreadable)
      if (const auto parsed = base::Url::parse(url))
        pages[std::string(parsed->without_fragment().href())].push_back({section.section, url});
  return pages;
}

/// A page that was fetched, or is gone, replaces the version that an older collection had.
Result<void> settle_unreadable(SiteContext& site, const UnreadableByUrl& pages) {
  const CrawlState state(site.store, site.name);
  for (const auto& [url, listed] : pages) {
    SHEAF_TRY_ASSIGN(const CrawledUrl known, state.url(url));
    const crawl::PageOutcome fate = known.record.fate;
    for (const Unreadable& page : listed) {
      if (fate == crawl::PageOutcome::stored || is_gone(fate)) {
        store::SectionEdit edit(site.name, page.section);
        edit.remove_page(page.url);
        SHEAF_TRY(site.store.commit(edit));
      } else if (site.report.ok) {
        site.report.ok = false;
        site.report.failure = {
            FailureCode::unreadable_page,
            fmt::format("{} breaks a rule of the format in section {}, and its HTML page cannot "
                        "be used either",
                        page.url, page.section)};
      }
    }
  }
  return {};
}

/// Fetches pages one by one, among them those that the collections list but cannot supply.
Result<void> fetch_with_unreadable(SiteContext& site, const HeldFilter& is_held, WantedPages wanted,
                                   const UnreadableByUrl& pages) {
  for (const auto& [url, listed] : pages) wanted.urls.insert(url);
  SHEAF_TRY(fetch_pages(site, is_held, std::move(wanted)));
  return settle_unreadable(site, pages);
}

/// Deletes the section of crawled pages and the state of the crawl: the collections have everything.
/// `dropped`: pages of the section that this pull has dropped before.
Result<void> drop_crawled(SiteContext& site, const std::optional<std::string>& crawled,
                          std::uint64_t dropped) {
  if (crawled) {
    SHEAF_TRY_ASSIGN(const std::uint64_t left,
                     site.store.drop_section(site.name, *crawled, site.options.clock()));
    const std::uint64_t pages = left + dropped;
    if (pages > 0)
      site.report.notes.push_back(
          fmt::format("the site has collections now; they replace {} fetched one by one",
                      base::counted(pages, "page that was", "pages that were")));
  }
  CrawlState::remove_crawl(site.closing);
  return {};
}

/// Whether pages that the collections do not have are fetched one by one, too.
Result<bool> has_own_crawled_pages(SiteContext& site) {
  SHEAF_TRY_ASSIGN(const auto crawled, find_crawled_section(site.store, site.name));
  SHEAF_TRY_ASSIGN(const auto pass, CrawlState(site.store, site.name).pass());
  return crawled && pass && !pass->only_wanted;
}

/// The pages may not be fetched one by one. `is_mixed`: others were, before.
Result<void> without_pages(SiteContext& site, std::size_t unreadable, bool is_mixed) {
  if (unreadable == 0 && !is_mixed) return {};
  site.report.ok = false;
  site.report.failure =
      unreadable > 0
          ? Failure{FailureCode::unreadable_page,
                    fmt::format("{} of the collections break a rule of the format, and {}",
                                base::counted(unreadable, "page", "pages"),
                                site.options.sections.empty()
                                    ? "may not be fetched one by one"
                                    : "are fetched one by one only if the whole site is pulled")}
          : Failure{FailureCode::no_collections,
                    fmt::format("the copy of {} has pages that were fetched one by one and are in no "
                                "collection, so they may be outdated; allow to fetch them, or delete them "
                                "with sheaf drop --section",
                                site.name)};
  return {};
}

bool is_closed_to(const CrawlReport& crawl) { return crawl.fetched == 0 && crawl.disallowed > 0; }

Failure nothing_fetched(SiteContext& site, const CrawlReport& crawl) {
  if (is_closed_to(crawl))
    return {FailureCode::robots_disallowed,
            fmt::format("robots.txt of {} disallows its pages for this crawler", site.name)};
  return {FailureCode::no_pages,
          fmt::format("{} has neither collections nor pages that could be fetched", site.name)};
}

/// If `all` cannot be used, adds the sections that are older: `all` may have newer versions of their pages.
std::vector<std::string> with_older_sections(std::vector<std::string> broken, const OffersBySection& offers) {
  if (std::ranges::find(broken, kWholeSite) == broken.end()) return broken;
  const auto whole = newest_of(offers.find(kWholeSite)->second);
  for (const auto& [section, offered] : offers)
    if (newest_of(offered) < whole && std::ranges::find(broken, section) == broken.end())
      broken.push_back(section);
  return broken;
}

}  // namespace

Result<void> fetch_pages(SiteContext& site, const HeldFilter& is_held, WantedPages wanted) {
  site.report.route = PullRoute::html;
  if (site.options.plan_only) {
    site.report.ok = true;
    return {};
  }
  SHEAF_TRY_ASSIGN(auto result, crawl({site.store, site.name, site.address, site.robots, site.downloads,
                                       site.options, is_held, wanted, site.quality}));
  site.report.crawl = result.report;
  site.report.requests += result.use.requests;
  site.report.bytes += result.use.bytes;
  for (std::string& note : result.notes)
    if (std::ranges::find(site.report.notes, note) == site.report.notes.end())
      site.report.notes.push_back(std::move(note));
  site.report.failure = std::move(result.failure);
  const bool has_pages = result.report.pages > 0 || result.report.held > 0 || wanted.only;
  // Pages that failed before the crawl was interrupted matter no more if the site is closed now.
  const bool is_closed = result.report.failed == 0 && is_closed_to(result.report);
  if ((!site.report.failure || is_closed) && !has_pages && result.report.complete)
    site.report.failure = nothing_fetched(site, result.report);
  site.report.ok = !site.report.failure;
  return {};
}

Result<void> complete_from_pages(SiteContext& site) {
  const UnreadableByUrl unreadable = unreadable_pages(site.report);
  // A crawl for one section would drop what was fetched for the others.
  if (!site.options.sections.empty()) return without_pages(site, unreadable.size(), false);
  const PullSectionReport* const whole = find_section_report(site.report, kWholeSite);
  if (whole != nullptr && !whole->covered) {
    std::set<std::string> pulled;
    for (const PullSectionReport& section : site.report.sections) pulled.insert(section.section);
    SHEAF_TRY(drop_stand_ins(site.store, site.name, pulled, site.options.clock()));
  }
  SHEAF_TRY_ASSIGN(const auto crawled, find_crawled_section(site.store, site.name));
  SHEAF_TRY_ASSIGN(const auto pass, CrawlState(site.store, site.name).pass());
  SHEAF_TRY_ASSIGN(const bool is_mixed, has_own_crawled_pages(site));
  if (unreadable.empty() && !is_mixed)
    return crawled || pass ? drop_crawled(site, crawled, 0) : Result<void>();
  if (site.options.html == FetchPages::never || site.must_be_signed())
    return without_pages(site, unreadable.size(), is_mixed);
  std::uint64_t before = 0;
  if (crawled) {
    SHEAF_TRY_ASSIGN(const auto section, site.store.section(site.name, *crawled));
    before = section ? section->pages : 0;
  }
  SHEAF_TRY(fetch_with_unreadable(site, make_held_filter(site, {}), {.only = !is_mixed}, unreadable));
  site.report.route = PullRoute::collections;
  return site.report.ok && site.report.crawl->pages == 0 ? drop_crawled(site, crawled, before)
                                                         : Result<void>();
}

Result<void> crawl_broken_sections(SiteContext& site, const OffersBySection& offers,
                                   std::vector<std::string> broken) {
  site.report.notes.push_back(fmt::format(
      "the collections of {} cannot be used ({}): pages that are missing are fetched one by one",
      broken.size() == 1 ? "section " + broken.front() : fmt::format("{} sections", broken.size()),
      site.report.failure.message));
  site.report.failure = {};
  const std::vector<std::string> doubtful = with_older_sections(std::move(broken), offers);
  SHEAF_TRY(fetch_with_unreadable(site, make_held_filter(site, doubtful), {.sections = doubtful},
                                  unreadable_pages(site.report)));
  return remove_gone_pages(site, doubtful);
}

Result<bool> fetch_before_removals(SiteContext& site) {
  const UnreadableByUrl unreadable = unreadable_pages(site.report);
  std::vector<std::string> leaving;
  for (const auto& [url, listed] : unreadable) {
    for (const PullSectionReport& section : site.report.sections) {
      if (!section.losses_held) continue;
      SHEAF_TRY_ASSIGN(const auto page, site.store.find(site.name, section.section, url));
      if (page) leaving.push_back(url);
    }
  }
  if (leaving.empty()) return true;
  if (site.options.html == FetchPages::never || site.must_be_signed()) return false;
  SHEAF_TRY_ASSIGN(const bool is_mixed, has_own_crawled_pages(site));
  SHEAF_TRY(fetch_with_unreadable(site, make_held_filter(site, {}), {.only = !is_mixed}, unreadable));
  site.report.ok = false;  // not judged yet
  site.report.failure = {};
  site.report.route = PullRoute::collections;
  const CrawlState state(site.store, site.name);
  for (const std::string& url : leaving) {
    SHEAF_TRY_ASSIGN(const CrawledUrl known, state.url(url));
    if (known.record.fate != crawl::PageOutcome::stored && !is_gone(known.record.fate)) return false;
  }
  return true;
}

Result<void> remove_gone_pages(SiteContext& site, const std::vector<std::string>& sections) {
  const CrawlState state(site.store, site.name);
  for (const std::string& section : sections) {
    store::SectionEdit edit(site.name, section);
    store::PageFilter filter;
    filter.site = site.name;
    filter.section = section;
    filter.with_json = false;
    SHEAF_TRY(site.store.each_page(filter, [&](const store::StoredPage& page) -> Result<bool> {
      SHEAF_TRY_ASSIGN(const CrawledUrl known, state.url(page.url));
      if (is_gone(known.record.fate) && known.record.fetched >= site.report.began) edit.remove_page(page.url);
      return true;
    }));
    if (edit.pages().empty()) continue;
    SHEAF_TRY(site.store.commit(edit));
    SHEAF_TRY_ASSIGN(SectionMemory memory, read_section_memory(site.store, site.name, section));
    memory.was_crawled = true;
    SHEAF_TRY(write_section_memory(site.store, site.name, section, memory));
  }
  return {};
}

}  // namespace sheaf::pull
