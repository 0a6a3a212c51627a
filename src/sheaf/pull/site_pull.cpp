#include "sheaf/pull/collections_road.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/page_note.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;

constexpr std::string_view kFailingNote = "collections-failing";
// Collections that were good once are given time: a file may be broken for an hour while it is replaced.
// Pulls in a row after which pages are fetched one by one all the same.
constexpr std::uint64_t kPatience = 3;

class SitePull {
 public:
  SitePull(store::PageStore& store, const base::Url& address, const std::filesystem::path& folder,
           const PullOptions& options)
      : store_(store),
        address_(address),
        options_(options),
        fetcher_(options.fetch),
        downloads_(folder, fetcher_, options.fetch.retry, options.quota, options.cancelled) {
    report_.site = address.origin();
  }

  Result<PullReport> run() {
    const auto start = std::chrono::steady_clock::now();
    report_.began = options_.clock();
    SHEAF_TRY(pull());
    count_use();
    SHEAF_TRY(estimate_crawl());
    report_.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    return std::move(report_);
  }

 private:
  Result<void> pull() {
    SHEAF_TRY_ASSIGN(robots_,
                     fetch_robots(address_, options_.fetch.user_agent, downloads_, options_.first_tries));
    if (robots_.failure) {
      report_.failure = robots_.failure;
      report_.retry_after = robots_.retry_after;
      return {};
    }
    if (options_.html == HtmlRoad::only) return fetch_pages();
    SHEAF_TRY_ASSIGN(const SiteOffers offers, walk_site(address_, robots_.robots, downloads_, {}));
    report_.notes = offers.notes;
    note_schedule(offers.advertised);
    if (offers.advertised.collections.empty()) return without_collections();
    report_.road = Road::collections;
    SHEAF_TRY(pull_sections(offers.advertised));
    return judge_sections();
  }

  void note_schedule(const site::Advertised& advertised) {
    for (const site::AdvertisedSection& section : advertised.sections) {
      if (!section.update_freq) continue;
      const std::int64_t seconds = site::seconds_of(*section.update_freq);
      report_.update_seconds = std::min(report_.update_seconds.value_or(seconds), seconds);
    }
  }

  Result<void> pull_sections(const site::Advertised& advertised) {
    const CollectionsTask task{store_, report_.site, advertised, robots_.rules, downloads_, options_};
    for (const std::string& section : choose_sections(advertised, options_.sections)) {
      SHEAF_TRY_ASSIGN(auto result, pull_section(task, section));
      for (const std::string& note : result.plan.notes) report_.notes.push_back(note);
      if (result.resynchronised)
        report_.notes.push_back(fmt::format(
            "section {} did not add up to what the site states and was read anew from a snapshot", section));
      if (result.proven == false)
        report_.notes.push_back(fmt::format(
            "section {} still does not add up to what the site states: its copy here may not be true",
            section));
      report_.sections.push_back(std::move(result));
      if (options_.cancelled && options_.cancelled()) break;
    }
    return {};
  }

  /// What the sections came to, and whether pages have to be fetched one by one after all.
  Result<void> judge_sections() {
    const auto failed =
        std::ranges::find_if(report_.sections, [](const SectionReport& each) { return !each.ok; });
    report_.ok = failed == report_.sections.end() && !report_.sections.empty();
    if (options_.plan_only) return {};
    if (report_.ok) return leave_html_road();
    if (failed == report_.sections.end()) return {};
    report_.failure = failed->failure;
    const bool stopped = options_.cancelled && options_.cancelled();
    const bool wanted = !options_.sections.empty();  // pages would not tell which section they are of
    if (options_.html == HtmlRoad::never || failed->held_back || stopped || wanted) return {};
    SHEAF_TRY_ASSIGN(const std::uint64_t failures, count_failure());
    const bool has_nothing = failed->pages == 0;
    if (!has_nothing && failures < kPatience) return {};
    report_.notes.push_back(fmt::format(
        "the collections cannot be used ({}): its pages are fetched one by one", failed->failure.message));
    report_.failure = {};
    return fetch_pages();
  }

  Result<std::uint64_t> count_failure() {
    SHEAF_TRY_ASSIGN(const auto bytes, store_.note(report_.site, kFailingNote));
    std::uint64_t failures = 1;
    if (bytes) failures += store::RecordReader(*bytes).number();
    auto edit = store_.edit(report_.site, kHtmlSection);
    edit.put_note(kFailingNote, store::RecordWriter().number(failures).bytes());
    SHEAF_TRY(store_.commit(edit));
    return failures;
  }

  /// Collections are here and good: what was fetched page by page is theirs now.
  Result<void> leave_html_road() {
    SHEAF_TRY_ASSIGN(const auto bytes, store_.note(report_.site, kFailingNote));
    SHEAF_TRY_ASSIGN(const auto html, store_.section(report_.site, kHtmlSection));
    const bool fetched = html && html->origin == store::Origin::html;
    if (!bytes && !fetched) return {};
    if (fetched && options_.sections.empty()) {
      SHEAF_TRY_ASSIGN(const std::uint64_t pages,
                       store_.drop_section(report_.site, kHtmlSection, options_.clock()));
      report_.notes.push_back(fmt::format(
          "the site has collections now; they take the place of {} pages that were fetched one by one",
          pages));
    }
    auto edit = store_.edit(report_.site, kHtmlSection);
    edit.remove_notes(kPageNotes);
    for (const std::string_view note : {kFailingNote, kPassNote, kProfileNote}) edit.remove_note(note);
    SHEAF_TRY(store_.commit(edit));
    return {};
  }

  Result<void> without_collections() {
    if (options_.html == HtmlRoad::never || !options_.sections.empty()) {
      report_.failure = {FailureCode::no_collections, fmt::format("{} offers no collections", report_.site)};
      return {};
    }
    report_.notes.emplace_back("the site offers no collections: its pages are fetched one by one");
    return fetch_pages();
  }

  Result<void> fetch_pages() {
    report_.road = Road::html;
    if (options_.plan_only) {
      report_.ok = true;
      return {};
    }
    SHEAF_TRY_ASSIGN(auto result, crawl({store_, report_.site, address_, robots_, downloads_, options_}));
    report_.crawl = result.report;
    report_.requests += result.use.requests;
    report_.bytes += result.use.bytes;
    for (std::string& note : result.notes)
      if (std::ranges::find(report_.notes, note) == report_.notes.end())
        report_.notes.push_back(std::move(note));
    report_.failure = std::move(result.failure);
    if (!report_.failure && result.report.pages == 0 && result.report.complete)
      report_.failure = {
          FailureCode::no_pages,
          fmt::format("{} has neither collections nor pages that could be fetched", report_.site)};
    report_.ok = !report_.failure;
    return {};
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
  const PullOptions& options_;
  http::Fetcher fetcher_;
  Downloads downloads_;
  RobotsAnswer robots_;
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
