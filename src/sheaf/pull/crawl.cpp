#include "sheaf/pull/crawl.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/url_set.h"
#include "sheaf/crawl/crawler.h"
#include "sheaf/crawl/page_extract.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/pull/fetch_failure.h"
#include "sheaf/pull/site_quality.h"
#include "sheaf/pull/store_copies.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using crawl::PageOutcome;

constexpr unsigned kFailuresInARow = 10;  // that stop the crawl
constexpr unsigned kUnpaidInARow = 3;     // this many pages in a row that must be paid for: all must

class Crawl {
 public:
  Crawl(const CrawlTask& task, std::string section)
      : task_(task),
        section_(std::move(section)),
        options_(task.options.crawl),
        crawler_(crawler_options(task)),
        copies_(task.store, task.site, section_, task.options.limits, task.options.clock),
        clock_(*task.options.fetch.clock),
        start_(clock_.now()) {
    crawler_.set_robots(task.robots.rules);
  }

  Result<CrawlResult> run() {
    SHEAF_TRY(copies_.begin_pass());
    SHEAF_TRY_ASSIGN(const auto before, task_.store.section(task_.site, section_));
    bytes_before_ = before ? before->bytes : 0;
    bytes_ = bytes_before_;
    const bool wants_more = task_.wanted.only || !task_.wanted.urls.empty() || !task_.wanted.sections.empty();
    const bool goes_on = pass().listed && !pass().only_wanted && !wants_more;
    if (!goes_on) SHEAF_TRY(list_pages());
    SHEAF_TRY_ASSIGN(auto site_template, crawl::load_template(copies_));
    template_.set(std::move(site_template));
    SHEAF_TRY(visit_all());
    if (goes_on && !cut_short_ && may_go_on()) {  // the list is as old as the begin of the pass
      listed_ = due_.in_pass;
      found_ = 0;
      SHEAF_TRY(list_pages());
      if (found_ > 0) SHEAF_TRY(visit_all());
    }
    SHEAF_TRY(end_pass());
    SHEAF_TRY_ASSIGN(const auto state, task_.store.section(task_.site, section_));
    CrawlReport& report = result_.report;
    report.pages = state ? state->pages : 0;
    report += copies_.counts();
    result_.use = crawler_.take_use();
    return std::move(result_);
  }

 private:
  /// URLs found in links are visited in another round.
  Result<void> visit_all() {
    do {
      found_ = 0;
      SHEAF_TRY(visit_pages());
    } while (found_ > 0 && may_go_on());
    return {};
  }

  /// Counts of the last iteration over the known URLs.
  struct Due {
    std::uint64_t listed = 0;
    std::uint64_t in_pass = 0;  ///< listed in this pass
    std::uint64_t fresh = 0;
  };

  static crawl::CrawlerOptions crawler_options(const CrawlTask& task) {
    http::fetch::FetchOptions fetch = task.options.fetch;
    fetch.recorder = task.options.page_recorder;
    return {.site = task.address,
            .fetch = std::move(fetch),
            .cancelled = task.options.cancelled,
            .page_bytes = task.options.crawl.page_bytes,
            .robots_tries = task.options.first_tries,
            .clock = task.options.clock};
  }

  [[nodiscard]] const CrawlPass& pass() const { return copies_.pass(); }

  [[nodiscard]] bool is_cancelled() const { return task_.options.cancelled && task_.options.cancelled(); }

  [[nodiscard]] bool may_go_on() const {
    if (is_cancelled()) return false;
    if (failures_ >= kFailuresInARow || unpaid_ >= kUnpaidInARow || is_full()) return false;
    return !options_.budget || clock_.now() - start_ < *options_.budget;
  }

  /// Whether the stored pages take more than the quota.
  [[nodiscard]] bool is_full() const { return bytes_ > task_.options.quota; }

  Result<void> list_pages() {
    if (!task_.wanted.only) SHEAF_TRY(list_site());
    // A list that was cut short is not used: the next pull lists again.
    if (is_cancelled()) return copies_.commit();
    for (const std::string& url : task_.wanted.urls) SHEAF_TRY(list(url, std::nullopt));
    for (const std::string& section : task_.wanted.sections) SHEAF_TRY(list_stored(section));
    CrawlPass listed = pass();
    listed.listed = !unread_;
    listed.only_wanted = task_.wanted.only;
    copies_.set_pass(std::move(listed));
    return copies_.commit();
  }

  Result<void> list_site() {
    SHEAF_TRY_ASSIGN(
        const SiteOffers offers,
        walk_site(task_.address, task_.robots, task_.downloads, task_.options.fetch.allow_http,
                  [this](const site::SitemapUrl& entry) { return list(entry.loc, entry.lastmod_at); }));
    result_.notes.insert(result_.notes.end(), offers.notes.begin(), offers.notes.end());
    if (is_cancelled()) return {};
    unread_ = offers.unread;
    CrawlPass listed = pass();
    // A sitemap that failed may be there next time; one that is refused will not.
    listed.by_links = offers.urls == 0 && (!unread_ || offers.refused.code == FailureCode::insecure_url);
    copies_.set_pass(std::move(listed));
    return list(task_.site + "/", std::nullopt);  // last, because a sitemap entry has more information
  }

  /// Lists the pages of a section that the sitemaps do not show to be current.
  Result<void> list_stored(const std::string& section) {
    store::PageFilter filter;
    filter.site = task_.site;
    filter.section = section;
    filter.with_json = false;
    return task_.store.each_page(filter, [&](const store::StoredPage& page) -> Result<bool> {
      if (current_.insert(page.url)) SHEAF_TRY(list(page.url, std::nullopt));
      return true;
    });
  }

  /// Records that a URL must be visited in this pass.
  Result<void> list(std::string_view text, std::optional<Instant> lastmod) {
    const auto parsed = base::Url::parse(text);
    if (!parsed || !site::is_same_site(*parsed, task_.address)) {
      ++result_.report.elsewhere;
      return skip(text, "other-site");
    }
    const std::string url(http::fetch::without_credentials(parsed->without_fragment()).href());
    if (crawler_.robots().judge_if_known(*parsed) == site::RobotsPermission::disallowed) {
      ++result_.report.disallowed;
      return skip(url, skip_reason(PageOutcome::disallowed));
    }
    SHEAF_TRY_ASSIGN(const bool held, is_held(url, lastmod));
    SHEAF_TRY_ASSIGN(CrawledUrl known, copies_.recall(url));
    if (held && !task_.wanted.sections.empty()) current_.insert(url);
    if (held && known.record.fate == PageOutcome::unknown) {
      ++result_.report.held;
      return {};
    }
    const bool visit_again = known.visited == pass().number && may_have_changed(known, lastmod);
    if (known.listed == pass().number && !visit_again) return {};
    if (known.listed != pass().number && listed_ >= task_.options.max_pages) {
      over_limit_ = true;
      if (listed_++ == task_.options.max_pages)
        result_.notes.push_back(fmt::format("the site has more than {}; the rest is skipped",
                                            base::counted(task_.options.max_pages, "page", "pages")));
      return skip(url, "max-pages");
    }
    if (known.listed != pass().number) ++listed_;
    ++found_;
    if (visit_again) known.visited = 0;
    known.listed = pass().number;
    known.record.lastmod = lastmod;
    return copies_.remember(known);
  }

  /// Whether a page may have changed or come back since it was visited in this pass.
  static bool may_have_changed(const CrawledUrl& known, const std::optional<Instant>& lastmod) {
    return known.record.fate == PageOutcome::disallowed || (lastmod && known.record.lastmod < lastmod);
  }

  Result<void> skip(std::string_view url, std::string_view reason) {
    if (task_.quality == nullptr) return {};
    return task_.quality->skip({.section = section_, .item = url, .reason = reason, .detail = {}});
  }

  /// Whether the page need not be fetched (CrawlTask::is_held). If links are followed, the front page is
  /// always fetched.
  Result<bool> is_held(std::string_view url, const std::optional<Instant>& lastmod) const {
    if (!task_.is_held || (pass().by_links && url == task_.site + "/")) return false;
    if (task_.wanted.urls.contains(url)) return false;
    if (task_.wanted.only) return true;
    return task_.is_held(url, lastmod);
  }

  /// One thread reads the URLs that are due, several threads fetch, extract and store pages, and the calling
  /// thread processes the results.
  Result<void> visit_pages() {
    due_ = {};
    using Settled = Result<crawl::SettledPage>;
    const auto make_worker = [this] {
      return [this, extractor = std::make_shared<extract::Extractor>()](crawl::PageVisit visit) -> Settled {
        return settle(*extractor, std::move(visit));
      };
    };
    SHEAF_TRY(crawler_.visit_pages<Settled>([this](const auto& push) { return push_due(push); }, make_worker,
                                            [this](Settled page) -> Result<bool> {
                                              if (!page) return std::unexpected(page.error());
                                              return take_visit(std::move(*page));
                                            }));
    SHEAF_TRY(remove_held_pages());
    if (!template_.get()) SHEAF_TRY(learn());
    return copies_.commit();
  }

  void extract(extract::Extractor& extractor, const crawl::SiteTemplate* site_template,
               crawl::CrawledPage& page) {
    crawl::extract_page(extractor, site_template, task_.address, crawler_.robots(), task_.options.clock(),
                        task_.options.crawl.links, page);
  }

  /// Pushes a request for every known URL that was not visited in this pass and is due.
  template <class Push>
  Result<void> push_due(const Push& push) {
    cut_short_ = false;
    const Instant now = task_.options.clock();
    Result<void> looked_up;
    SHEAF_TRY(copies_.state().each_url([&](CrawledUrl known) {
      ++due_.listed;
      if (known.listed == pass().number) ++due_.in_pass;
      crawl::UrlRecord& record = known.record;
      const bool must_go = record.fate != PageOutcome::disallowed && is_disallowed(record.url);
      if (known.visited == pass().number && !must_go) return true;
      if (known.listed != pass().number) record.lastmod.reset();  // no longer in a sitemap
      const auto held = is_held(record.url, record.lastmod);
      if (!held) {
        looked_up = std::unexpected(held.error());
        return false;
      }
      if (*held) {
        held_.push_back(std::move(known));
        return true;
      }
      crawl::Visit visit = crawl::choose_visit(crawl::last_visit(record), now);
      // A page that has not changed may have links that robots.txt disallowed before.
      if (visit == crawl::Visit::conditional && pass().by_links && pass().rules != task_.robots.digest)
        visit = crawl::Visit::fetch;
      if (visit == crawl::Visit::leave && !must_go) {
        ++due_.fresh;
        return true;
      }
      cut_short_ = !may_go_on() || !push(crawl::make_request(record, must_go ? crawl::Visit::fetch : visit));
      return !cut_short_;
    }));
    return looked_up;
  }

  [[nodiscard]] bool is_disallowed(const std::string& url) {
    const auto parsed = base::Url::parse(url);
    return parsed && crawler_.robots().judge_if_known(*parsed) == site::RobotsPermission::disallowed;
  }

  /// Removes crawled pages that a section from collections now has, and those that are not wanted any more.
  Result<void> remove_held_pages() {
    if (held_.empty()) return {};
    std::set<std::string> targets;  // wanted pages may redirect: their pages are stored under these URLs
    for (const std::string& url : task_.wanted.urls) {
      SHEAF_TRY_ASSIGN(const CrawledUrl wanted, copies_.recall(url));
      const PageOutcome fate = wanted.record.fate;
      if (fate != PageOutcome::missing && fate != PageOutcome::noindex)
        targets.insert(wanted.record.final_url);
    }
    for (const CrawledUrl& known : std::exchange(held_, {})) {
      if (targets.contains(known.record.url)) continue;
      ++result_.report.held;
      SHEAF_TRY(copies_.forget(known));
    }
    return {};
  }

  /// Runs on the threads that fetch. Pages that arrive before the template is known are settled later, by
  /// learn().
  Result<crawl::SettledPage> settle(extract::Extractor& extractor, crawl::PageVisit visit) {
    crawl::SettledPage settled{.page = {.visit = std::move(visit)}};
    if (settled.page.visit.cancelled) return settled;
    const auto site_template = template_.get();
    if (settled.page.is_raw() && !site_template) return settled;
    if (settled.page.is_raw()) extract(extractor, site_template.get(), settled.page);
    SHEAF_TRY_ASSIGN(settled.update, keep(settled.page));
    return settled;
  }

  /// Always returns true: push_due() decides when the crawl ends early.
  Result<bool> take_visit(crawl::SettledPage settled) {
    crawl::CrawledPage& page = settled.page;
    if (page.visit.cancelled) {  // says nothing about the page, so the next pull requests it
      cut_short_ = true;
      return true;
    }
    // Successful responses that arrive after the crawl has stopped do not reset the counter.
    if (failures_ < kFailuresInARow) failures_ = page.visit.unhealthy ? failures_ + 1 : 0;
    note_payment(page.visit);
    if (settled.update) {
      report_progress();
      return true;
    }
    learn_bytes_ += page.visit.body.size();
    learning_.push_back(std::move(page));
    // If the template is known, these pages were fetched while it was learned.
    if (template_.get() || crawl::is_enough_to_learn(learning_.size(), learn_bytes_)) SHEAF_TRY(learn());
    return true;
  }

  void note_payment(const crawl::PageVisit& visit) {
    const bool is_unpaid = visit.status == kPaymentRequired;
    if (unpaid_ < kUnpaidInARow) unpaid_ = is_unpaid ? unpaid_ + 1 : 0;
    if (is_unpaid) unpaid_page_ = visit.final_url;
  }

  /// Learns the site template, unless it is known, and settles the pages that wait for it.
  Result<void> learn() {
    extract::Extractor extractor;
    if (!template_.get()) {
      const auto learned = crawl::learn_template(
          extractor, learning_, [](const auto& page) -> const std::string& { return page.visit.body; },
          [](const auto& page) -> const std::string& { return page.visit.content_type; });
      if (learning_.size() >= crawl::kLearnPages) {
        const std::lock_guard lock(mutex_);
        SHEAF_TRY(copies_.write_template(learned->bytes()));
      }
      template_.set(learned);
    }
    const auto site_template = template_.get();
    for (crawl::CrawledPage& page : std::exchange(learning_, {})) {
      extract(extractor, site_template.get(), page);
      SHEAF_TRY(keep(page));
      report_progress();
    }
    learn_bytes_ = 0;
    return {};
  }

  /// Stores the result of a visit. The links of a page are listed in the same commit, because a visited page
  /// is not looked at again in this pass.
  Result<crawl::PageUpdate> keep(crawl::CrawledPage& page) {
    const std::lock_guard lock(mutex_);
    SHEAF_TRY_ASSIGN(crawl::PageUpdate update, crawl::settle_visit(copies_, page, task_.options.clock()));
    count(update, page.visit);
    bytes_ = bytes_before_ + copies_.stored_bytes();
    if (pass().by_links)
      for (const std::string& link : page.links) SHEAF_TRY(list(link, std::nullopt));
    if (!page.canonical.empty() && !task_.wanted.only) SHEAF_TRY(list(page.canonical, std::nullopt));
    SHEAF_TRY(copies_.commit_if_due());
    return update;
  }

  void count(const crawl::PageUpdate& update, const crawl::PageVisit& visit) {
    CrawlReport& report = result_.report;
    if (update.failed) return count_failure(page_failure(visit));
    if (visit.fate == PageOutcome::disallowed) {
      ++report.disallowed;
      return;
    }
    ++(visit.not_modified ? report.not_modified : report.fetched);
    if (update.unchanged) ++report.unchanged;
    // A page that turns out to be a duplicate while it is stored still counts as a page.
    const bool was_page = visit.fate == PageOutcome::stored && update.record.fate == PageOutcome::duplicate;
    if (was_page || (visit.not_modified && update.copy == crawl::CopyAction::keep)) return;
    switch (update.record.fate) {
      case PageOutcome::noindex: ++report.noindex; break;
      case PageOutcome::missing: ++report.missing; break;
      case PageOutcome::no_page: ++report.no_page; break;
      case PageOutcome::elsewhere: ++report.elsewhere; break;
      case PageOutcome::duplicate: ++report.duplicates; break;
      default: break;
    }
  }

  /// Also counts the failure in the pass, which is stored, because a later pull may end the pass.
  void count_failure(const Failure& failure) {
    CrawlReport& report = result_.report;
    ++report.failed;
    auto known = std::ranges::find(report.failures, failure.code, &FailedPages::code);
    if (known == report.failures.end())
      known = report.failures.insert(known, {failure.code, 0, failure.message});
    ++known->pages;
    copies_.count_failure();
  }

  /// "3 pages could not be fetched: http-status 2 (https://x/1 answered 500), too-slow 1 (...)".
  [[nodiscard]] std::string describe_failures() const {
    std::string text = fmt::format("{} could not be fetched", base::counted(pass().failed, "page", "pages"));
    std::string_view separator = ": ";
    for (const FailedPages& failed : result_.report.failures) {
      text += fmt::format("{}{} {} ({})", separator, to_string(failed.code), failed.pages, failed.first);
      separator = ", ";
    }
    return text;
  }

  void report_progress() {
    if (!task_.options.progress) return;
    const auto visited = [this] {
      const std::lock_guard lock(mutex_);
      const CrawlReport& report = result_.report;
      return report.fetched + report.not_modified + report.failed;
    };
    task_.options.progress({"pages", section_, 0, visited(), 0});
  }

  Result<void> end_pass() {
    CrawlReport& report = result_.report;
    report.listed = due_.listed;
    report.fresh = due_.fresh;
    report.complete = !cut_short_ && !is_cancelled() && failures_ < kFailuresInARow &&
                      unpaid_ < kUnpaidInARow && !is_full();
    if (is_cancelled())
      result_.failure = {FailureCode::cancelled,
                         "the pull was stopped before it was done; the next one continues from there"};
    else if (unpaid_ >= kUnpaidInARow)
      result_.failure = payment_failure(unpaid_page_);
    else if (failures_ >= kFailuresInARow)
      result_.failure = {FailureCode::pages_failed,
                         fmt::format("{} pages in a row could not be fetched, and the rest was not tried; {}",
                                     failures_.load(), describe_failures())};
    else if (is_full())
      result_.failure = {
          FailureCode::too_large,
          fmt::format("the pages of the site take more than its quota of {} bytes, and the rest "
                      "was not fetched; raise it with --quota",
                      task_.options.quota)};
    else if (report.complete && pass().failed > 0)
      result_.failure = {FailureCode::pages_failed, describe_failures()};
    if (report.complete) {
      CrawlPass ended = pass();
      ended.ended = true;
      ended.rules = task_.robots.digest;
      copies_.set_pass(std::move(ended));
    }
    if (over_limit_ && !result_.failure)
      result_.failure = {FailureCode::page_limit,
                         fmt::format("the site has more than {}; fetch more with --max-pages",
                                     base::counted(task_.options.max_pages, "page", "pages"))};
    if (unread_ && !result_.failure) result_.failure = unread_;
    report.complete = report.complete && !over_limit_ && !unread_;
    return copies_.commit();
  }

  const CrawlTask& task_;
  const std::string section_;
  const CrawlOptions& options_;
  crawl::Crawler crawler_;
  crawl::SharedTemplate template_;
  std::mutex mutex_;  ///< guards copies_, result_, listed_ and found_ while pages are visited
  StoreCopies copies_;
  std::vector<crawl::CrawledPage> learning_;  ///< fetched pages, waiting for the template
  std::size_t learn_bytes_ = 0;
  std::uint64_t listed_ = 0;
  Failure unread_;           ///< of the first sitemap that could not be read
  bool over_limit_ = false;  ///< the site has more pages than may be fetched
  base::UrlSet current_;     ///< listed pages that need not be fetched
  std::uint64_t found_ = 0;  ///< URLs added to the list in this round
  std::atomic<unsigned> failures_ = 0;
  std::atomic<unsigned> unpaid_ = 0;  ///< pages in a row that must be paid for
  std::string unpaid_page_;           ///< the last of them
  std::atomic<bool> cut_short_ = false;
  std::uint64_t bytes_before_ = 0;  ///< of the pages that were in the store
  std::atomic<std::uint64_t> bytes_ = 0;
  Due due_;
  std::vector<CrawledUrl> held_;  ///< pages that a section from collections has
  CrawlResult result_;
  http::fetch::WaitClock& clock_;
  http::fetch::WaitClock::Time start_;
};

}  // namespace

Result<std::optional<std::string>> find_crawled_section(const store::PageStore& store,
                                                        std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
  const auto found = std::ranges::find(sections, store::Origin::html, &store::SectionState::origin);
  return found == sections.end() ? std::nullopt : std::optional(found->section);
}

Result<std::string> choose_crawl_section(const store::PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(auto crawled, find_crawled_section(store, site));
  if (crawled) return std::move(*crawled);
  std::string name(kHtmlSection);
  for (unsigned number = 2;; ++number) {
    SHEAF_TRY_ASSIGN(const auto taken, store.section(site, name));
    if (!taken) return name;
    name = fmt::format("{}-{}", kHtmlSection, number);
  }
}

Result<CrawlResult> crawl(const CrawlTask& task) {
  SHEAF_TRY_ASSIGN(std::string section, choose_crawl_section(task.store, task.site));
  return Crawl(task, std::move(section)).run();
}

}  // namespace sheaf::pull
