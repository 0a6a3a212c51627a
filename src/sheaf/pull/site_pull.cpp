#include "sheaf/base/counted_text.h"
#include "sheaf/base/url_set.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/pull/collection_sync.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/fallback.h"
#include "sheaf/pull/moved_site.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/pull_history.h"
#include "sheaf/pull/section_memory.h"
#include "sheaf/pull/site_quality.h"
#include "sheaf/pull/site_signing.h"
#include "sheaf/pull/stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
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
        own_gate_(options.crawl.connections, options.crawl.connections, std::chrono::seconds(30),
                  *options.fetch.clock),
        end_(options.fetch.clock->now() + options.time_limit),
        stopped_(options.cancelled),
        options_(complete(options)),
        fetcher_(options_.fetch),
        downloads_(folder, fetcher_, options_.fetch.retry, options_.quota, options_.cancelled),
        hosts_(address, options_.also_hosts, options_.fetch.user_agent, fetcher_),
        other_hosts_(address, fetcher_, options_.crawl.delay, options_.other_hosts),
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
    if (not_before && *not_before > report_.began && !options_.ignore_retry_after) {
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
  PullOptions complete(PullOptions options) {
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
  Failure wait_for(Instant time) {
    const std::int64_t most = http::fetch::kLongestRetryAfter.count();  // the clock may have been wrong
    report_.retry_after = std::chrono::seconds(std::min(time.seconds - report_.began.seconds, most));
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
    if (options_.html == FetchPages::always && !options_.signing.require) return fetch_pages({}, {});
    SHEAF_TRY_ASSIGN(const SiteOffers offers,
                     walk_site(address_, robots_, downloads_, options_.allow_http, {}));
    report_.notes = offers.notes;
    note_schedule(offers.advertised);
    for (const auto& offer : offers.advertised.collections) offered_.push_back(offer.url);
    SHEAF_TRY_ASSIGN(report_.failure, signing_->adopt(offers.advertised.key, downloads_));
    if (report_.failure) {
      report_.route = PullRoute::collections;
      return {};
    }
    if (offers.advertised.collections.empty() && offers.unpaid) {
      report_.failure = offers.unpaid;
      return {};
    }
    SHEAF_TRY_ASSIGN(const std::vector<std::string> stored, stored_sections());
    if (offers.advertised.collections.empty()) {
      const bool had_collections = !stored.empty() && options_.sections.empty() && !must_be_signed();
      return had_collections ? after_collections(offers, stored) : without_collections(offers);
    }
    report_.route = PullRoute::collections;
    const OffersBySection by_section = group_by_section(offers.advertised.collections);
    SHEAF_TRY(note_new_hosts(offers.advertised.collections, !stored.empty()));
    const CollectionsTask task = collections_task(offers.advertised, by_section);
    SHEAF_TRY(
        pull_together(task, choose_sections({offers.advertised, by_section, options_.sections, stored})));
    SHEAF_TRY(cover_whole_site(task));
    if (std::string note = hosts_.note(); !note.empty()) report_.notes.push_back(std::move(note));
    SHEAF_TRY(judge_sections(offers));
    return retire_sections(offers, by_section, stored);
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
    SHEAF_TRY_ASSIGN(const auto former,
                     retire_former_copies(store_, address_, fetcher_, options_.shrink, options_.clock()));
    for (const FormerCopy& copy : former)
      report_.notes.push_back(fmt::format(
          "{} has moved here: its copy of {} {}", copy.site, base::counted(copy.pages, "page", "pages"),
          copy.held ? "was kept, because this copy has much fewer; if that is right, use --allow-shrink"
                    : "was deleted"));
    return {};
  }

  /// The sections of the site that the store has from collections.
  Result<std::vector<std::string>> stored_sections() const {
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(report_.site));
    std::vector<std::string> names;
    for (const store::SectionState& section : sections)
      if (section.origin == store::Origin::collections) names.push_back(section.section);
    return names;
  }

  /// Says when collections are on a host that the site never used: it may be a move to another CDN, or
  /// somebody who changed the sitemap.
  Result<void> note_new_hosts(const std::vector<site::AdvertisedCollection>& collections, bool knows_site) {
    constexpr std::string_view kNote = "collection-hosts";
    constexpr std::ptrdiff_t kMaxHosts = 16;
    SHEAF_TRY_ASSIGN(const auto note, store_.note(report_.site, kNote));
    std::string known = note.value_or("\n");
    const std::size_t before = known.size();
    for (const site::AdvertisedCollection& offer : collections) {
      const auto url = base::Url::parse(offer.url);
      const std::string line = url ? fmt::format("\n{}\n", url->host()) : std::string();
      if (line.empty() || known.contains(line) || std::ranges::count(known, '\n') > kMaxHosts) continue;
      known += line.substr(1);
      if (note || knows_site)
        report_.notes.push_back(
            fmt::format("collections are on the host {}, which this site did not use before", url->host()));
    }
    if (known.size() != before) closing_.put_note(kNote, known);
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

  /// Whether a section must be paid for. A site that charges for its collections does not want its pages to
  /// be crawled instead.
  [[nodiscard]] bool has_unpaid_section() const {
    return std::ranges::any_of(report_.sections, [](const PullSectionReport& section) {
      return section.failure.code == FailureCode::payment_required;
    });
  }

  void note_schedule(const site::Advertised& advertised) {
    for (const site::AdvertisedSection& section : advertised.sections) {
      if (!section.update_freq) continue;
      const std::int64_t seconds = site::seconds_of(*section.update_freq);
      report_.update_seconds = std::min(report_.update_seconds.value_or(seconds), seconds);
    }
  }

  CollectionsTask collections_task(const site::Advertised& advertised, const OffersBySection& offers) {
    CollectionsTask task{store_,     report_.site, advertised, offers,   robots_.rules,
                         downloads_, hosts_,       options_,   *signing_};
    if (quality_) task.on_skipped = [this](const quality::SkippedPage& page) { note_skipped(page); };
    return task;
  }

  /// Pulls sections so that a page that moves from one to another is never missing: first everything that
  /// loses no page, then, once all sections have arrived, the new pages of the rest, and last the removals.
  /// The shrink guard may still hold some of these back.
  Result<void> pull_together(CollectionsTask task, const std::vector<std::string>& sections) {
    const bool is_one = sections.size() < 2 || !options_.sections.empty();
    task.losses = is_one ? store::Losses::accept : store::Losses::hold;
    SHEAF_TRY(pull_sections(task, sections));
    if (is_one || options_.plan_only || is_cancelled()) return {};
    SHEAF_TRY(pull_again(task, [](const PullSectionReport& section) { return section.held_back; }));
    // A section that has failed for long must not keep the others from removing pages.
    const bool is_missing = std::ranges::any_of(report_.sections, [](const PullSectionReport& section) {
      return section.held_back || (!section.ok && !section.losses_held && section.failures < kGracePulls);
    });
    if (is_missing) return {};
    const auto is_held = [](const PullSectionReport& section) { return section.losses_held; };
    if (std::ranges::none_of(report_.sections, is_held)) return {};
    task.losses = store::Losses::keep;
    SHEAF_TRY(pull_again(task, is_held));
    SHEAF_TRY_ASSIGN(const bool may_remove, fetch_before_removals());
    if (!may_remove) return {};
    task.losses = store::Losses::accept;
    return pull_again(task, is_held);
  }

  /// A page may move to a section that has it in a form that cannot be read. Until it is fetched, the section
  /// that it leaves has its only copy. Returns whether removals lose no such page.
  Result<bool> fetch_before_removals() {
    const UnreadableByUrl unreadable = unreadable_pages();
    std::vector<std::string> leaving;
    for (const auto& [url, listed] : unreadable) {
      for (const PullSectionReport& section : report_.sections) {
        if (!section.losses_held) continue;
        SHEAF_TRY_ASSIGN(const auto page, store_.find(report_.site, section.section, url));
        if (page) leaving.push_back(url);
      }
    }
    if (leaving.empty()) return true;
    if (options_.html == FetchPages::never || must_be_signed()) return false;
    SHEAF_TRY_ASSIGN(const bool is_mixed, has_own_crawled_pages());
    SHEAF_TRY(fetch_with_unreadable(make_held_filter({}), {.only = !is_mixed}, unreadable));
    report_.ok = false;  // not judged yet
    report_.failure = {};
    report_.route = PullRoute::collections;
    const CrawlState state(store_, report_.site);
    for (const std::string& url : leaving) {
      SHEAF_TRY_ASSIGN(const CrawledUrl known, state.url(url));
      if (known.record.fate != crawl::PageOutcome::stored && !is_gone(known.record.fate)) return false;
    }
    return true;
  }

  /// Whether pages that the collections do not have are fetched one by one, too.
  Result<bool> has_own_crawled_pages() const {
    SHEAF_TRY_ASSIGN(const auto crawled, find_crawled_section(store_, report_.site));
    SHEAF_TRY_ASSIGN(const auto pass, CrawlState(store_, report_.site).pass());
    return crawled && pass && !pass->only_wanted && options_.sections.empty();
  }

  template <class Choice>
  Result<void> pull_again(const CollectionsTask& task, const Choice& is_chosen) {
    for (PullSectionReport& section : report_.sections) {
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
    for (const std::string& section : sections) {
      SHEAF_TRY_ASSIGN(auto result, pull_section(task, section));
      for (const std::string& note : result.plan.notes) report_.notes.push_back(note);
      if (result.misdated)
        report_.notes.push_back(fmt::format(
            "section {} was dated in the future by a clock that was wrong; it was read again from a snapshot",
            section));
      if (result.resynchronised)
        report_.notes.push_back(fmt::format(
            "section {} did not match the state digest of the site and was read again from a snapshot",
            section));
      report_.sections.push_back(std::move(result));
      if (is_cancelled()) break;
    }
    return {};
  }

  [[nodiscard]] bool is_cancelled() const { return options_.cancelled && options_.cancelled(); }

  PullSectionReport* find_report(std::string_view section) {
    const auto found = std::ranges::find(report_.sections, section, &PullSectionReport::section);
    return found == report_.sections.end() ? nullptr : &*found;
  }

  /// If section `all` cannot be used, tries the other sections of the site, which may have its pages.
  Result<void> cover_whole_site(const CollectionsTask& task) {
    if (options_.plan_only || is_cancelled() || !options_.sections.empty() || task.offers.size() < 2)
      return {};
    const PullSectionReport* whole = find_report(kWholeSite);
    if (whole == nullptr || whole->ok || !can_fall_back(whole->failure.code)) return {};
    std::vector<std::string> others;
    for (const auto& [section, offered] : task.offers)
      if (find_report(section) == nullptr) others.push_back(section);
    SHEAF_TRY(pull_sections(task, others));
    for (const std::string& section : others) SHEAF_TRY(mark_stand_in(store_, report_.site, section));
    whole = find_report(kWholeSite);
    Coverage coverage{.stated = stated_pages(task.advertised, task.offers, kWholeSite),
                      .stored = whole->pages};
    if (report_.sections.size() != task.offers.size()) return {};
    // A set instead of lookups in the store, because a site may have thousands of sections.
    base::UrlSet urls;
    for (const PullSectionReport& section : report_.sections) {
      if (&section == whole) continue;
      if (!section.ok) return {};
      coverage.is_as_new = coverage.is_as_new && newest_of(task.offers.at(section.section)) >=
                                                     newest_of(task.offers.at(whole->section));
      SHEAF_TRY(add_new_urls(store_, report_.site, section.section, urls, coverage.others));
    }
    SHEAF_TRY(add_new_urls(store_, report_.site, kWholeSite, urls, coverage.lost));
    return covers_whole_site(coverage, options_.shrink) ? replace_whole_site() : Result<void>();
  }

  /// Drops section `all`: its pages are outdated and include deleted ones, so they must not stay in the store
  /// next to those of the other sections.
  Result<void> replace_whole_site() {
    PullSectionReport& whole = *find_report(kWholeSite);
    whole.covered = true;
    SHEAF_TRY(store_.drop_section(report_.site, kWholeSite, options_.clock()));
    whole.pages = 0;
    report_.notes.push_back(fmt::format("section {} cannot be used ({}): the other sections replace it",
                                        kWholeSite, whole.failure.message));
    return {};
  }

  /// What the pull found about the sections that are not offered any more.
  struct Withdrawal {
    std::vector<std::string> retired;
    std::uint64_t lost = 0;  ///< pages of these that no other section has
  };

  /// Counts a pull that found the section withdrawn.
  Result<SectionMemory> note_withdrawn(const std::string& section) {
    SHEAF_TRY_ASSIGN(SectionMemory memory, read_section_memory(store_, report_.site, section));
    ++memory.withdrawn;
    if (memory.withdrawn == 1 || !memory.failing_since || *memory.failing_since > report_.began)
      memory.failing_since = report_.began;
    SHEAF_TRY(write_section_memory(store_, report_.site, section, memory));
    return memory;
  }

  static OffersRead how_read(const SiteOffers& offers) {
    if (offers.unread) return OffersRead::unread;
    return offers.whole ? OffersRead::whole : OffersRead::missing;
  }

  /// Removes sections that the site offers no more. As long as that may be a mistake, the copy is not up to
  /// date. If other sections failed, their pages may be there, so this pull only counts.
  Result<void> retire_sections(const SiteOffers& offers, const OffersBySection& offered,
                               const std::vector<std::string>& stored) {
    if (options_.plan_only || is_cancelled() || !options_.sections.empty() || offers.unread) return {};
    std::vector<std::string> gone;
    for (const std::string& section : stored)
      if (!offered.contains(section)) gone.push_back(section);
    if (gone.empty()) return {};
    base::UrlSet urls;
    std::uint64_t pages = 0;
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(report_.site));
    for (const store::SectionState& section : sections)
      if (std::ranges::find(gone, section.section) == gone.end())
        SHEAF_TRY(add_new_urls(store_, report_.site, section.section, urls, pages));
    Withdrawal withdrawal;
    const bool may_remove = report_.ok;
    for (const std::string& section : gone) {
      std::uint64_t lost = 0;
      SHEAF_TRY(add_new_urls(store_, report_.site, section, urls, lost));
      SHEAF_TRY_ASSIGN(const SectionMemory memory, note_withdrawn(section));
      if (!may_remove) continue;
      if (is_retired({how_read(offers), lost == 0, memory.withdrawn, memory.failing_since}, report_.began)) {
        withdrawal.retired.push_back(section);
        withdrawal.lost += lost;
      } else {
        report_withdrawn(section,
                         {FailureCode::section_withdrawn,
                          fmt::format("the site offers section {} no more; if the next pull finds the "
                                      "same, its pages are removed",
                                      section)});
      }
    }
    return drop_retired(withdrawal, pages);
  }

  void report_withdrawn(const std::string& section, Failure failure) {
    report_.ok = false;
    report_.failure = failure;
    PullSectionReport report;
    report.section = report.plan.section = section;
    report.failure = std::move(failure);
    report_.sections.push_back(std::move(report));
  }

  /// `others`: pages of all other sections.
  Result<void> drop_retired(const Withdrawal& withdrawal, std::uint64_t others) {
    const bool is_held = options_.shrink == format::Shrink::refuse &&
                         format::is_suspicious_shrink(others + withdrawal.lost, withdrawal.lost);
    for (const std::string& section : withdrawal.retired) {
      if (is_held) {
        report_withdrawn(
            section, {FailureCode::shrink_held,
                      fmt::format("the site offers section {} no more; to remove its pages, {} of the {} of "
                                  "the site, use --allow-shrink",
                                  section, withdrawal.lost, others + withdrawal.lost)});
        continue;
      }
      SHEAF_TRY_ASSIGN(const std::uint64_t pages,
                       store_.drop_section(report_.site, section, options_.clock()));
      SHEAF_TRY(write_section_memory(store_, report_.site, section, {}));
      report_.notes.push_back(fmt::format("the site offers section {} no more: its {} removed", section,
                                          base::counted(pages, "page was", "pages were")));
    }
    return {};
  }

  /// Handles a site that had collections and now offers none: perhaps only for an hour, because a file is
  /// missing. Later its pages are fetched one by one.
  Result<void> after_collections(const SiteOffers& offers, const std::vector<std::string>& stored) {
    report_.route = PullRoute::collections;
    if (offers.refused.code == FailureCode::robots_disallowed && !robots_.rules.judge(address_).allowed) {
      report_.failure = offers.refused;  // nothing is known about the collections
      return {};
    }
    const OffersRead read = how_read(offers);
    bool is_due = true;
    for (const std::string& section : stored) {
      if (options_.plan_only) break;
      SHEAF_TRY_ASSIGN(const SectionMemory memory, note_withdrawn(section));
      is_due = is_due && is_retired({read, false, memory.withdrawn, memory.failing_since}, report_.began);
    }
    report_.failure = offers.unread
                          ? offers.unread
                          : Failure{FailureCode::section_withdrawn,
                                    fmt::format("{} offers no collections any more; the copy stays until "
                                                "further pulls find the same",
                                                report_.site)};
    if (!is_due || options_.plan_only || options_.html == FetchPages::never || must_be_signed() ||
        is_cancelled())
      return {};
    report_.notes.emplace_back("the site offers no collections any more: its pages are fetched one by one");
    const Failure unread = std::exchange(report_.failure, {});
    SHEAF_TRY(fetch_pages({}, {.sections = stored}));
    if (report_.ok && !offers.unread) return replace_collections(stored);
    SHEAF_TRY(remove_gone_pages(stored));
    report_.ok = false;
    if (!report_.failure) report_.failure = unread;
    return {};
  }

  /// Drops the sections of a site whose pages have all been fetched one by one.
  Result<void> replace_collections(const std::vector<std::string>& stored) {
    SHEAF_TRY_ASSIGN(const auto crawled, find_crawled_section(store_, report_.site));
    base::UrlSet urls;
    std::uint64_t pages = 0;
    if (crawled) SHEAF_TRY(add_new_urls(store_, report_.site, *crawled, urls, pages));
    Withdrawal withdrawal{.retired = stored};
    for (const std::string& section : stored)
      SHEAF_TRY(add_new_urls(store_, report_.site, section, urls, withdrawal.lost));
    return drop_retired(withdrawal, pages);
  }

  /// Whether a visit showed that the page is no page of the site any more.
  static bool is_gone(crawl::PageOutcome fate) {
    return fate == crawl::PageOutcome::missing || fate == crawl::PageOutcome::noindex ||
           fate == crawl::PageOutcome::elsewhere || fate == crawl::PageOutcome::duplicate;
  }

  /// Removes pages from sections whose collections cannot be used, if this pull found that they are gone.
  Result<void> remove_gone_pages(const std::vector<std::string>& sections) {
    const CrawlState state(store_, report_.site);
    for (const std::string& section : sections) {
      store::SectionEdit edit(report_.site, section);
      store::PageFilter filter;
      filter.site = report_.site;
      filter.section = section;
      filter.with_json = false;
      SHEAF_TRY(store_.each_page(filter, [&](const store::StoredPage& page) -> Result<bool> {
        SHEAF_TRY_ASSIGN(const CrawledUrl known, state.url(page.url));
        if (is_gone(known.record.fate) && known.record.fetched >= report_.began) edit.remove_page(page.url);
        return true;
      }));
      if (!edit.pages().empty()) SHEAF_TRY(store_.commit(edit));
    }
    return {};
  }

  /// Combines the results of the sections, and fetches pages one by one if necessary.
  Result<void> judge_sections(const SiteOffers& offers) {
    std::vector<std::string> to_crawl;
    const PullSectionReport* patient = nullptr;  // a failed section that is not crawled (yet)
    for (const PullSectionReport& section : report_.sections) {
      if (section.ok || section.covered) continue;
      if (!report_.failure || section.held_back) report_.failure = section.failure;
      const FailingSection failing{section.failure.code, section.pages, section.failures,
                                   section.failing_since};
      // Removals that wait for another section are no reason to crawl this one.
      if (!section.losses_held && is_crawl_due(failing, report_.began)) {
        to_crawl.push_back(section.section);
      } else if (patient == nullptr || section.held_back) {
        patient = &section;
      }
    }
    report_.ok = !report_.failure && !report_.sections.empty();
    if (options_.plan_only) return {};
    if (report_.ok && offers.unread) {
      report_.failure = offers.unread;
      report_.ok = false;
      return {};
    }
    if (report_.ok) return complete_from_pages();
    // A crawled page does not say which section it belongs to, so sections requested by name are not crawled.
    // If the site signs its collections, unsigned pages are not accepted.
    if (to_crawl.empty() || options_.html == FetchPages::never || is_cancelled() ||
        !options_.sections.empty() || must_be_signed() || has_unpaid_section())
      return {};
    report_.notes.push_back(fmt::format(
        "the collections of {} cannot be used ({}): pages that are missing are fetched one by one",
        to_crawl.size() == 1 ? "section " + to_crawl.front() : fmt::format("{} sections", to_crawl.size()),
        report_.failure.message));
    report_.failure = {};
    const std::vector<std::string> doubtful = with_older_sections(std::move(to_crawl), offers);
    SHEAF_TRY(fetch_with_unreadable(make_held_filter(doubtful), {.sections = doubtful}, unreadable_pages()));
    SHEAF_TRY(remove_gone_pages(doubtful));
    if (report_.ok && patient != nullptr) {
      report_.ok = false;
      report_.failure = patient->failure;
    }
    return {};
  }

  /// If `all` cannot be used, adds the sections that are older: `all` may have newer versions of their pages.
  std::vector<std::string> with_older_sections(std::vector<std::string> broken,
                                               const SiteOffers& offers) const {
    if (std::ranges::find(broken, kWholeSite) == broken.end()) return broken;
    const OffersBySection by_section = group_by_section(offers.advertised.collections);
    const auto whole = newest_of(by_section.find(kWholeSite)->second);
    for (const auto& [section, offered] : by_section)
      if (newest_of(offered) < whole && std::ranges::find(broken, section) == broken.end())
        broken.push_back(section);
    return broken;
  }

  static bool is_as_new(const store::StoredPage& page, const Instant& lastmod) {
    const auto modified = parse_time(page.modified);
    return modified && modified->instant >= lastmod;
  }

  /// Selects the pages that need not be crawled: those that are no older than the sitemap says. If the
  /// sitemap does not say, those of the sections that are not in `broken`: a broken section may have a newer
  /// version of their pages, too.
  HeldFilter make_held_filter(const std::vector<std::string>& broken) {
    std::vector<std::string> intact;
    for (const PullSectionReport& section : report_.sections)
      if (std::ranges::find(broken, section.section) == broken.end()) intact.push_back(section.section);
    return
        [this, intact, broken](std::string_view url, const std::optional<Instant>& lastmod) -> Result<bool> {
          for (const std::string& section : intact) {
            SHEAF_TRY_ASSIGN(const auto page, store_.find(report_.site, section, url));
            if (page && (!lastmod || broken.empty() || is_as_new(*page, *lastmod))) return true;
          }
          if (!lastmod) return false;
          for (const std::string& section : broken) {
            SHEAF_TRY_ASSIGN(const auto page, store_.find(report_.site, section, url));
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

  /// Fetches what the collections lack: pages that break a rule of the format, and pages that were fetched
  /// one by one before the site had collections and that these do not have.
  Result<void> complete_from_pages() {
    const PullSectionReport* const whole = find_report(kWholeSite);
    if (options_.sections.empty() && whole != nullptr && !whole->covered)
      SHEAF_TRY(drop_stand_ins(store_, report_.site, options_.clock()));
    const UnreadableByUrl unreadable = unreadable_pages();
    SHEAF_TRY_ASSIGN(const auto crawled, find_crawled_section(store_, report_.site));
    SHEAF_TRY_ASSIGN(const auto pass, CrawlState(store_, report_.site).pass());
    SHEAF_TRY_ASSIGN(const bool is_mixed, has_own_crawled_pages());
    if (unreadable.empty() && !is_mixed) {
      if (!options_.sections.empty()) return {};
      return crawled || pass ? drop_crawled(crawled, 0) : Result<void>();
    }
    if (options_.html == FetchPages::never || must_be_signed()) return without_pages(unreadable.size());
    std::uint64_t before = 0;
    if (crawled) {
      SHEAF_TRY_ASSIGN(const auto section, store_.section(report_.site, *crawled));
      before = section ? section->pages : 0;
    }
    SHEAF_TRY(fetch_with_unreadable(make_held_filter({}), {.only = !is_mixed}, unreadable));
    report_.route = PullRoute::collections;
    return report_.ok && report_.crawl->pages == 0 ? drop_crawled(crawled, before) : Result<void>();
  }

  /// The pages may not be fetched one by one.
  Result<void> without_pages(std::size_t unreadable) {
    if (unreadable == 0) return {};
    report_.ok = false;
    report_.failure = {
        FailureCode::unreadable_page,
        fmt::format("{} of the collections break a rule of the format, and may not be fetched one "
                    "by one",
                    base::counted(unreadable, "page", "pages"))};
    return {};
  }

  /// By the normal form of the URL: each section that lists it.
  using UnreadableByUrl = std::map<std::string, std::vector<Unreadable>>;

  [[nodiscard]] UnreadableByUrl unreadable_pages() const {
    UnreadableByUrl pages;
    for (const PullSectionReport& section : report_.sections)
      for (const auto& [url, generated] : section.unreadable)
        if (const auto parsed = base::Url::parse(url))
          pages[std::string(parsed->without_fragment().href())].push_back({section.section, url});
    return pages;
  }

  /// Fetches pages one by one, among them those that the collections list but cannot supply.
  Result<void> fetch_with_unreadable(const HeldFilter& is_held, WantedPages wanted,
                                     const UnreadableByUrl& pages) {
    for (const auto& [url, listed] : pages) wanted.urls.insert(url);
    SHEAF_TRY(fetch_pages(is_held, std::move(wanted)));
    return settle_unreadable(pages);
  }

  /// A page that was fetched, or is gone, replaces the version that an older collection had.
  Result<void> settle_unreadable(const UnreadableByUrl& pages) {
    const CrawlState state(store_, report_.site);
    for (const auto& [url, listed] : pages) {
      SHEAF_TRY_ASSIGN(const CrawledUrl known, state.url(url));
      const crawl::PageOutcome fate = known.record.fate;
      for (const Unreadable& page : listed) {
        if (fate == crawl::PageOutcome::stored || is_gone(fate)) {
          store::SectionEdit edit(report_.site, page.section);
          edit.remove_page(page.url);
          SHEAF_TRY(store_.commit(edit));
        } else if (report_.ok) {
          report_.ok = false;
          report_.failure = {
              FailureCode::unreadable_page,
              fmt::format("{} breaks a rule of the format in section {}, and its HTML page cannot "
                          "be used either",
                          page.url, page.section)};
        }
      }
    }
    return {};
  }

  /// Deletes the section of crawled pages and the state of the crawl: the collections have everything.
  /// `dropped`: pages of the section that this pull has dropped before.
  Result<void> drop_crawled(const std::optional<std::string>& crawled, std::uint64_t dropped) {
    if (crawled) {
      SHEAF_TRY_ASSIGN(const std::uint64_t left,
                       store_.drop_section(report_.site, *crawled, options_.clock()));
      const std::uint64_t pages = left + dropped;
      if (pages > 0)
        report_.notes.push_back(
            fmt::format("the site has collections now; they replace {} fetched one by one",
                        base::counted(pages, "page that was", "pages that were")));
    }
    CrawlState::remove_crawl(closing_);
    return {};
  }

  [[nodiscard]] bool must_be_signed() const { return signing_->is_signed() || signing_->is_required(); }

  /// Handles a site that never had collections.
  Result<void> without_collections(const SiteOffers& offers) {
    if (must_be_signed()) {
      report_.failure = {
          FailureCode::unsigned_collection,
          fmt::format("{} offers no collections, and pages that are fetched one by one are not "
                      "signed; if the publisher confirms that it signs no longer, pull once with "
                      "--key {}=none",
                      report_.site, report_.site)};
      return {};
    }
    if (options_.html == FetchPages::never || !options_.sections.empty()) {
      report_.failure = {FailureCode::no_collections, fmt::format("{} offers no collections", report_.site)};
      if (offers.unread) report_.failure = offers.unread;
      if (offers.refused) report_.failure = offers.refused;
      return {};
    }
    report_.notes.emplace_back("the site offers no collections: its pages are fetched one by one");
    return fetch_pages({}, {});
  }

  Result<void> fetch_pages(const HeldFilter& is_held, WantedPages wanted) {
    report_.route = PullRoute::html;
    if (options_.plan_only) {
      report_.ok = true;
      return {};
    }
    SHEAF_TRY_ASSIGN(auto result, crawl({store_, report_.site, address_, robots_, downloads_, options_,
                                         is_held, wanted, quality_ ? &*quality_ : nullptr}));
    report_.crawl = result.report;
    report_.requests += result.use.requests;
    report_.bytes += result.use.bytes;
    for (std::string& note : result.notes)
      if (std::ranges::find(report_.notes, note) == report_.notes.end())
        report_.notes.push_back(std::move(note));
    report_.failure = std::move(result.failure);
    const bool has_pages = result.report.pages > 0 || result.report.held > 0 || wanted.only;
    // Pages that failed before the crawl was interrupted matter no more if the site is closed now.
    const bool is_closed = result.report.failed == 0 && is_closed_to(result.report);
    if ((!report_.failure || is_closed) && !has_pages && result.report.complete)
      report_.failure = nothing_fetched(result.report);
    report_.ok = !report_.failure;
    return {};
  }

  static bool is_closed_to(const CrawlReport& crawl) { return crawl.fetched == 0 && crawl.disallowed > 0; }

  [[nodiscard]] Failure nothing_fetched(const CrawlReport& crawl) const {
    if (is_closed_to(crawl))
      return {FailureCode::robots_disallowed,
              fmt::format("robots.txt of {} disallows its pages for this crawler", report_.site)};
    return {FailureCode::no_pages,
            fmt::format("{} has neither collections nor pages that could be fetched", report_.site)};
  }

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
  const PullOptions options_;
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

std::string_view to_string(PullRoute route) {
  switch (route) {
    case PullRoute::none: return "none";
    case PullRoute::collections: return "collections";
    case PullRoute::html: return "html";
    case PullRoute::warc: return "warc";
  }
  return "none";
}

Result<PullReport> pull_site(store::PageStore& store, const base::Url& address,
                             const std::filesystem::path& downloads, const PullOptions& options) {
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
