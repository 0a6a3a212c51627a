#include "sheaf/base/error.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/index_writer.h"
#include "sheaf/search/search_index.h"
#include "sheaf/search/search_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

/// A page to be indexed, as the store has it.
struct PageToIndex {
  IndexRecord record;
  std::string json;
};

struct ReadyPage {
  base::Result<std::unique_ptr<PreparedPage>> page;
  std::string damage;  ///< why the page cannot be read; empty if it can
};

/// Decodes and prepares pages. Not thread-safe.
class PagePreparation {
 public:
  explicit PagePreparation(const IndexWriter& writer) : preparer_(writer.make_preparer()) {}

  ReadyPage operator()(const PageToIndex& page);

 private:
  format::StoredPageDecoder decoder_{format::Detail::texts};
  std::unique_ptr<PagePreparer> preparer_;
};

/// Prepares pages on other threads, while the caller reads more pages and writes those that are ready.
class PreparationPipeline {
 public:
  /// The writer must outlive it.
  explicit PreparationPipeline(const IndexWriter& writer);

  /// Adds a page. Returns pages that are ready, in the order in which they were added: often none.
  std::vector<ReadyPage> push(PageToIndex page);
  /// Returns some of the remaining pages; none if all have been returned.
  std::vector<ReadyPage> finish();

 private:
  using Pages = std::vector<PageToIndex>;

  void send();

  Pages waiting_;  ///< passed on in groups, because waking a thread for each page would cost too much
  std::size_t waiting_bytes_ = 0;
  std::size_t under_way_ = 0;
  std::size_t most_under_way_;
  base::OrderedPipeline<Pages, std::vector<ReadyPage>> pipeline_;
};

// Pages are passed on in groups, because passing each page alone would cost a thread switch.
constexpr std::size_t kPagesAtOnce = 64;
constexpr std::size_t kBytesAtOnce = std::size_t{256} << 10U;
constexpr std::size_t kMaxUnderWay = 3;  // per worker; fewer than the pipeline holds

ReadyPage PagePreparation::operator()(const PageToIndex& page) {
  const auto decoded = decoder_(page.json);
  std::string damage = decoded
                           ? std::string()
                           : fmt::format("the page {} cannot be read: {}", page.record.url, decoded.error());
  return {preparer_->prepare(page.record, decoded ? *decoded : nullptr), std::move(damage)};
}

PreparationPipeline::PreparationPipeline(const IndexWriter& writer)
    : most_under_way_(kMaxUnderWay * writer.preparers()), pipeline_(writer.preparers(), [&writer] {
        return [prepare = std::make_shared<PagePreparation>(writer)](const Pages& pages) {
          std::vector<ReadyPage> ready;
          for (const PageToIndex& page : pages) ready.push_back((*prepare)(page));
          return ready;
        };
      }) {}

void PreparationPipeline::send() {
  pipeline_.push(std::exchange(waiting_, {}));
  waiting_bytes_ = 0;
  ++under_way_;
}

std::vector<ReadyPage> PreparationPipeline::push(PageToIndex page) {
  waiting_bytes_ += page.json.size();
  waiting_.push_back(std::move(page));
  if (waiting_.size() < kPagesAtOnce && waiting_bytes_ < kBytesAtOnce) return {};
  send();
  return under_way_ < most_under_way_ ? std::vector<ReadyPage>() : finish();
}

std::vector<ReadyPage> PreparationPipeline::finish() {
  if (under_way_ < most_under_way_ && !waiting_.empty()) send();
  if (under_way_ == 0) return {};
  --under_way_;
  return pipeline_.next().value_or(std::vector<ReadyPage>());
}

using base::Errc;
using base::fail;
using base::Result;
using store::StoredPage;

// A batch ends when one of these is reached. Larger batches make a smaller index, but more work is lost if
// the process is killed.
constexpr std::uint64_t kBatchText = std::uint64_t{64} << 20U;
constexpr std::uint64_t kBatchPages = 20'000;
constexpr std::size_t kChangesAtOnce = 2'000;
constexpr std::uint64_t kWorthPackingPages = 50;  // and a quarter of all pages

/// Sections of each site, by name.
using SectionNames = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Brings one index up to date. A page is always indexed as the store has it now, not as a change describes
/// it. So changes can be repeated, and a page that changes meanwhile is indexed again with its own change.
class IndexUpdate {
 public:
  IndexUpdate(const store::PageStore& store, IndexWriter& writer, const IndexOptions& options)
      : store_(store), writer_(writer), options_(options), prepare_(writer) {}

  Result<IndexSummary> run() {
    const IndexPosition at = writer_.position();
    if (at.sequence && !at.rebuilding) {
      const auto followed = follow_feed();
      if (!followed && followed.error().code != Errc::refused) return std::unexpected(followed.error());
      if (!followed && is_cancelled()) return std::unexpected(followed.error());
      // The feed does not reach back that far, or the store is another one: every page has to be checked.
      if (!followed) SHEAF_TRY(walk_store());
    } else {
      SHEAF_TRY(walk_store());
    }
    SHEAF_TRY(compare_counts());
    SHEAF_TRY_ASSIGN(summary_.pages, writer_.pages());
    summary_.sequence = writer_.position().sequence.value_or(0);
    const bool is_worth_packing =
        summary_.indexed >= kWorthPackingPages && summary_.indexed >= summary_.pages / 4;
    SHEAF_TRY(is_worth_packing ? writer_.pack() : commit());
    return summary_;
  }

 private:
  [[nodiscard]] bool is_cancelled() const { return options_.cancelled && options_.cancelled(); }

  /// Checks every page of the store, in the order on disk. Pages that have not changed since they were
  /// indexed are skipped, so an interrupted walk continues where it stopped.
  Result<void> walk_store() {
    summary_.is_rebuilt = true;
    IndexPosition at = writer_.position();
    // An interrupted walk keeps its position in the feed: removals since then are still in the feed.
    SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store_.newest_change());
    if (!at.rebuilding || at.rebuilding->total() > newest.total()) at.rebuilding = newest;
    at.sequence.reset();
    writer_.set_position(at);
    SHEAF_TRY(commit());
    SHEAF_TRY(read_sections());
    SHEAF_TRY_ASSIGN(const std::uint64_t pages_before, writer_.pages());
    SHEAF_TRY(put_all_pages());
    // If the index was empty, all that it has now is from this walk.
    bool is_swept = pages_before > 0;
    if (is_swept) SHEAF_TRY(sweep());
    at.sequence = std::exchange(at.rebuilding, std::nullopt);
    writer_.set_position(at);
    SHEAF_TRY(commit());
    const auto followed = follow_feed();
    // gc may have shortened the feed since an interrupted walk began. The sweep checks everything.
    if (followed || followed.error().code != Errc::refused || is_cancelled()) return followed;
    if (!is_swept) SHEAF_TRY(sweep());
    at.sequence = newest;
    writer_.set_position(at);
    return commit();
  }

  Result<void> put_all_pages() {
    PreparationPipeline pipeline(writer_);
    store::PageFilter filter;
    filter.on_damage = [this](const std::string& sentence) { report_damage(sentence); };
    std::uint64_t seen = 0;
    const auto walked = store_.each_page(filter, [&](const StoredPage& page) -> Result<bool> {
      SHEAF_TRY_ASSIGN(auto record, record_to_put(page));
      if (record) SHEAF_TRY(put(pipeline.push({std::move(*record), page.json})));
      tell(++seen, total_pages_);
      if (is_cancelled()) return cancelled();
      return true;
    });
    SHEAF_TRY(walked);
    for (auto ready = pipeline.finish(); !ready.empty(); ready = pipeline.finish())
      SHEAF_TRY(put(std::move(ready)));
    return {};
  }

  static std::unexpected<base::Error> cancelled() {
    return fail(Errc::refused, "stopped; the next run continues from here");
  }

  Result<void> read_sections() {
    sections_.clear();
    total_pages_ = 0;
    SHEAF_TRY_ASSIGN(const auto states, store_.sections());
    for (const store::SectionState& state : states) {
      sections_[state.site].push_back(state.section);
      total_pages_ += state.pages;
    }
    return {};
  }

  /// The sections that have the page.
  Result<std::vector<std::string>> sections_with(const std::string& site, const std::string& url) {
    std::vector<std::string> with;
    const auto names = sections_.find(site);
    if (names == sections_.end()) return with;
    for (const std::string& name : names->second) {
      SHEAF_TRY_ASSIGN(const auto entry, store_.find(site, name, url));
      if (entry) with.push_back(name);
    }
    return with;
  }

  /// The record of a page that is to be indexed; nullopt if the index has it already. A page in several
  /// sections is taken from the section with the newest version.
  Result<std::optional<IndexRecord>> record_to_put(const StoredPage& page) {
    IndexRecord record{page.site, page.url, page.modified, page.as_of, {page.section}};
    const auto names = sections_.find(page.site);
    if (names != sections_.end() && names->second.size() > 1) {
      SHEAF_TRY_ASSIGN(record.sections, sections_with(page.site, page.url));
      SHEAF_TRY_ASSIGN(const auto newest, store_.find(page.url, page.site));
      if (newest && newest->section != page.section) return std::nullopt;
    }
    SHEAF_TRY_ASSIGN(const auto known, writer_.find(page.site, page.url));
    if (known && *known == record) return std::nullopt;
    return record;
  }

  Result<void> put(ReadyPage ready) {
    if (!ready.damage.empty()) report_damage(ready.damage);
    SHEAF_TRY_ASSIGN(auto page, std::move(ready.page));
    const std::uint64_t bytes = page->text_bytes;
    SHEAF_TRY(writer_.put(std::move(page)));
    ++summary_.indexed;
    ++batch_pages_;
    summary_.text_bytes += bytes;
    batch_text_ += bytes;
    return {};
  }

  Result<void> put(std::vector<ReadyPage> pages) {
    for (ReadyPage& page : pages) SHEAF_TRY(put(std::move(page)));
    return end_batch_if_full();
  }

  void report_damage(const std::string& sentence) {
    ++summary_.unreadable;
    if (options_.on_damage) options_.on_damage(sentence);
  }

  /// Indexes one page as the store has it now, or removes it from the index.
  Result<void> look_at(const std::string& site, const std::string& url) {
    SHEAF_TRY_ASSIGN(auto with, sections_with(site, url));
    SHEAF_TRY_ASSIGN(auto entry, with.empty() ? std::nullopt : store_.find(url, site));
    if (!entry) {
      SHEAF_TRY_ASSIGN(const bool was_there, writer_.remove(site, url));
      summary_.removed += was_there ? 1 : 0;
      batch_pages_ += was_there ? 1 : 0;
      return {};
    }
    auto page = store_.get(site, entry->section, url);
    if (!page && page.error().code != Errc::invalid_data) return std::unexpected(page.error());
    std::string json = page && *page ? std::move((*page)->json) : std::string();
    return put(prepare_({{site, url, entry->modified, entry->as_of, std::move(with)}, std::move(json)}));
  }

  Result<void> follow_feed() {
    SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store_.newest_change());
    const std::uint64_t began = writer_.position().sequence.value_or(0).total();
    while (true) {
      IndexPosition at = writer_.position();
      std::set<std::pair<std::string, std::string>> pages;
      store::FeedCursor last = at.sequence.value_or(0);
      std::size_t taken = 0;
      SHEAF_TRY(store_.changes(last, [&](const store::StoreChange& change) {
        pages.emplace(change.site, change.url);
        last.advance(change.part, change.sequence, change.parts);
        return ++taken < kChangesAtOnce;
      }));
      if (taken == 0) return {};
      SHEAF_TRY(read_sections());
      for (const auto& [site, url] : pages) SHEAF_TRY(look_at(site, url));
      at.sequence = last;
      writer_.set_position(at);
      SHEAF_TRY(end_batch_if_full());
      tell(last.total() - std::min(began, last.total()), newest.total() - std::min(began, newest.total()));
      if (is_cancelled()) {
        SHEAF_TRY(commit());
        return cancelled();
      }
    }
  }

  /// Earlier versions did not report a page that a section lost while another section still had it
  /// (drop_section). Then the section has fewer pages than in the index, and every record has to be compared.
  Result<void> compare_counts() {
    SHEAF_TRY_ASSIGN(const store::FeedCursor before, store_.newest_change());
    SHEAF_TRY_ASSIGN(const auto states, store_.sections());
    SHEAF_TRY_ASSIGN(const store::FeedCursor after, store_.newest_change());
    // While another process writes to the store, all counts may differ. Then the next run compares them.
    if (before != after || writer_.position().sequence != after) return {};
    std::map<std::string, std::uint64_t> pages;
    for (const store::SectionState& state : states) pages[section_term(state.section)] += state.pages;
    std::erase_if(pages, [](const auto& count) { return count.second == 0; });
    SHEAF_TRY_ASSIGN(const auto counted, writer_.section_counts());
    return counted == pages ? Result<void>() : sweep();
  }

  /// Compares the index with the store, record by record.
  Result<void> sweep() {
    SHEAF_TRY(read_sections());
    std::vector<std::pair<std::string, std::string>> stale;
    Result<void> outcome;
    SHEAF_TRY(writer_.each([&](const IndexRecord& record) {
      auto same = is_current(record);
      if (!same) {
        outcome = std::unexpected(std::move(same).error());
        return false;
      }
      if (!*same) stale.emplace_back(record.site, record.url);
      return !is_cancelled();
    }));
    SHEAF_TRY(outcome);
    if (is_cancelled()) return cancelled();
    for (const auto& [site, url] : stale) {
      SHEAF_TRY(look_at(site, url));
      SHEAF_TRY(end_batch_if_full());
    }
    return {};
  }

  Result<bool> is_current(const IndexRecord& record) {
    SHEAF_TRY_ASSIGN(const auto with, sections_with(record.site, record.url));
    if (with.empty() || with != record.sections) return false;
    SHEAF_TRY_ASSIGN(const auto newest, store_.find(record.url, record.site));
    return newest && newest->modified == record.modified && newest->as_of == record.as_of;
  }

  Result<void> end_batch_if_full() {
    if (batch_text_ < kBatchText && batch_pages_ < kBatchPages) return {};
    return commit();
  }

  Result<void> commit() {
    batch_text_ = 0;
    batch_pages_ = 0;
    return writer_.commit();
  }

  void tell(std::uint64_t done, std::uint64_t total) const {
    if (options_.progress) options_.progress(done, total);
  }

  const store::PageStore& store_;
  IndexWriter& writer_;
  const IndexOptions& options_;
  PagePreparation prepare_;
  SectionNames sections_;
  std::uint64_t total_pages_ = 0;
  std::uint64_t batch_text_ = 0;
  std::uint64_t batch_pages_ = 0;
  IndexSummary summary_;
};

}  // namespace

Result<IndexSummary> update_index(const store::PageStore& store, const std::string& location,
                                  const IndexOptions& options) {
  const auto start = options.rebuild ? IndexWriter::Start::from_nothing : IndexWriter::Start::as_it_is;
  SHEAF_TRY_ASSIGN(const auto writer, IndexWriter::open(location, start, options.shards));
  if (writer->was_of_other_version() && options.on_notice)
    options.on_notice(fmt::format("the search index of {} is of another version; it is rebuilt", location));
  return IndexUpdate(store, *writer, options).run();
}

}  // namespace sheaf::search
