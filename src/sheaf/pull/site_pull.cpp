#include "sheaf/base/counted_text.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/missing_pages.h"
#include "sheaf/pull/moved_site.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/pull_history.h"
#include "sheaf/pull/pull_offers.h"
#include "sheaf/pull/site_quality.h"
#include "sheaf/pull/site_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;

class SitePull {
 public:
  SitePull(store::PageStore& store, const base::Url& address, const std::filesystem::path& folder,
           const SitePullOptions& options)
      : store_(store),
        address_(address),
        own_gate_(options.fetch.connections, options.fetch.connections, std::chrono::seconds(30),
                  *options.fetch.clock),
        end_(options.fetch.clock->now() + options.time_limit),
        stopped_(options.cancelled),
        options_(complete(options)),
        fetcher_(options_.fetch),
        downloads_(folder, fetcher_, options_.fetch.tries, options_.quota, options_.cancelled),
        hosts_(address, options_.also_hosts, options_.fetch.user_agent, fetcher_),
        other_hosts_(address, fetcher_, options_.fetch.delay, options_.other_hosts),
        closing_(address.origin(), kHtmlSection) {
    report_.site = address.origin();
    if (options_.on_quality && !options_.plan_only) quality_.emplace();
    downloads_.set_guard([this](const base::Url& url) { return admit(url); });
  }

  Result<PullReport> run() {
    const auto start = std::chrono::steady_clock::now();
    report_.began = options_.clock();
    if (options_.repair && !options_.plan_only) SHEAF_TRY(repair());
    SHEAF_TRY_ASSIGN(
        signing_, SiteSigning::open(store_, address_, options_.signing, report_.began, options_.plan_only));
    SHEAF_TRY_ASSIGN(const auto not_before, read_retry_time(store_, report_.site));
    const auto wait = std::chrono::seconds(not_before ? not_before->seconds - report_.began.seconds : 0);
    // A time further in the future was noted by a clock that was wrong.
    if (wait.count() > 0 && wait <= http::fetch::kLongestRetryAfter && !options_.ignore_retry_after) {
      report_.retry_after = wait;
      report_.failure = wait_for(*not_before);
    } else {
      SHEAF_TRY(pull());
      SHEAF_TRY(retire_former_names());
      note_retry_time(not_before.has_value());
    }
    if (!report_.ok && has_timed_out())
      report_.failure = {
          FailureCode::too_slow,
          fmt::format("the pull took longer than {} seconds and was stopped; the next one continues from "
                      "there. The limit is that of --max-time",
                      options_.time_limit.count())};
    for (const std::string& note : signing_->notes()) report_.notes.push_back(note);
    SHEAF_TRY(note_usage());
    clean_downloads();
    SHEAF_TRY(report_quality());
    if (!repair_note_.empty()) report_.notes.push_back(std::move(repair_note_));
    count_use();
    SHEAF_TRY(estimate_crawl());
    report_.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    if (!options_.plan_only) SHEAF_TRY(commit_notes());
    return std::move(report_);
  }

 private:
  /// Delays between requests need a gate, even if the caller does not share one. The time limit ends
  /// everything that the caller could end.
  SitePullOptions complete(SitePullOptions options) {
    if (options.fetch.gate == nullptr) options.fetch.gate = &own_gate_;
    for (std::function<bool()>* const cancelled : {&options.cancelled, &options.fetch.cancelled})
      *cancelled = [&clock = *options.fetch.clock, end = end_, given = *cancelled] {
        return clock.now() >= end || (given && given());
      };
    return options;
  }

  /// Whether the caller stopped the pull.
  [[nodiscard]] bool is_stopped() const { return stopped_ && stopped_(); }
  [[nodiscard]] bool has_timed_out() const { return options_.fetch.clock->now() >= end_ && !is_stopped(); }

  /// Why a file must not be requested. Also judges redirects.
  Failure admit(const base::Url& url) {
    if (other_hosts_.is_own(url) && !robots_.rules.judge(url).allowed)
      return {FailureCode::robots_disallowed, fmt::format("{} is disallowed by robots.txt", url.href())};
    return other_hosts_.admit(url);
  }

  /// Commits all notes of a pull at once, so that a pull without changes costs only one commit.
  Result<void> commit_notes() {
    // An interrupted pull says nothing about the site.
    if (!is_stopped()) {
      SHEAF_TRY(put_history(closing_, store_, report_, pages_));
      if (options_.add_notes) options_.add_notes(report_, closing_);
    }
    if (!closing_.notes().empty()) SHEAF_TRY(store_.commit(closing_));
    return {};
  }

  /// The failure of a pull that makes no requests, because the site asked to be left alone.
  [[nodiscard]] Failure wait_for(Instant time) const {
    return {FailureCode::retry_later,
            fmt::format("{} asked for no requests before {} (Retry-After); nothing was requested. To pull it "
                        "now, use --ignore-retry-after",
                        report_.site, format_time(time))};
  }

  /// Remembers a Retry-After that is longer than this pull waits, for the pulls of other processes.
  void note_retry_time(bool had_one) {
    const auto held = options_.fetch.gate->held(http::fetch::host_key(address_));
    if (held <= options_.fetch.retry.longest) {
      if (had_one) remove_retry_time(closing_);
      return;
    }
    const auto wait = std::chrono::ceil<std::chrono::seconds>(held);
    const Instant time{options_.clock().seconds + wait.count(), 0};
    report_.retry_after = std::max(report_.retry_after.value_or(wait), wait);
    put_retry_time(closing_, time);
    report_.notes.push_back(
        fmt::format("the site asks for no requests before {} (Retry-After); pulls wait until "
                    "then, unless they have --ignore-retry-after",
                    format_time(time)));
  }

  Result<void> pull() {
    SHEAF_TRY(read_robots());
    if (robots_.failure) {
      report_.failure = robots_.failure;
      report_.retry_after = robots_.retry_after;
      return {};
    }
    if (const auto target = find_new_site(address_, robots_, fetcher_)) return report_moved(*target);
    SiteContext site{store_,     report_.site, address_,  robots_,  options_,
                     downloads_, hosts_,       *signing_, closing_, quality_ ? &*quality_ : nullptr,
                     {},         report_};
    if (quality_) site.on_skipped = [this](const quality::SkippedPage& page) { note_skipped(page); };
    if (options_.html == FetchPages::always && !options_.signing.require) return fetch_pages(site, {}, {});
    SHEAF_TRY_ASSIGN(offered_, pull_offers(site));
    return {};
  }

  /// Another host is another site, with rules and a name of its own: whoever owns the domain now may not be
  /// who owned it before. So the user decides.
  Result<void> report_moved(const base::Url& target) {
    report_.failure = {
        FailureCode::site_moved,
        fmt::format("{} has moved to {}: pull that instead. Once its copy is complete, this one is deleted",
                    report_.site, target.origin())};
    return options_.plan_only ? Result<void>() : note_moved(store_, address_, target);
  }

  /// The copies under the names that the site had before it moved are this site, too.
  Result<void> retire_former_names() {
    if (!report_.ok || options_.plan_only || is_cancelled() || !options_.sections.empty()) return {};
    if (!has_changed(report_) && options_.shrink == format::Shrink::refuse) {  // then once a day
      SHEAF_TRY_ASSIGN(const bool was_done, was_ok_today(store_, report_));
      if (was_done) return {};
    }
    SHEAF_TRY_ASSIGN(const auto former,
                     retire_former_copies(store_, address_, fetcher_, options_.shrink, options_.clock()));
    for (const FormerCopy& copy : former)
      report_.notes.push_back(fmt::format(
          "{} has moved here: its copy of {} {}", copy.site, base::counted(copy.pages, "page", "pages"),
          copy.held ? "was kept, because this copy has much fewer; if that is right, use --allow-shrink"
                    : "was deleted"));
    return {};
  }

  /// Reports a page of a collection that was skipped. The callback cannot return an error, so
  /// report_quality() returns it.
  void note_skipped(const quality::SkippedPage& page) {
    if (quality_ && noted_) noted_ = quality_->skip(page);
  }

  Result<void> report_quality() {
    if (!quality_) return {};
    SHEAF_TRY(noted_);
    SHEAF_TRY(report_stored_pages(store_, report_.site, options_.limits, *quality_));
    SHEAF_TRY_ASSIGN(report_.quality, quality_->finish());
    return options_.on_quality(report_.site, *quality_);
  }

  Result<void> read_robots() {
    SHEAF_TRY_ASSIGN(const auto before, CrawlState(store_, report_.site).robots());
    robots_ = fetch_robots(address_, options_.fetch.user_agent, fetcher_, options_.first_tries, before);
    if (robots_.failure && is_cancelled()) robots_.failure.code = FailureCode::cancelled;
    if (robots_.copy) CrawlState::put(closing_, *robots_.copy);
    return {};
  }

  /// Deletes unreadable pages, so that this pull fetches them again.
  Result<void> repair() {
    SHEAF_TRY_ASSIGN(const auto repaired, store_.repair(report_.site));
    if (repaired.damaged == 0) return {};
    repair_note_ = fmt::format("{} of {} pages could not be read and are fetched again", repaired.damaged,
                               repaired.damaged + repaired.pages);
    store::SectionEdit edit(report_.site, kHtmlSection);
    CrawlState::remove_urls(edit);  // otherwise the server would answer 304 for the deleted pages
    SHEAF_TRY(store_.commit(edit));
    return {};
  }

  /// Stores the usage preferences of the site.
  Result<void> note_usage() {
    if (options_.plan_only || is_cancelled() || robots_.failure) return {};
    // If no collection was fetched, the preferences that were stated before still hold.
    SHEAF_TRY_ASSIGN(SiteUsage usage, read_usage_note(store_, report_.site));
    usage.robots = robots_.usage;
    if (downloads_.usage()) usage.headers = downloads_.usage()->headers;
    return write_usage_note(store_, report_.site, usage);
  }

  [[nodiscard]] bool is_cancelled() const { return options_.cancelled && options_.cancelled(); }

  /// Deletes downloads that are no longer needed. A failed pull keeps its files for the next one.
  void clean_downloads() {
    if (is_cancelled()) return;
    const bool needs_offers = !report_.ok || options_.keep_files;
    downloads_.clean(needs_offers ? offered_ : std::vector<std::string>{},
                     options_.keep_files ? SIZE_MAX : Downloads::kKeptCollections);
  }

  void count_use() {
    const http::fetch::FetchUse use = fetcher_.take_use();
    report_.requests += use.requests;
    report_.bytes += use.bytes;
  }

  Result<void> estimate_crawl() {
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(report_.site));
    for (const store::SectionState& section : sections) {
      report_.crawl_requests += section.pages;
      pages_ += section.pages;
      report_.crawl_bytes += section.bytes;
    }
    return {};
  }

  store::PageStore& store_;
  const base::Url& address_;
  http::fetch::HostGate own_gate_;
  const http::fetch::WaitClock::Time end_;  ///< of the time for this pull
  const std::function<bool()> stopped_;
  const SitePullOptions options_;
  http::fetch::Fetcher fetcher_;
  Downloads downloads_;
  CrossSubmissions hosts_;
  OtherHosts other_hosts_;
  store::SectionEdit closing_;  ///< notes for the last commit of the pull
  std::optional<SiteSigning> signing_;
  RobotsResponse robots_;
  std::vector<std::string> offered_;  ///< URLs of all collections
  PullReport report_;
  std::uint64_t pages_ = 0;                        ///< pages of the site in the store at the end
  std::optional<quality::QualityReport> quality_;  ///< if a report is requested
  Result<void> noted_;
  std::string repair_note_;
};

}  // namespace

Result<PullReport> pull_site(store::PageStore& store, const base::Url& address,
                             const std::filesystem::path& downloads, const SitePullOptions& options) {
  // Errors are values. An exception means a bug, or memory exhausted by the data of one site. Neither may
  // stop the pulls of other sites.
  const auto failed = [&](std::string_view what) {
    PullReport report;
    report.site = address.origin();
    report.began = options.clock();
    report.failure = {FailureCode::internal,
                      fmt::format("the pull of {} ended with an internal error: {}; please report this",
                                  report.site, what)};
    return report;
  };
  try {
    return SitePull(store, address, downloads, options).run();
  } catch (const std::exception& error) {
    return failed(error.what());
  } catch (...) {
    return failed("an exception of an unknown type");
  }
}

store::StoreProgressSink pack_progress(std::function<void(const PullProgress&)> progress) {
  if (!progress) return {};
  return [progress = std::move(progress)](const store::StoreProgress& packed) {
    progress({"pack", {}, packed.done, 0, packed.total});
  };
}

}  // namespace sheaf::pull

namespace sheaf {

std::string_view to_string(PullRoute route) {
  switch (route) {
    case PullRoute::none: return "none";
    case PullRoute::collections: return "collections";
    case PullRoute::html: return "html";
    case PullRoute::warc: return "warc";
  }
  return "none";
}

}  // namespace sheaf
