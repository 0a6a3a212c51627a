#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/index_query_internal.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/prepared_search.h"
#include "sheaf/search/result_filler.h"
#include "sheaf/search/search_index.h"
#include "sheaf/search/shared_index.h"
#include "sheaf/store/shared/pg_connection.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

namespace sheaf::search {
namespace {

using base::Errc;
using base::fail;
using base::Result;

// If a writer commits twice while we read, the version that we read disappears. Then the search starts again.
constexpr int kTries = 5;

class XapianIndex final : public SearchIndex {
 public:
  explicit XapianIndex(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<void> open() {
    return guarded([&] { return reopen(); });
  }

  Result<SearchResults> search(const store::PageStore& store, const SearchRequest& request) override {
    const std::lock_guard lock(mutex_);
    SHEAF_TRY_ASSIGN(const PreparedSearch search, prepare_search(request));
    return guarded([&] { return find_results(store, request, search); });
  }

  Result<IndexState> state() override {
    const std::lock_guard lock(mutex_);
    return guarded([&]() -> Result<IndexState> {
      SHEAF_TRY(reopen());
      const IndexPosition position = read_position(head_);
      IndexState state;
      state.pages = database_.get_doccount();
      state.sequence = position.sequence.value_or(0);
      state.is_complete = position.sequence.has_value();
      std::error_code failure;
      for (const auto& file : std::filesystem::recursive_directory_iterator(folder_, failure))
        state.disk_bytes += file.is_regular_file(failure) ? file.file_size(failure) : 0;
      return state;
    });
  }

  Result<std::vector<IndexedPage>> pages(std::uint64_t after, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    return guarded([&]() -> Result<std::vector<IndexedPage>> {
      SHEAF_TRY(reopen());
      std::vector<IndexedPage> pages;
      if (after >= database_.get_lastdocid()) return pages;
      auto it = database_.postlist_begin("");
      for (it.skip_to(static_cast<Xapian::docid>(after + 1));
           it != database_.postlist_end("") && pages.size() < limit; ++it) {
        auto record = decode_index_record(database_.get_document(*it).get_data());
        if (record)
          pages.push_back(
              {*it, std::move(record->site), std::move(record->url), std::move(record->modified)});
      }
      return pages;
    });
  }

 private:
  template <class Action>
  auto guarded(const Action& action) -> decltype(action()) {
    try {
      for (int i = 1;; ++i) {
        try {
          return action();
        } catch (const Xapian::DatabaseModifiedError&) {
          if (i == kTries) throw;
        } catch (const Xapian::DatabaseOpeningError&) {  // after one shard was opened, the next was packed
          if (i == kTries) throw;
        }
      }
    } catch (const Xapian::Error& error) {
      return std::unexpected(describe_failure(error, folder_));
    }
  }

  /// Makes the index show what was committed since. If an index was packed or rebuilt, a new one has the same
  /// name; Xapian would not notice that.
  Result<void> reopen() {
    struct stat folder{};
    const bool is_there = stat(folder_.c_str(), &folder) == 0;
    if (is_there && folder.st_ino == opened_) {
      head_.reopen();
      if (head_.get_uuid() == uuid_) {
        database_.reopen();
        return {};
      }
    }
    opened_ = 0;
    head_ = Xapian::Database(folder_.string());
    SHEAF_TRY(check_version());
    open_shards();
    uuid_ = head_.get_uuid();
    opened_ = folder.st_ino;
    return {};
  }

  [[nodiscard]] Result<void> check_version() const {
    const IndexPosition position = read_position(head_);
    if (position.version == kLocalIndexVersion) return {};
    return fail(position.version == 0 ? Errc::not_found : Errc::invalid_data,
                fmt::format("the index in {} is {}; `sheaf index` builds it", folder_.string(),
                            position.version == 0 ? "empty" : "of another version"));
  }

  void open_shards() {
    shards_.clear();
    database_ = Xapian::Database();
    for (std::size_t i = 0, number = read_shards(head_); i < number; ++i) {
      shards_.emplace_back(shard_folder(folder_, i).string());
      database_.add_database(shards_.back());
    }
  }

  /// Returns a different number for each state of the index.
  [[nodiscard]] std::uint64_t revision() const {
    std::uint64_t sum = 0;
    for (const Xapian::Database& shard : shards_) sum += shard.get_revision();
    return sum;
  }

  std::vector<std::string> languages() {
    std::vector<std::pair<Xapian::doccount, std::string>> found;
    const std::string prefix(kLanguagePrefix);
    for (auto it = database_.allterms_begin(prefix); it != database_.allterms_end(prefix); ++it) {
      const std::string tag = (*it).substr(prefix.size());
      if (tag.find('-') == std::string::npos) found.emplace_back(it.get_termfreq(), tag);
    }
    std::ranges::sort(found, std::greater());
    std::vector<std::string> languages;
    for (const auto& [pages, tag] : found)
      if (languages.size() < kMaxLanguages) languages.push_back(tag);
    return languages;
  }

  Result<SearchResults> find_results(const store::PageStore& store, const SearchRequest& request,
                                     const PreparedSearch& search) {
    SHEAF_TRY(reopen());
    const MatchPlan plan = plan_search(request, search.query, languages(), stemmers_);
    SHEAF_TRY(check_filters(database_, plan));
    SHEAF_TRY(check_prefixes(database_, plan));
    SearchResults out;
    SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store.newest_change());
    const std::uint64_t indexed = read_position(head_).sequence.value_or(0).total();
    out.behind = newest.total() > indexed ? newest.total() - indexed : 0;
    SHEAF_TRY(collect(store, request, plan, search, out));
    if (out.total == 0 && !search.cursor) {
      SHEAF_TRY_ASSIGN(out.suggestion,
                       suggest_query(head_, database_, request.query, search.query, stemmers_, languages()));
    }
    return out;
  }

  Result<void> collect(const store::PageStore& store, const SearchRequest& request, const MatchPlan& plan,
                       const PreparedSearch& search, SearchResults& out) {
    Xapian::Enquire enquire(database_);
    enquire.set_query(to_xapian(plan, request.since));
    enquire.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.4, 0.5));
    enquire.set_docid_order(Xapian::Enquire::ASCENDING);
    const std::uint64_t state = revision();
    SearchCursor at{search.hash, state, 0, 0};
    if (search.cursor) at.rank = first_rank(enquire, *search.cursor, state);
    ResultFiller filler(make_hits_, store, plan, request.limit, at, out);
    while (filler.rank() < kMaxSearchRank) {
      const std::size_t step = filler.step();
      const Xapian::MSet set =
          enquire.get_mset(static_cast<Xapian::doccount>(filler.rank()), static_cast<Xapian::doccount>(step),
                           static_cast<Xapian::doccount>(filler.rank() + step + 1));
      out.total = set.get_matches_estimated();
      out.is_estimate = set.get_matches_lower_bound() != set.get_matches_upper_bound();
      SHEAF_TRY_ASSIGN(const auto candidates, candidates_of(set));
      SHEAF_TRY_ASSIGN(const bool more, filler.take(candidates));
      if (!more || candidates.size() < step) return {};
    }
    return {};
  }

  /// Finds the rank of the cursor's document again if the index has changed since, because ranks may have
  /// moved.
  static std::uint64_t first_rank(Xapian::Enquire& enquire, const SearchCursor& cursor,
                                  std::uint64_t revision) {
    if (cursor.revision == revision) return cursor.rank;
    const Xapian::MSet set = enquire.get_mset(0, kMaxSearchRank);
    for (auto it = set.begin(); it != set.end(); ++it)
      if (*it == cursor.document) return it.get_rank() + std::uint64_t{1};
    return cursor.rank;  // the document was removed: most likely nothing else changed
  }

  [[nodiscard]] Result<std::vector<HitCandidate>> candidates_of(const Xapian::MSet& set) const {
    std::vector<HitCandidate> candidates;
    for (auto it = set.begin(); it != set.end(); ++it) {
      auto record = decode_index_record(it.get_document().get_data());
      if (!record)
        return fail(
            Errc::invalid_data,
            fmt::format("the index in {} is damaged; `sheaf index --rebuild` rebuilds it", folder_.string()));
      candidates.push_back({*it, std::move(*record), it.get_weight()});
    }
    return candidates;
  }

  std::filesystem::path folder_;
  std::mutex mutex_;
  Xapian::Database head_;                 ///< the position and the known words
  std::vector<Xapian::Database> shards_;  ///< the pages
  Xapian::Database database_;             ///< all shards as one
  ino_t opened_ = 0;                      ///< inode of the folder
  std::string uuid_;                      ///< UUID of `head_`
  StemmerSet stemmers_;
  HitMaker make_hits_;
};

}  // namespace

Result<std::unique_ptr<SearchIndex>> open_index(const std::string& location) {
  if (store::shared::is_postgres_url(location)) return open_shared_index(location);
  const std::filesystem::path folder = index_folder(location);
  std::error_code failure;
  if (!std::filesystem::exists(folder / kVersionFile, failure))
    return fail(Errc::not_found,
                fmt::format("{0} has no search index; `sheaf index --store {0}` makes one", location));
  auto index = std::make_unique<XapianIndex>(folder);
  SHEAF_TRY(index->open());
  return index;
}

}  // namespace sheaf::search
