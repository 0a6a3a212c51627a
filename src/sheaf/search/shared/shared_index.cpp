#include "sheaf/search/shared/shared_index.h"

#include "sheaf/search/index_record.h"
#include "sheaf/search/prepared_search.h"
#include "sheaf/search/word_suggestion.h"
#include "sheaf/store/shared/shared_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

// PostgreSQL's limits are a megabyte for all lexemes and 2,046 bytes for one.
constexpr std::size_t kMaxLexemeBytes = 900'000;
constexpr std::size_t kMaxLexemeLength = 1'024;
constexpr std::size_t kBytesBesideLexeme = 12;
constexpr std::uint32_t kMaxPositions = 4;

std::string lexeme_text(std::string_view lexeme) {
  std::string text = "'";
  for (const char c : lexeme) {
    if (c == '\'' || c == '\\') text += c;
    text += c;
  }
  return text + "'";
}

/// A for words in the title; B to D for others, depending on how often and how prominently they occur.
char weight_of(std::uint32_t count, bool in_title) {
  if (in_title) return 'A';
  return count >= 6 ? 'B' : count >= 3 ? 'C' : 'D';
}

void add_lexeme(std::string& out, std::string_view lexeme, std::uint32_t count, char weight) {
  if (!out.empty()) out += ' ';
  out += lexeme_text(lexeme);
  std::uint32_t positions = 1;
  while (positions < kMaxPositions && (count >> positions) > 0) ++positions;
  for (std::uint32_t position = 1; position <= positions; ++position) {
    out += position == 1 ? ':' : ',';
    out += std::to_string(position);
    if (weight != 'D') out += weight;
  }
}

std::string joined(const std::vector<std::string>& parts, std::string_view by) {
  if (parts.size() == 1) return parts.front();
  std::string text = "(";
  for (const std::string& part : parts) {
    if (text.size() > 1) text += by;
    text += part;
  }
  return text + ")";
}

std::string word_tsquery(const WordForms& forms, std::string_view prefix) {
  std::vector<std::string> any;
  for (const std::string& term : forms.terms) any.push_back(lexeme_text(std::string(prefix) + term));
  if (!forms.prefix.empty()) any.push_back(lexeme_text(std::string(prefix) + forms.prefix) + ":*");
  return joined(any, " | ");
}

// The recursion is bounded: a plan is at most four levels deep for any query.
std::string node_tsquery(const MatchNode& node) {
  const std::string_view prefix = node.in_title ? kTitlePrefix : std::string_view();
  std::vector<std::string> parts;
  for (const MatchNode& child : node.children) parts.push_back(node_tsquery(child));
  if (node.kind == MatchNode::Kind::any) return joined(parts, " | ");
  if (node.kind == MatchNode::Kind::filter) return lexeme_text(node.words[0].terms[0]);
  for (const WordForms& word : node.words) parts.push_back(word_tsquery(word, prefix));
  return joined(parts, " & ");
}

bool contains_phrase(const MatchNode& node) {
  return node.kind == MatchNode::Kind::phrase || std::ranges::any_of(node.children, contains_phrase);
}

void add_ranked(const MatchNode& node, std::vector<std::string>& out) {
  if (node.kind == MatchNode::Kind::filter) return;
  for (const WordForms& word : node.words) {
    out.push_back(word_tsquery(word, node.in_title ? kTitlePrefix : std::string_view()));
    // A match in the title counts twice.
    if (!node.in_title && word.prefix.empty()) out.push_back(word_tsquery(word, kTitlePrefix));
  }
  for (const MatchNode& child : node.children) add_ranked(child, out);
}

}  // namespace

std::string tsvector_text(const PageTerms& terms, std::span<const std::string> filters) {
  std::string out;
  std::size_t bytes = 0;
  const auto has_room = [&](std::string_view lexeme) {
    if (lexeme.empty() || lexeme.size() > kMaxLexemeLength) return false;
    bytes += lexeme.size() + kBytesBesideLexeme;
    return bytes < kMaxLexemeBytes;
  };
  for (const std::string& filter : filters)
    if (has_room(filter)) add_lexeme(out, filter, 1, 'D');
  for (const TermCount& entry : terms.title.entries())
    if (const std::string lexeme = std::string(kTitlePrefix).append(entry.term); has_room(lexeme))
      add_lexeme(out, lexeme, entry.count, 'A');
  for (const TermCount& entry : terms.pairs.entries())
    if (const std::string lexeme = std::string(kPairPrefix).append(entry.term); has_room(lexeme))
      add_lexeme(out, lexeme, entry.count, 'A');
  std::vector<std::pair<std::uint32_t, std::string_view>> body;
  for (const TermCount& entry : terms.body.entries()) body.emplace_back(entry.count, entry.term);
  std::ranges::sort(body, [](const auto& a, const auto& b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  for (const auto& [count, term] : body) {
    if (!has_room(term)) continue;
    add_lexeme(out, term, count, weight_of(count, terms.title.contains(term)));
  }
  return out;
}

std::string match_tsquery(const MatchPlan& plan) {
  std::vector<std::string> all;
  for (const MatchNode& node : plan.required) all.push_back(node_tsquery(node));
  for (const MatchNode& node : plan.excluded)
    if (!contains_phrase(node)) all.push_back("!" + node_tsquery(node));
  return joined(all, " & ");
}

std::string rank_tsquery(const MatchPlan& plan) {
  std::vector<std::string> any;
  for (const MatchNode& node : plan.required) add_ranked(node, any);
  for (const std::string& pair : plan.pairs) any.push_back(lexeme_text(std::string(kPairPrefix) + pair));
  return any.empty() ? std::string() : joined(any, " | ");
}

std::string term_tsquery(std::string_view term) { return lexeme_text(term); }

std::string forms_tsquery(const WordForms& forms) { return word_tsquery(forms, {}); }

namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::shared::PgRows;
using store::shared::SharedDatabase;
using store::shared::SqlParam;
using store::shared::SqlParams;

// Ranking a page requires reading its lexemes, so only this many matches are ranked.
constexpr int kMaxRanked = 20'000;
constexpr int kMaxCounted = 1'000;

/// $1 selects pages, $2 ranks them, $3 is the earliest time of modification.
constexpr const char* kRankedPages =
    "SELECT id, record, ts_rank('{0.1, 0.3, 0.6, 1.0}', terms, $2::tsquery, 1) AS score FROM "
    "(SELECT id, record, terms FROM sheaf.search_page WHERE terms @@ $1::tsquery AND modified >= $3::bigint "
    "LIMIT 20000) AS found";  // kMaxRanked

class SharedVocabulary final : public Vocabulary {
 public:
  SharedVocabulary(SharedDatabase& database, StemmerSet& stemmers, const std::vector<std::string>& languages)
      : database_(database), stemmers_(stemmers), languages_(languages) {}

  Result<std::uint64_t> pages_with(const SearchWord& word) override {
    WordForms forms{{std::string(word.text)}, {}};
    for (const std::string& language : languages_)
      forms.terms.emplace_back(stemmers_.of(language).term_of(word));
    SHEAF_TRY_ASSIGN(const auto rows,
                     database_.query(fmt::format("SELECT count(*) FROM (SELECT 1 FROM sheaf.search_page "
                                                 "WHERE terms @@ $1::tsquery LIMIT {}) AS found",
                                                 kMaxCounted),
                                     {forms_tsquery(forms)}));
    return static_cast<std::uint64_t>(rows.number(0, 0));
  }

  Result<void> each_word(const std::string& start, std::size_t letters,
                         const std::function<bool(const std::string&)>& use) override {
    const auto most = static_cast<std::int64_t>(letters + most_mistakes(letters));
    const auto least = static_cast<std::int64_t>(letters - most_mistakes(letters));
    SHEAF_TRY_ASSIGN(
        const auto rows,
        database_.query("SELECT word FROM sheaf.search_word WHERE left(word, $1::int) = $2 AND length(word) "
                        "BETWEEN $3::int AND $4::int ORDER BY word LIMIT 300000",
                        {static_cast<std::int64_t>(start.size()), start, least, most}));
    for (int i = 0; i < rows.size(); ++i)
      if (!use(std::string(rows.text(i, 0)))) break;
    return {};
  }

 private:
  SharedDatabase& database_;
  StemmerSet& stemmers_;
  const std::vector<std::string>& languages_;
};

class SharedIndex final : public SearchIndex {
 public:
  explicit SharedIndex(const std::string& url) : database_(url) {}

  /// Fails with Errc::not_found if there is no index or an empty one.
  Result<void> open() {
    const auto none = [this] {
      return fail(Errc::not_found, fmt::format("{0} has no search index; `sheaf index --store {0}` makes one",
                                               database_.name()));
    };
    SHEAF_TRY_ASSIGN(const auto there, database_.query("SELECT 1 FROM information_schema.tables WHERE "
                                                       "table_schema = 'sheaf' AND table_name = "
                                                       "'search_state'"));
    if (there.empty()) return none();
    SHEAF_TRY_ASSIGN(const auto now, read_state());
    if (now.position.version == 0) return none();
    if (now.position.version == kIndexVersion) return {};
    return fail(Errc::invalid_data, fmt::format("the search index of {} is of another version; `sheaf index` "
                                                "builds it",
                                                database_.name()));
  }

  Result<SearchResults> search(const store::PageStore& store, const SearchRequest& request) override {
    const std::lock_guard lock(mutex_);
    SHEAF_TRY_ASSIGN(const PreparedSearch search, prepare_search(request));
    SHEAF_TRY_ASSIGN(const State now, read_state());
    SHEAF_TRY_ASSIGN(const auto languages, read_languages());
    const MatchPlan plan = plan_search(request, search.query, languages, stemmers_);
    SHEAF_TRY(check_filters(plan));
    SearchResults out;
    SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store.newest_change());
    const std::uint64_t indexed = now.position.sequence.value_or(0).total();
    out.behind = newest.total() > indexed ? newest.total() - indexed : 0;
    SHEAF_TRY(collect(store, request, plan, search, now.revision, out));
    if (out.total == 0 && !search.cursor) {
      SharedVocabulary vocabulary(database_, stemmers_, languages);
      SHEAF_TRY_ASSIGN(out.suggestion, suggest_query(vocabulary, request.query, search.query));
    }
    return out;
  }

  Result<IndexState> state() override {
    const std::lock_guard lock(mutex_);
    SHEAF_TRY_ASSIGN(const State now, read_state());
    SHEAF_TRY_ASSIGN(
        const auto rows,
        database_.query(
            "SELECT count(*), pg_total_relation_size('sheaf.search_page') FROM sheaf.search_page"));
    IndexState state;
    state.pages = static_cast<std::uint64_t>(rows.number(0, 0));
    state.sequence = now.position.sequence.value_or(0);
    state.is_complete = now.position.sequence.has_value();
    state.disk_bytes = static_cast<std::uint64_t>(rows.number(0, 1));
    return state;
  }

  Result<std::vector<IndexedPage>> pages(std::uint64_t after, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    if (after > static_cast<std::uint64_t>(INT64_MAX)) return std::vector<IndexedPage>{};
    SHEAF_TRY_ASSIGN(
        const auto rows,
        database_.query("SELECT id, record FROM sheaf.search_page WHERE id > $1::bigint ORDER BY "
                        "id LIMIT $2::bigint",
                        {static_cast<std::int64_t>(after), static_cast<std::int64_t>(limit)}));
    std::vector<IndexedPage> pages;
    for (int i = 0; i < rows.size(); ++i)
      if (auto record = decode_index_record(rows.text(i, 1)))
        pages.push_back({static_cast<std::uint64_t>(rows.number(i, 0)), std::move(record->site),
                         std::move(record->url), std::move(record->modified)});
    return pages;
  }

 private:
  struct State {
    std::uint64_t revision = 0;
    IndexPosition position;
  };

  Result<State> read_state() {
    SHEAF_TRY_ASSIGN(const auto rows, database_.query("SELECT revision, position FROM sheaf.search_state"));
    if (rows.empty()) return State{};
    return State{static_cast<std::uint64_t>(rows.number(0, 0)), decode_index_position(rows.text(0, 1))};
  }

  Result<std::vector<std::string>> read_languages() {
    SHEAF_TRY_ASSIGN(const auto rows,
                     database_.query(fmt::format("SELECT tag FROM sheaf.search_language WHERE tag <> '' "
                                                 "ORDER BY pages DESC, tag LIMIT {}",
                                                 kMaxLanguages)));
    std::vector<std::string> languages;
    for (int i = 0; i < rows.size(); ++i) languages.emplace_back(rows.text(i, 0));
    return languages;
  }

  Result<void> check_filters(const MatchPlan& plan) {
    for (const MatchNode& node : plan.required) {
      if (node.kind != MatchNode::Kind::filter) continue;
      const std::string& term = node.words[0].terms[0];
      SHEAF_TRY_ASSIGN(const auto rows,
                       database_.query("SELECT EXISTS (SELECT 1 FROM sheaf.search_page WHERE "
                                       "terms @@ $1::tsquery)",
                                       {term_tsquery(term)}));
      if (rows.number(0, 0) == 0) return std::unexpected(unknown_filter(term));
    }
    return {};
  }

  Result<void> collect(const store::PageStore& store, const SearchRequest& request, const MatchPlan& plan,
                       const PreparedSearch& search, std::uint64_t revision, SearchResults& out) {
    const std::string match = match_tsquery(plan);
    const std::string rank = rank_tsquery(plan);
    const SqlParams params{match, rank.empty() ? match : rank,
                           request.since ? request.since->seconds : INT64_MIN};
    SHEAF_TRY(count(params, out));
    SearchCursor at{search.hash, revision, 0, 0};
    if (search.cursor) {
      SHEAF_TRY_ASSIGN(at.rank, first_rank(params, *search.cursor, revision));
    }
    ResultFiller filler(make_hits_, store, plan, request.limit, at, out);
    while (filler.rank() < kMaxSearchRank) {
      const std::size_t step = filler.step();
      SHEAF_TRY_ASSIGN(const auto rows,
                       database_.query(fmt::format("{} ORDER BY score DESC, id LIMIT {} OFFSET {}",
                                                   kRankedPages, step, filler.rank()),
                                       params));
      SHEAF_TRY_ASSIGN(const auto candidates, candidates_of(rows));
      SHEAF_TRY_ASSIGN(const bool more, filler.take(candidates));
      if (!more || candidates.size() < step) return {};
    }
    return {};
  }

  Result<void> count(const SqlParams& params, SearchResults& out) {
    SHEAF_TRY_ASSIGN(
        const auto rows,
        database_.query(fmt::format("SELECT count(*) FROM (SELECT 1 FROM sheaf.search_page "
                                    "WHERE terms @@ $1::tsquery AND modified >= $2::bigint LIMIT "
                                    "{}) AS found",
                                    kMaxRanked),
                        {params[0], params[2]}));
    out.total = static_cast<std::uint64_t>(rows.number(0, 0));
    out.is_estimate = out.total == static_cast<std::uint64_t>(kMaxRanked);
    return {};
  }

  /// Finds the rank of the cursor's document again if the index has changed since, because ranks may have
  /// moved.
  Result<std::uint64_t> first_rank(const SqlParams& params, const SearchCursor& cursor,
                                   std::uint64_t revision) {
    if (cursor.revision == revision) return cursor.rank;
    SHEAF_TRY_ASSIGN(const auto rows,
                     database_.query(fmt::format("SELECT id FROM ({}) AS ranked ORDER BY score DESC, id "
                                                 "LIMIT {}",
                                                 kRankedPages, kMaxSearchRank),
                                     params));
    for (int i = 0; i < rows.size(); ++i)
      if (static_cast<std::uint64_t>(rows.number(i, 0)) == cursor.document)
        return static_cast<std::uint64_t>(i) + 1;
    return cursor.rank;  // the document was removed: most likely nothing else changed
  }

  [[nodiscard]] Result<std::vector<HitCandidate>> candidates_of(const PgRows& rows) const {
    std::vector<HitCandidate> candidates;
    for (int i = 0; i < rows.size(); ++i) {
      auto record = decode_index_record(rows.text(i, 1));
      if (!record)
        return fail(Errc::invalid_data,
                    fmt::format("the search index of {} is damaged; `sheaf index --rebuild` "
                                "rebuilds it",
                                database_.name()));
      candidates.push_back(
          {static_cast<std::uint64_t>(rows.number(i, 0)), std::move(*record), rows.real(i, 2)});
    }
    return candidates;
  }

  SharedDatabase database_;
  std::mutex mutex_;
  StemmerSet stemmers_;
  HitMaker make_hits_;
};

}  // namespace

Result<std::unique_ptr<SearchIndex>> open_shared_index(const std::string& url) {
  SHEAF_TRY(store::shared::check_postgres_url(url));
  auto index = std::make_unique<SharedIndex>(url);
  SHEAF_TRY(index->open());
  return index;
}

}  // namespace sheaf::search
