#include "sheaf/pull/crawl.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/page_decoder.h"
#include "sheaf/format/page_encoder.h"
#include "sheaf/format/page_fingerprint.h"
#include "sheaf/pull/page_fetch.h"
#include "sheaf/site/page_identity.h"
#include "sheaf/store/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using std::chrono::steady_clock;

constexpr std::size_t kLearnPages = 32;  // from which a site's frame is known
constexpr std::size_t kLearnBytes = std::size_t{32} << 20;
constexpr std::size_t kCommitVisits = 64;
constexpr std::size_t kCommitBytes = std::size_t{4} << 20;
constexpr std::chrono::seconds kCommitTime{5};
constexpr unsigned kFailuresInARow = 10;  // after so many the site is let alone
constexpr std::chrono::seconds kLongestDelay{60};

/// One pass over a site.
struct Pass {
  std::uint64_t number = 0;
  bool listed = false;    ///< the sitemaps were read
  bool by_links = false;  ///< ... and named nothing, so links are followed
  bool ended = true;
  std::string section = std::string(kHtmlSection);  ///< that its pages are stored in
  bool has_pages = false;                           ///< some were stored there, in this pass or before
};

std::string encode(const Pass& pass) {
  store::RecordWriter record;
  record.number(pass.number)
      .number(pass.listed ? 1 : 0)
      .number(pass.by_links ? 1 : 0)
      .number(pass.ended ? 1 : 0)
      .text(pass.section)
      .number(pass.has_pages ? 1 : 0);
  return record.bytes();
}

Pass decode_pass(std::string_view bytes) {
  store::RecordReader record(bytes);
  Pass pass;
  pass.number = record.number();
  pass.listed = record.number() != 0;
  pass.by_links = record.number() != 0;
  pass.ended = record.number() != 0;
  if (record.good()) return pass;  // as older versions wrote it
  pass.section = record.text();
  pass.has_pages = record.number() != 0;
  return record.good() ? pass : Pass{};
}

/// What the site's pages have in common, once that is known; asked for by every thread that extracts.
class SharedProfile {
 public:
  [[nodiscard]] std::shared_ptr<const html::SiteProfile> get() const {
    const std::lock_guard lock(mutex_);
    return profile_;
  }
  void set(html::SiteProfile profile) {
    const std::lock_guard lock(mutex_);
    profile_ = std::make_shared<const html::SiteProfile>(std::move(profile));
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const html::SiteProfile> profile_;
};

class Crawl {
 public:
  Crawl(const CrawlTask& task, std::string section)
      : task_(task),
        section_(std::move(section)),
        options_(task.options.crawl),
        own_gate_(options_.connections, options_.connections),
        gate_(task.options.fetch.gate != nullptr ? *task.options.fetch.gate : own_gate_),
        robots_(
            task.options.fetch.user_agent, ask_robots(),
            [this](const base::Url& origin, const site::RobotsRules& rules) { set_delay(origin, rules); }),
        fetch_{.site = task.address,
               .robots = robots_,
               .page_bytes = options_.page_bytes,
               .cancelled = task.options.cancelled},
        edit_(task.store.edit(task.site, section_)),
        decoder_(task.options.limits, format::Detail::checks),
        start_(steady_clock::now()),
        last_commit_(start_) {
    robots_.set(task.address, task.robots.rules);
    set_delay(task.address, task.robots.rules);
  }

  Result<CrawlResult> run() {
    SHEAF_TRY(begin_pass());
    if (!pass_.listed) SHEAF_TRY(list_pages());
    SHEAF_TRY(load_profile());
    // What links lead to is found on the way, and visited in another round.
    do {
      found_ = 0;
      SHEAF_TRY(visit_pages());
    } while (found_ > 0 && may_go_on());
    SHEAF_TRY(end_pass());
    SHEAF_TRY_ASSIGN(const auto state, task_.store.section(task_.site, section_));
    result_.report.pages = state ? state->pages : 0;
    return std::move(result_);
  }

 private:
  /// What the last walk over the notes counted.
  struct Due {
    std::uint64_t listed = 0;
    std::uint64_t fresh = 0;
  };
  using Pipeline = base::OrderedPipeline<PageTask, PageVisit>;
  struct StopAtEnd {
    Pipeline& pipeline;
    ~StopAtEnd() { pipeline.stop(); }
  };

  /// For origins of the site other than the one that was named: http beside https, with or without www.
  site::AskRobots ask_robots() {
    auto options = task_.options.fetch;
    options.gate = &gate_;
    const auto fetcher = std::make_shared<http::Fetcher>(std::move(options));
    return [this, fetcher](const base::Url& url) {
      auto reply = ask_for_robots(*fetcher, url, task_.options.first_tries);
      const http::FetchUse use = fetcher->take_use();
      const std::lock_guard lock(use_mutex_);
      result_.use.requests += use.requests;
      result_.use.bytes += use.bytes;
      return reply;
    };
  }

  /// What an origin's robots.txt asks for counts if it is more than we would wait anyway.
  void set_delay(const base::Url& origin, const site::RobotsRules& rules) {
    const double asked =
        std::clamp(rules.crawl_delay().value_or(0.0), 0.0, static_cast<double>(kLongestDelay.count()));
    const auto delay =
        std::max(options_.delay, std::chrono::milliseconds(static_cast<std::int64_t>(asked * 1000)));
    const unsigned port = origin.port().value_or(origin.scheme() == "https" ? 443 : 80);
    gate_.set_delay(fmt::format("{}:{}", origin.host(), port), delay);
  }

  [[nodiscard]] bool is_cancelled() const { return task_.options.cancelled && task_.options.cancelled(); }

  [[nodiscard]] bool may_go_on() const {
    if (is_cancelled()) return false;
    if (failures_ >= kFailuresInARow) return false;
    return !options_.budget || steady_clock::now() - start_ < *options_.budget;
  }

  Result<void> begin_pass() {
    SHEAF_TRY_ASSIGN(const auto bytes, task_.store.note(task_.site, kPassNote));
    if (bytes) pass_ = decode_pass(*bytes);
    SHEAF_TRY(check_section());
    if (!pass_.ended) return {};
    pass_ = {.number = pass_.number + 1,
             .listed = false,
             .by_links = false,
             .ended = false,
             .section = section_,
             .has_pages = pass_.has_pages};
    return save_pass();
  }

  /// The notes say which pages are stored. If these went with their section, because collections replaced it
  /// or somebody dropped it, the notes are void: by them the pages would never be fetched again.
  Result<void> check_section() {
    SHEAF_TRY_ASSIGN(const auto state, task_.store.section(task_.site, section_));
    const bool is_lost = pass_.has_pages && !state;
    if (pass_.section == section_ && !is_lost) {
      if (state) note_pages();
      return {};
    }
    edit_.remove_notes(kPageNotes);
    pass_ = {.number = pass_.number, .section = section_};
    return save_pass();
  }

  /// From now on the section has pages. On disk with the first of them.
  void note_pages() {
    if (!std::exchange(pass_.has_pages, true)) edit_.put_note(kPassNote, encode(pass_));
  }

  Result<void> save_pass() {
    edit_.put_note(kPassNote, encode(pass_));
    return commit();
  }

  Result<void> list_pages() {
    SHEAF_TRY_ASSIGN(
        const SiteOffers offers,
        walk_site(task_.address, task_.robots.robots, task_.downloads, task_.options.allow_http,
                  [this](const site::SitemapUrl& entry) { return list(entry.loc, entry.lastmod_at); }));
    result_.notes.insert(result_.notes.end(), offers.notes.begin(), offers.notes.end());
    if (is_cancelled()) return commit();  // what was not read counts for nothing: the next pull lists anew
    pass_.by_links = offers.urls == 0;
    SHEAF_TRY(list(task_.site + "/", std::nullopt));  // last: a sitemap knows more of it
    pass_.listed = true;
    return save_pass();
  }

  /// Remembers that an address is to be visited in this pass.
  Result<void> list(std::string_view address, std::optional<base::Instant> lastmod) {
    const auto parsed = base::Url::parse(address);
    if (!parsed || !site::is_same_site(*parsed, task_.address)) {
      ++result_.report.no_page;
      return {};
    }
    if (robots_.judge_if_known(*parsed) == site::RobotsPermission::disallowed) {
      ++result_.report.disallowed;
      return {};
    }
    const std::string url(parsed->without_fragment().href());
    SHEAF_TRY_ASSIGN(const bool held, is_held(url, lastmod));
    SHEAF_TRY_ASSIGN(PageNote note, recall(url));
    if (held && note.fate == PageFate::unknown) {
      ++result_.report.held;
      return {};
    }
    if (note.listed == pass_.number) return {};
    if (listed_ >= options_.max_pages) {
      if (listed_++ == options_.max_pages)
        result_.notes.push_back(fmt::format("the site has more than {}; the rest is passed over",
                                            base::counted(options_.max_pages, "page", "pages")));
      return {};
    }
    ++listed_;
    ++found_;
    note.listed = pass_.number;
    note.lastmod = lastmod;
    return remember(note);
  }

  /// Where links are followed, the front page is needed for them.
  Result<bool> is_held(std::string_view url, const std::optional<base::Instant>& lastmod) const {
    if (!task_.is_held || (pass_.by_links && url == task_.site + "/")) return false;
    return task_.is_held(url, lastmod);
  }

  /// What is known of an address, changes that are not written yet included.
  Result<PageNote> recall(const std::string& url) {
    const std::string name = note_name(url);
    if (const auto pending = pending_.find(name); pending != pending_.end()) return pending->second;
    SHEAF_TRY_ASSIGN(const auto bytes, task_.store.note(task_.site, name));
    if (bytes)
      if (auto note = decode_page_note(*bytes)) return std::move(*note);
    PageNote note;
    note.url = url;
    return note;
  }

  Result<void> remember(const PageNote& note) {
    const std::string name = note_name(note.url);
    edit_.put_note(name, pull::encode(note));
    pending_.insert_or_assign(name, note);
    return edit_.bytes() >= kCommitBytes ? commit() : Result<void>();
  }

  Result<void> commit() {
    SHEAF_TRY_ASSIGN(const auto done, task_.store.commit(edit_));
    result_.report.added += done.added;
    result_.report.changed += done.changed;
    result_.report.removed += done.removed;
    pending_.clear();
    visits_ = 0;
    last_commit_ = steady_clock::now();
    return {};
  }

  Result<void> load_profile() {
    SHEAF_TRY_ASSIGN(const auto bytes, task_.store.note(task_.site, kProfileNote));
    if (bytes)
      if (auto profile = html::SiteProfile::load(*bytes)) profile_.set(std::move(*profile));
    return {};
  }

  /// One thread reads what is due, several fetch and extract, this one keeps the results.
  Result<void> visit_pages() {
    due_ = {};
    Pipeline pipeline(options_.connections, [&] {
      auto options = task_.options.fetch;
      options.gate = &gate_;
      auto fetcher = std::make_shared<http::Fetcher>(std::move(options));
      return [this, fetcher, extractor = std::make_shared<html::Extractor>()](PageTask page) {
        PageVisit visit = fetch_page(*fetcher, std::move(page), fetch_);
        const auto profile = profile_.get();
        if (!visit.body.empty() && profile)
          extract_page(*extractor, profile.get(), fetch_, task_.options.clock(), visit);
        const http::FetchUse use = fetcher->take_use();
        const std::lock_guard lock(use_mutex_);
        result_.use.requests += use.requests;
        result_.use.bytes += use.bytes;
        return visit;
      };
    });
    Result<void> read;
    Result<void> taken;
    std::exception_ptr thrown;
    {
      const std::jthread reader([&] {
        try {
          read = push_due(pipeline);
        } catch (...) {
          thrown = std::current_exception();
        }
        pipeline.close();
      });
      // The reader must not wait for room that nobody makes, however this scope is left.
      const StopAtEnd stop{pipeline};
      taken = take_visits(pipeline);
    }
    if (thrown) std::rethrow_exception(thrown);
    SHEAF_TRY(std::move(taken));
    SHEAF_TRY(std::move(read));
    SHEAF_TRY(give_up_held());
    if (!profile_.get()) SHEAF_TRY(learn());
    return commit();
  }

  /// Whatever is known of the site and was not dealt with in this pass.
  Result<void> push_due(Pipeline& pipeline) {
    cut_short_ = false;
    const base::Instant now = task_.options.clock();
    Result<void> looked_up;
    SHEAF_TRY(task_.store.each_note(task_.site, kPageNotes, [&](std::string_view, std::string_view value) {
      auto note = decode_page_note(value);
      if (!note) return true;
      ++due_.listed;
      if (note->visited == pass_.number) return true;
      if (note->listed != pass_.number) note->lastmod.reset();  // no sitemap vouches for it any more
      const auto held = is_held(note->url, note->lastmod);
      if (!held) {
        looked_up = std::unexpected(held.error());
        return false;
      }
      if (*held) {
        held_.push_back(std::move(*note));
        return true;
      }
      const Visit visit = choose_visit(*note, now);
      if (visit == Visit::leave) {
        ++due_.fresh;
        return true;
      }
      if (!may_go_on() || !pipeline.push({std::move(*note), visit})) {
        cut_short_ = true;
        return false;
      }
      return true;
    }));
    return looked_up;
  }

  /// Pages that were fetched before a section brought them: that section keeps them up to date now.
  Result<void> give_up_held() {
    for (const PageNote& note : std::exchange(held_, {})) {
      ++result_.report.held;
      if (note.fate == PageFate::stored) edit_.remove_page(note.url);
      edit_.remove_note(note_name(note.url));
      if (edit_.bytes() >= kCommitBytes) SHEAF_TRY(commit());
    }
    return {};
  }

  Result<void> take_visits(Pipeline& pipeline) {
    while (auto visit = pipeline.next()) {
      if (visit->cancelled) {  // says nothing about the page, which the next pull asks for
        cut_short_ = true;
        continue;
      }
      failures_ = visit->unwell ? failures_ + 1 : 0;
      if (!visit->body.empty() && !visit->memory && visit->fate == PageFate::stored) {
        learn_bytes_ += visit->body.size();
        learning_.push_back(std::move(*visit));
        // With the profile known, these are pages that were on their way while it was made.
        const bool enough = profile_.get() || learning_.size() >= kLearnPages || learn_bytes_ >= kLearnBytes;
        if (!enough) continue;
        SHEAF_TRY(learn());
        continue;
      }
      SHEAF_TRY(keep(*visit));
    }
    return {};
  }

  /// Enough pages are here to know what they have in common.
  Result<void> learn() {
    html::Extractor extractor;
    if (!profile_.get()) {
      html::SiteProfile profile;
      for (const PageVisit& visit : learning_) extractor.learn(visit.body, visit.content_type, profile);
      if (learning_.size() >= kLearnPages) edit_.put_note(kProfileNote, profile.save());
      profile_.set(std::move(profile));
    }
    const auto profile = profile_.get();
    for (PageVisit& visit : std::exchange(learning_, {})) {
      extract_page(extractor, profile.get(), fetch_, task_.options.clock(), visit);
      SHEAF_TRY(keep(visit));
    }
    learn_bytes_ = 0;
    return {};
  }

  /// What a visit means for the store.
  Result<void> keep(PageVisit& visit) {
    PageNote note = visit.note;
    const base::Instant now = task_.options.clock();
    count(visit);
    if (visit.fate == PageFate::failed) {  // what there was stays
      if (first_failure_.empty()) first_failure_ = visit.failure;
      if (note.fate == PageFate::unknown) note.fate = PageFate::failed;
    } else {
      const std::string address = visit.address.empty() ? note.url : visit.address;
      if (visit.fate == PageFate::stored && !visit.not_modified) {
        SHEAF_TRY(store_page(visit, address, note, now));
      } else if (visit.fate != PageFate::stored && note.fate == PageFate::stored) {
        edit_.remove_page(note.url);
      }
      if (visit.fate == PageFate::stored &&
          address != note.url) {  // it moved: the page is kept under its own name
        if (note.fate == PageFate::stored) edit_.remove_page(note.url);
        PageNote moved = note;
        moved.url = address;
        SHEAF_TRY(close(moved, PageFate::stored, now));
        visit.fate = PageFate::duplicate;
      }
      note.fate = visit.fate;
      note.fetched = now;
      note.lastmod_then = note.lastmod;
    }
    SHEAF_TRY(close(note, note.fate, now));
    if (pass_.by_links)
      for (const std::string& link : visit.links) SHEAF_TRY(list(link, std::nullopt));
    if (!visit.canonical.empty()) SHEAF_TRY(list(visit.canonical, std::nullopt));
    report_progress();
    const bool full = ++visits_ >= kCommitVisits || steady_clock::now() - last_commit_ >= kCommitTime;
    return full ? commit() : Result<void>();
  }

  Result<void> close(PageNote note, PageFate fate, base::Instant now) {
    note.fate = fate;
    note.visited = pass_.number;
    if (note.listed == 0) note.listed = pass_.number;
    if (fate != PageFate::failed) note.fetched = now;
    return remember(note);
  }

  /// The page as it is to be read by everybody, unless it says what it said before.
  Result<void> store_page(PageVisit& visit, const std::string& address, PageNote& note, base::Instant now) {
    model::Page& page = visit.page;
    const format::PageFingerprint fingerprint = format::fingerprint_of(page);
    std::optional<base::Instant> stored;
    if (note.fate == PageFate::stored && address == note.url)
      if (const auto parsed = base::parse_time(note.modified)) stored = parsed->instant;
    const bool changed = !stored || fingerprint != note.fingerprint;
    if (!changed) {
      ++result_.report.unchanged;
      return {};
    }
    const std::optional<base::Instant> stated =
        page.modified.empty() ? std::nullopt : std::optional(page.modified_at);
    page.modified_at = choose_modified(stored, changed, stated, now);
    page.modified = visit.memory->copy(base::format_time(page.modified_at));
    const model::Member source{
        "provenance",
        visit.memory->copy(fmt::format(R"({{"from":"html","fetched":"{}"}})", base::format_time(now)))};
    page.extra = model::Members(&source, 1);
    json_.clear();
    format::encode_page(page, json_);
    page.extra = {};
    if (!is_valid(json_)) {
      ++result_.report.no_page;
      visit.fate = PageFate::no_page;
      if (stored) edit_.remove_page(note.url);
      return {};
    }
    note.fingerprint = fingerprint;
    note.modified = page.modified;
    edit_.put_page(address, page.modified, json_, now);
    note_pages();
    return {};
  }

  /// Nothing gets into the store that a reader of collections would not take.
  bool is_valid(const std::string& json) {
    padded_.assign(json);
    padded_.append(format::kLinePadding, '\0');
    const auto outcome =
        decoder_.decode({std::string_view(padded_).substr(0, json.size())}, [](const format::Finding&) {});
    return outcome && *outcome == format::PageDecoder::Outcome::page;
  }

  void count(const PageVisit& visit) {
    CrawlReport& report = result_.report;
    ++report.fetched;
    if (visit.not_modified) {
      --report.fetched;
      ++report.not_modified;
      return;
    }
    switch (visit.fate) {
      case PageFate::noindex: ++report.noindex; break;
      case PageFate::missing: ++report.missing; break;
      case PageFate::no_page:
      case PageFate::elsewhere:
      case PageFate::duplicate: ++report.no_page; break;
      case PageFate::disallowed:
        --report.fetched;
        ++report.disallowed;
        break;
      case PageFate::failed:
        --report.fetched;
        ++report.failed;
        break;
      case PageFate::stored:
      case PageFate::unknown: break;
    }
  }

  void report_progress() {
    if (!task_.options.progress) return;
    const CrawlReport& report = result_.report;
    task_.options.progress({"pages", section_, 0, report.fetched + report.not_modified + report.failed, 0});
  }

  Result<void> end_pass() {
    CrawlReport& report = result_.report;
    report.listed = due_.listed;
    report.fresh = due_.fresh;
    report.complete = !cut_short_ && !is_cancelled() && failures_ < kFailuresInARow;
    if (is_cancelled())
      result_.failure = {FailureCode::cancelled,
                         "the pull was stopped before it was done; the next one goes on from there"};
    else if (failures_ >= kFailuresInARow)
      result_.failure = {FailureCode::pages_failed,
                         fmt::format("{} pages in a row could not be fetched; the first: {}",
                                     failures_.load(), first_failure_)};
    else if (report.failed > 0)
      result_.notes.push_back(fmt::format("{} could not be had this time; the first: {}",
                                          base::counted(report.failed, "page", "pages"), first_failure_));
    if (!report.complete) return commit();
    pass_.ended = true;
    return save_pass();
  }

  const CrawlTask& task_;
  const std::string section_;
  const CrawlOptions& options_;
  http::HostGate own_gate_;
  http::HostGate& gate_;
  std::mutex use_mutex_;  ///< of result_.use, while several threads fetch
  site::OriginRobots robots_;
  PageFetchOptions fetch_;
  SharedProfile profile_;
  Pass pass_;
  store::PageStore::Edit edit_;
  std::unordered_map<std::string, PageNote> pending_;  ///< in the edit, by their names
  format::PageDecoder decoder_;
  std::string json_;
  std::string padded_;
  std::vector<PageVisit> learning_;  ///< fetched, and kept until the profile is known
  std::size_t learn_bytes_ = 0;
  std::uint64_t listed_ = 0;
  std::uint64_t found_ = 0;  ///< addresses that came up in this round
  std::size_t visits_ = 0;   ///< since the last commit
  std::atomic<unsigned> failures_ = 0;
  std::atomic<bool> cut_short_ = false;
  Due due_;
  std::vector<PageNote> held_;  ///< pages that a section from collections has
  std::string first_failure_;
  CrawlResult result_;
  steady_clock::time_point start_;
  steady_clock::time_point last_commit_;
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
