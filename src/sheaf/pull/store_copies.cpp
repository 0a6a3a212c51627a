#include "sheaf/pull/store_copies.h"

#include "sheaf/format/pages/page_encoder.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using std::chrono::steady_clock;

// Changes are committed after this many visits or after this time, so that an interruption loses little, and
// at this size, so that memory is bounded.
constexpr std::size_t kCommitVisits = 64;
constexpr std::size_t kCommitBytes = std::size_t{4} << 20;
constexpr std::chrono::seconds kCommitTime{5};

}  // namespace

StoreCopies::StoreCopies(store::PageStore& store, const std::string& site, const std::string& section,
                         const format::Limits& limits, std::function<Instant()> clock)
    : store_(store),
      state_(store, site),
      edit_(site, section),
      decoder_(limits, format::Detail::checks),
      clock_(std::move(clock)),
      last_commit_(steady_clock::now()) {}

Result<void> StoreCopies::begin_pass() {
  SHEAF_TRY_ASSIGN(const auto before, state_.pass());
  SHEAF_TRY_ASSIGN(CrawlPass next, check_section(before.value_or(CrawlPass{})));
  if (next.ended)
    next = {.number = next.number + 1,
            .ended = false,
            .section = edit_.section(),
            .has_pages = next.has_pages,
            .rules = next.rules};
  set_pass(std::move(next));
  return commit();
}

Result<CrawlPass> StoreCopies::check_section(CrawlPass before) {
  const std::string& section = edit_.section();
  SHEAF_TRY_ASSIGN(const auto state, store_.section(edit_.site(), section));
  const bool is_lost = before.has_pages && !state;
  if (before.section == section && !is_lost) {
    before.has_pages = before.has_pages || state.has_value();
    return before;
  }
  forget_all_urls();
  return CrawlPass{.number = before.number, .section = section};
}

void StoreCopies::set_pass(CrawlPass pass) {
  pass_ = std::move(pass);
  CrawlState::put(edit_, pass_);
}

void StoreCopies::count_failure() {
  ++pass_.failed;
  CrawlState::put(edit_, pass_);
}

Result<CrawledUrl> StoreCopies::recall(const std::string& url) {
  if (const auto pending = pending_.find(url); pending != pending_.end()) return pending->second;
  return state_.url(url);
}

Result<void> StoreCopies::remember(const CrawledUrl& url) {
  CrawlState::put(edit_, url);
  pending_.insert_or_assign(url.record.url, url);
  return commit_if_large();
}

Result<void> StoreCopies::forget(const CrawledUrl& url) {
  if (url.record.fate == crawl::PageOutcome::stored) edit_.remove_page(url.record.url);
  CrawlState::remove_url(edit_, url.record.url);
  pending_.erase(url.record.url);
  return commit_if_large();
}

void StoreCopies::forget_all_urls() {
  CrawlState::remove_urls(edit_);
  pending_.clear();
}

Result<crawl::UrlRecord> StoreCopies::find(const std::string& url) {
  SHEAF_TRY_ASSIGN(CrawledUrl known, recall(url));
  if (known.listed != pass_.number) known.record.lastmod.reset();  // no longer in a sitemap
  return std::move(known.record);
}

Result<void> StoreCopies::apply(crawl::PageUpdate& update, crawl::CrawledPage& page) {
  const std::string& url = update.record.url;
  SHEAF_TRY_ASSIGN(CrawledUrl known, recall(url));
  const bool had_page = known.record.fate == crawl::PageOutcome::stored;
  known.visited = pass_.number;
  if (known.listed == 0) known.listed = pass_.number;
  if (update.copy == crawl::CopyAction::replace && update.record.final_url != url) {
    // The page is stored under its final URL, so this URL is a duplicate.
    SHEAF_TRY_ASSIGN(CrawledUrl target, recall(update.record.final_url));
    target.visited = pass_.number;
    if (target.listed == 0) target.listed = pass_.number;
    SHEAF_TRY(store_page(update, page, target));
    SHEAF_TRY(remember(target));
    if (had_page) edit_.remove_page(url);
    if (update.record.fate == crawl::PageOutcome::stored) update.record.fate = crawl::PageOutcome::duplicate;
  } else if (update.copy == crawl::CopyAction::replace) {
    SHEAF_TRY(store_page(update, page, known));
  } else if (update.copy == crawl::CopyAction::remove) {
    edit_.remove_page(url);
  }
  known.record = update.record;
  return remember(known);
}

/// Stores the page unless its content is unchanged, and updates `url`, the record of its URL.
Result<void> StoreCopies::store_page(crawl::PageUpdate& update, crawl::CrawledPage& crawled,
                                     CrawledUrl& url) {
  Page& page = crawled.page;
  const Instant now = clock_();
  const crawl::UrlRecord before = std::exchange(url.record, update.record);
  url.record.url = before.url;
  url.shown_chars = crawled.shown_chars;
  url.has_own_title = crawled.has_own_title;
  const format::PageFingerprint fingerprint = format::fingerprint_of(page);
  std::optional<Instant> stored;
  if (before.fate == crawl::PageOutcome::stored)
    if (const auto modified = parse_time(url.modified)) stored = modified->instant;
  update.unchanged = stored && fingerprint == url.fingerprint;
  if (update.unchanged) return {};
  const std::optional<Instant> stated =
      page.modified.empty() ? std::nullopt : std::optional(page.modified_at);
  page.modified_at = crawl::choose_modified(stored, true, stated, now);
  page.modified = crawled.memory->copy(format_time(page.modified_at));
  const Member source{"provenance", crawled.memory->copy(fmt::format(R"({{"from":"{}","fetched":"{}"}})",
                                                                     from_, format_time(now)))};
  page.extra = Members(&source, 1);
  json_.clear();
  format::encode_page(page, json_);
  page.extra = {};
  if (!is_valid(json_)) {
    update.record.fate = url.record.fate = crawl::PageOutcome::no_page;
    if (stored) edit_.remove_page(before.url);
    return {};
  }
  url.fingerprint = fingerprint;
  url.modified = page.modified;
  edit_.put_page(before.url, page.modified, json_, now);
  stored_bytes_ += json_.size();
  if (!std::exchange(pass_.has_pages, true)) CrawlState::put(edit_, pass_);
  return {};
}

/// The store accepts only what a collection reader would accept.
bool StoreCopies::is_valid(const std::string& json) {
  padded_.assign(json);
  padded_.append(format::kLinePadding, '\0');
  const auto outcome =
      decoder_.decode({std::string_view(padded_).substr(0, json.size())}, [](const format::Finding&) {});
  return outcome && *outcome == format::PageDecoder::Outcome::page;
}

Result<void> StoreCopies::write_template(std::string_view bytes) {
  CrawlState::put_template(edit_, bytes);
  return {};
}

Result<void> StoreCopies::commit() {
  SHEAF_TRY_ASSIGN(const auto done, store_.commit(edit_));
  counts_ += done;
  pending_.clear();
  visits_ = 0;
  last_commit_ = steady_clock::now();
  return {};
}

Result<void> StoreCopies::commit_if_large() {
  return edit_.bytes() >= kCommitBytes ? commit() : Result<void>();
}

Result<void> StoreCopies::commit_if_due() {
  const bool due = ++visits_ >= kCommitVisits || steady_clock::now() - last_commit_ >= kCommitTime;
  return due ? commit() : Result<void>();
}

}  // namespace sheaf::pull
