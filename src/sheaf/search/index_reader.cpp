#include "sheaf/base/error.h"
#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/prepared_search.h"
#include "sheaf/search/search_index.h"
#include "sheaf/search/search_query.h"
#include "sheaf/search/shared_indexes.h"
#include "sheaf/search/word_suggestion.h"
#include "sheaf/store/shared_stores.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <sys/stat.h>
#include <xapian.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

// Converts a plan to a query of Xapian, and suggests another query if it finds nothing.

/// Number of terms that a word with a star may match.
constexpr Xapian::termcount kMaxExpansions = 5'000;

using Xapian::Query;

// Extra weight of a match in the title.
constexpr double kTitleBoost = 2.5;
// Extra weight of two adjacent words in the title or in a heading.
constexpr double kPairBoost = 1.0;

Query any_of(const std::vector<Query>& queries) {
  return Query(Query::OP_OR, queries.begin(), queries.end());
}

Query word_query(const WordForms& forms, std::string_view prefix) {
  std::vector<Query> any;
  for (const std::string& term : forms.terms) any.emplace_back(std::string(prefix) + term);
  if (!forms.prefix.empty())
    any.emplace_back(Query::OP_WILDCARD, std::string(prefix) + forms.prefix, kMaxExpansions,
                     Query::WILDCARD_LIMIT_ERROR, Query::OP_SYNONYM);
  if (any.size() == 1) return any.front();
  return Query(Query::OP_SYNONYM, any.begin(), any.end());
}

// The recursion is bounded: a plan is at most four levels deep for any query.
Query node_query(const MatchNode& node) {
  const std::string_view prefix = node.in_title ? kTitlePrefix : std::string_view();
  std::vector<Query> parts;
  for (const MatchNode& child : node.children) parts.push_back(node_query(child));
  switch (node.kind) {
    case MatchNode::Kind::any: return any_of(parts);
    case MatchNode::Kind::filter: return Query(Query::OP_SCALE_WEIGHT, Query(node.words[0].terms[0]), 0);
    case MatchNode::Kind::word:
    case MatchNode::Kind::phrase:
    case MatchNode::Kind::all: break;
  }
  for (const WordForms& word : node.words) parts.push_back(word_query(word, prefix));
  return Query(Query::OP_AND, parts.begin(), parts.end());
}

/// The words of a node in titles; they add to the score of pages that match.
void add_title_words(const MatchNode& node, std::vector<Query>& out) {
  if (node.kind == MatchNode::Kind::filter || node.in_title) return;
  // A word with a star may match too many terms to look them up twice.
  for (const WordForms& word : node.words)
    if (word.prefix.empty())
      out.emplace_back(Query::OP_SCALE_WEIGHT, word_query(word, kTitlePrefix), kTitleBoost);
  for (const MatchNode& child : node.children) add_title_words(child, out);
}

bool has_phrase(const MatchNode& node) {
  return node.kind == MatchNode::Kind::phrase || std::ranges::any_of(node.children, has_phrase);
}

// The recursion is bounded: a plan is at most four levels deep for any query.
bool stands_for_few(const Xapian::Database& database, const MatchNode& node) {
  for (const WordForms& word : node.words) {
    if (word.prefix.empty()) continue;
    const std::string prefix = std::string(node.in_title ? kTitlePrefix : std::string_view()) + word.prefix;
    Xapian::termcount terms = 0;
    for (auto it = database.allterms_begin(prefix); it != database.allterms_end(prefix); ++it)
      if (++terms > kMaxExpansions) return false;
  }
  return std::ranges::all_of(node.children,
                             [&](const MatchNode& child) { return stands_for_few(database, child); });
}

/// The words that the index has.
class XapianVocabulary final : public Vocabulary {
 public:
  XapianVocabulary(const Xapian::Database& words, const Xapian::Database& database, StemmerSet& stemmers,
                   const std::vector<std::string>& languages)
      : words_(words), database_(database), stemmers_(stemmers), languages_(languages) {}

  base::Result<std::uint64_t> pages_with(const SearchWord& word) override {
    Xapian::doccount most = database_.get_termfreq(std::string(word.text));
    for (const std::string& language : languages_)
      most = std::max(most, database_.get_termfreq(std::string(stemmers_.of(language).term_of(word))));
    return most;
  }

  base::Result<void> each_word(const std::string& start, std::size_t /*letters*/,
                               const std::function<bool(const std::string&)>& use) override {
    const std::string prefix = std::string(kVocabularyPrefix) + start;
    for (auto it = words_.metadata_keys_begin(prefix); it != words_.metadata_keys_end(prefix); ++it)
      if (!use((*it).substr(kVocabularyPrefix.size()))) break;
    return {};
  }

 private:
  const Xapian::Database& words_;
  const Xapian::Database& database_;
  StemmerSet& stemmers_;
  const std::vector<std::string>& languages_;
};

/// Phrases become their words; whether these are adjacent is checked in the pages.
Query to_xapian(const MatchPlan& plan, const std::optional<Instant>& since) {
  std::vector<Query> words;
  std::vector<Query> filters;
  std::vector<Query> titles;
  for (const MatchNode& node : plan.required) {
    (node.kind == MatchNode::Kind::filter ? filters : words).push_back(node_query(node));
    add_title_words(node, titles);
  }
  if (since)
    filters.emplace_back(Query::OP_VALUE_GE, kModifiedSlot,
                         Xapian::sortable_serialise(static_cast<double>(since->seconds)));
  Query query = words.empty() ? Query::MatchAll : Query(Query::OP_AND, words.begin(), words.end());
  for (const std::string& pair : plan.pairs)
    titles.emplace_back(Query::OP_SCALE_WEIGHT, Query(std::string(kPairPrefix) + pair), kPairBoost);
  // OP_AND_MAYBE is meant for this, but Xapian 1.4 loses results with it when few are requested.
  if (!titles.empty()) query = Query(Query::OP_FILTER, Query(Query::OP_OR, query, any_of(titles)), query);
  if (!filters.empty())
    query = Query(Query::OP_FILTER, query, Query(Query::OP_AND, filters.begin(), filters.end()));
  std::vector<Query> excluded;
  for (const MatchNode& node : plan.excluded)
    if (!has_phrase(node)) excluded.push_back(node_query(node));
  return excluded.empty() ? query : Query(Query::OP_AND_NOT, query, any_of(excluded));
}

/// Fails with Errc::invalid_argument if no page has the value of a filter. Otherwise a misspelt site would
/// look like an empty one.
base::Result<void> check_filters(const Xapian::Database& database, const MatchPlan& plan) {
  for (const MatchNode& node : plan.required) {
    if (node.kind != MatchNode::Kind::filter) continue;
    const std::string& term = node.words[0].terms[0];
    if (database.term_exists(term)) continue;
    return std::unexpected(unknown_filter(term));
  }
  return {};
}

/// Fails with Errc::invalid_argument if a word with a star matches too many terms. Xapian's own limit would
/// count them for each shard.
base::Result<void> check_prefixes(const Xapian::Database& database, const MatchPlan& plan) {
  const auto is_small = [&](const MatchNode& node) { return stands_for_few(database, node); };
  if (std::ranges::all_of(plan.required, is_small) && std::ranges::all_of(plan.excluded, is_small)) return {};
  return base::fail(base::Errc::invalid_argument,
                    fmt::format("a word with * matches more than {} words; type more letters before the *",
                                kMaxExpansions));
}

/// Returns the query with each unknown word replaced by the most similar word in the metadata of `words`;
/// empty if nothing is replaced.
base::Result<std::string> suggest_query(const Xapian::Database& words, const Xapian::Database& database,
                                        const std::string& text, const SearchQuery& query,
                                        StemmerSet& stemmers, const std::vector<std::string>& languages) {
  XapianVocabulary vocabulary(words, database, stemmers, languages);
  return suggest_query(vocabulary, text, query);
}

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
  if (store::shared::is_postgres_url(location)) {
    SHEAF_TRY_ASSIGN(const auto* const indexes, shared_indexes());
    return indexes->open(location);
  }
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
