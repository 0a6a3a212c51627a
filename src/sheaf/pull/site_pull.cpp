#include "sheaf/pull/collections_road.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/fallback.h"
#include "sheaf/pull/page_note.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/section_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;

class SitePull {
 public:
  SitePull(store::PageStore& store, const base::Url& address, const std::filesystem::path& folder,
           const PullOptions& options)
      : store_(store),
        address_(address),
        own_gate_(options.crawl.connections, options.crawl.connections),
        options_(with_gate(options, own_gate_)),
        fetcher_(options_.fetch),
        downloads_(folder, fetcher_, options_.fetch.retry, options_.quota, options_.cancelled),
        other_hosts_(address, fetcher_, options_.crawl.delay, options_.other_hosts) {
    report_.site = address.origin();
    downloads_.set_guard([this](const base::Url& url) { return other_hosts_.admit(url); });
  }

  Result<PullReport> run() {
    const auto start = std::chrono::steady_clock::now();
    report_.began = options_.clock();
    SHEAF_TRY(pull());
    clean_downloads();
    count_use();
    SHEAF_TRY(estimate_crawl());
    report_.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    return std::move(report_);
  }

 private:
  /// Delays between requests need a gate, also where the caller has none to share.
  static PullOptions with_gate(PullOptions options, http::HostGate& own) {
    if (options.fetch.gate == nullptr) options.fetch.gate = &own;
    return options;
  }

  Result<void> pull() {
    SHEAF_TRY_ASSIGN(robots_,
                     fetch_robots(address_, options_.fetch.user_agent, downloads_, options_.first_tries));
    if (robots_.failure) {
      report_.failure = robots_.failure;
      report_.retry_after = robots_.retry_after;
      return {};
    }
    if (options_.html == HtmlRoad::only) return fetch_pages({});
    SHEAF_TRY_ASSIGN(const SiteOffers offers, walk_site(address_, robots_.robots, downloads_, {}));
    report_.notes = offers.notes;
    note_schedule(offers.advertised);
    for (const auto& offer : offers.advertised.collections) offered_.push_back(offer.url);
    if (offers.advertised.collections.empty()) return without_collections();
    report_.road = Road::collections;
    const OffersBySection by_section = group_by_section(offers.advertised.collections);
    SHEAF_TRY(pull_sections(by_section, choose_sections(by_section, options_.sections)));
    SHEAF_TRY(cover_whole_site(offers.advertised, by_section));
    return judge_sections();
  }

  void note_schedule(const site::Advertised& advertised) {
    for (const site::AdvertisedSection& section : advertised.sections) {
      if (!section.update_freq) continue;
      const std::int64_t seconds = site::seconds_of(*section.update_freq);
      report_.update_seconds = std::min(report_.update_seconds.value_or(seconds), seconds);
    }
  }

  Result<void> pull_sections(const OffersBySection& offers, const std::vector<std::string>& sections) {
    const CollectionsTask task{store_, report_.site, offers, robots_.rules, downloads_, options_};
    for (const std::string& section : sections) {
      SHEAF_TRY_ASSIGN(auto result, pull_section(task, section));
      for (const std::string& note : result.plan.notes) report_.notes.push_back(note);
      if (result.resynchronised)
        report_.notes.push_back(fmt::format(
            "section {} did not add up to what the site states and was read anew from a snapshot", section));
      report_.sections.push_back(std::move(result));
      if (is_cancelled()) break;
    }
    return {};
  }

  [[nodiscard]] bool is_cancelled() const { return options_.cancelled && options_.cancelled(); }

  /// Where section `all` cannot be used, the other sections of the site may have its pages.
  Result<void> cover_whole_site(const site::Advertised& advertised, const OffersBySection& offers) {
    if (options_.plan_only || is_cancelled() || !options_.sections.empty() || offers.size() < 2) return {};
    if (report_.sections.empty() || report_.sections.front().section != kWholeSite) return {};
    if (report_.sections.front().ok || !can_fall_back(report_.sections.front().failure.code)) return {};
    std::vector<std::string> others;
    for (const auto& [section, offered] : offers)
      if (section != kWholeSite) others.push_back(section);
    SHEAF_TRY(pull_sections(offers, others));
    Coverage coverage{.stated = stated_pages(advertised, offers), .stored = report_.sections.front().pages};
    bool intact = report_.sections.size() == others.size() + 1;
    for (SectionReport& section : std::span(report_.sections).subspan(1)) {
      intact = intact && section.ok;
      coverage.others += section.pages;
      SHEAF_TRY(mark_stand_in(section.section));
    }
    if (!intact || !covers_whole_site(coverage, options_.shrink)) return {};
    return replace_whole_site();
  }

  /// How many pages section `all` has, as far as the site says so.
  static std::optional<std::uint64_t> stated_pages(const site::Advertised& advertised,
                                                   const OffersBySection& offers) {
    const site::AdvertisedSection* const section = advertised.find_section(kWholeSite);
    if (section != nullptr && section->pages && !section->pages->estimate) return section->pages->pages;
    const site::AdvertisedCollection* newest = nullptr;
    for (const site::AdvertisedCollection& offer : offers.find(kWholeSite)->second)
      if (offer.type == model::CollectionType::snapshot && offer.pages &&
          (newest == nullptr || offer.generated > newest->generated))
        newest = &offer;
    return newest == nullptr ? std::nullopt : newest->pages;
  }

  /// So that it goes when `all` can be used again.
  Result<void> mark_stand_in(const std::string& section) {
    SHEAF_TRY_ASSIGN(auto memory, read_section_memory(store_, report_.site, section));
    if (std::exchange(memory.stands_in, true)) return {};
    return write_section_memory(store_, report_.site, section, memory);
  }

  /// Its pages are those of an older state, and deleted ones among them: they must not stay beside the
  /// others.
  Result<void> replace_whole_site() {
    SectionReport& whole = report_.sections.front();
    whole.covered = true;
    SHEAF_TRY(store_.drop_section(report_.site, kWholeSite, options_.clock()));
    whole.pages = 0;
    report_.notes.push_back(fmt::format("section {} cannot be used ({}): the other sections take its place",
                                        kWholeSite, whole.failure.message));
    return {};
  }

  /// What the sections came to, and whether pages have to be fetched one by one after all.
  Result<void> judge_sections() {
    std::vector<std::string> to_crawl;
    const SectionReport* patient = nullptr;  // failed, and is not crawled (yet)
    for (const SectionReport& section : report_.sections) {
      if (section.ok || section.covered) continue;
      if (!report_.failure) report_.failure = section.failure;
      const FailingSection failing{section.failure.code, section.pages, section.failures,
                                   section.failing_since};
      if (is_crawl_due(failing, report_.began)) {
        to_crawl.push_back(section.section);
      } else if (patient == nullptr) {
        patient = &section;
      }
    }
    report_.ok = !report_.failure && !report_.sections.empty();
    if (options_.plan_only) return {};
    if (report_.ok) return leave_html_road();
    // Pages would not tell which section they are of, so a section that was asked for by name is not crawled.
    if (to_crawl.empty() || options_.html == HtmlRoad::never || is_cancelled() || !options_.sections.empty())
      return {};
    report_.notes.push_back(fmt::format(
        "the collections of {} cannot be used ({}): pages that are missing are fetched one by one",
        to_crawl.size() == 1 ? "section " + to_crawl.front() : fmt::format("{} sections", to_crawl.size()),
        report_.failure.message));
    report_.failure = {};
    SHEAF_TRY(fetch_pages(make_held_filter(to_crawl)));
    if (report_.ok && patient != nullptr) {
      report_.ok = false;
      report_.failure = patient->failure;
    }
    return {};
  }

  /// Pages that no crawl has to fetch: those of every section but `broken`, and those of the broken ones that
  /// are no older than the sitemap says.
  HeldFilter make_held_filter(const std::vector<std::string>& broken) {
    std::vector<std::string> intact;
    for (const SectionReport& section : report_.sections)
      if (std::ranges::find(broken, section.section) == broken.end()) intact.push_back(section.section);
    return [this, intact, broken](std::string_view url,
                                  const std::optional<base::Instant>& lastmod) -> Result<bool> {
      for (const std::string& section : intact) {
        SHEAF_TRY_ASSIGN(const auto page, store_.find(report_.site, section, url));
        if (page) return true;
      }
      if (!lastmod) return false;
      for (const std::string& section : broken) {
        SHEAF_TRY_ASSIGN(const auto page, store_.find(report_.site, section, url));
        const auto modified = page ? base::parse_time(page->modified) : std::nullopt;
        if (modified && modified->instant >= *lastmod) return true;
      }
      return false;
    };
  }

  /// Collections are here and good: what was fetched page by page, or from sections that stood in, is theirs
  /// now.
  Result<void> leave_html_road() {
    if (options_.sections.empty()) SHEAF_TRY(drop_stand_ins());
    SHEAF_TRY_ASSIGN(const auto html, store_.section(report_.site, kHtmlSection));
    if (!html || html->origin != store::Origin::html) return {};
    if (options_.sections.empty()) {
      SHEAF_TRY_ASSIGN(const std::uint64_t pages,
                       store_.drop_section(report_.site, kHtmlSection, options_.clock()));
      report_.notes.push_back(fmt::format(
          "the site has collections now; they take the place of {} pages that were fetched one by one",
          pages));
    }
    auto edit = store_.edit(report_.site, kHtmlSection);
    edit.remove_notes(kPageNotes);
    for (const std::string_view note : {kPassNote, kProfileNote}) edit.remove_note(note);
    SHEAF_TRY(store_.commit(edit));
    return {};
  }

  Result<void> drop_stand_ins() {
    if (report_.sections.front().section != kWholeSite || report_.sections.front().covered) return {};
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(report_.site));
    for (const store::SectionState& section : sections) {
      SHEAF_TRY_ASSIGN(const auto memory, read_section_memory(store_, report_.site, section.section));
      if (!memory.stands_in) continue;
      SHEAF_TRY(store_.drop_section(report_.site, section.section, options_.clock()));
      SHEAF_TRY(write_section_memory(store_, report_.site, section.section, {}));
    }
    return {};
  }

  Result<void> without_collections() {
    if (options_.html == HtmlRoad::never || !options_.sections.empty()) {
      report_.failure = {FailureCode::no_collections, fmt::format("{} offers no collections", report_.site)};
      return {};
    }
    report_.notes.emplace_back("the site offers no collections: its pages are fetched one by one");
    return fetch_pages({});
  }

  Result<void> fetch_pages(const HeldFilter& is_held) {
    report_.road = Road::html;
    if (options_.plan_only) {
      report_.ok = true;
      return {};
    }
    SHEAF_TRY_ASSIGN(auto result,
                     crawl({store_, report_.site, address_, robots_, downloads_, options_, is_held}));
    report_.crawl = result.report;
    report_.requests += result.use.requests;
    report_.bytes += result.use.bytes;
    for (std::string& note : result.notes)
      if (std::ranges::find(report_.notes, note) == report_.notes.end())
        report_.notes.push_back(std::move(note));
    report_.failure = std::move(result.failure);
    if (!report_.failure && result.report.pages == 0 && result.report.held == 0 && result.report.complete)
      report_.failure = {
          FailureCode::no_pages,
          fmt::format("{} has neither collections nor pages that could be fetched", report_.site)};
    report_.ok = !report_.failure;
    return {};
  }

  /// A pull that failed may go on with its files the next time.
  void clean_downloads() {
    if (options_.cancelled && options_.cancelled()) return;
    const bool needs_offers = !report_.ok || options_.keep_files;
    downloads_.clean(needs_offers ? offered_ : std::vector<std::string>{});
  }

  void count_use() {
    const http::FetchUse use = fetcher_.take_use();
    report_.requests += use.requests;
    report_.bytes += use.bytes;
  }

  Result<void> estimate_crawl() {
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(report_.site));
    for (const store::SectionState& section : sections) {
      report_.crawl_requests += section.pages;
      report_.crawl_bytes += section.bytes;
    }
    return {};
  }

  store::PageStore& store_;
  const base::Url& address_;
  http::HostGate own_gate_;
  const PullOptions options_;
  http::Fetcher fetcher_;
  Downloads downloads_;
  OtherHosts other_hosts_;
  RobotsAnswer robots_;
  std::vector<std::string> offered_;  ///< URLs of all collections
  PullReport report_;
};

}  // namespace

std::string_view to_string(Road road) {
  switch (road) {
    case Road::none: return "none";
    case Road::collections: return "collections";
    case Road::html: return "html";
  }
  return "none";
}

Result<PullReport> pull_site(store::PageStore& store, const base::Url& address,
                             const std::filesystem::path& downloads, const PullOptions& options) {
  return SitePull(store, address, downloads, options).run();
}

}  // namespace sheaf::pull
