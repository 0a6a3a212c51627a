#include "sheaf/base/hash.h"
#include "sheaf/search/page_terms.h"
#include "sheaf/search/search_query.h"
#include "sheaf/search/shared/shared_index.h"
#include "sheaf/search/shared_indexes.h"
#include "sheaf/search/word_suggestion.h"
#include "sheaf/store/shared/shared_database.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>
#include <unordered_set>
#include <utility>

namespace sheaf::search {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::shared::PgConnection;
using store::shared::SharedDatabase;
using store::shared::SqlArray;
using store::shared::SqlParam;

// Bytes that are held back before they are written. Writing before a commit is harmless, because the position
// then stays an older one.
constexpr std::size_t kHeldBytes = std::size_t{8} << 20U;
constexpr int kRecordsAtOnce = 5'000;
constexpr std::size_t kMaxNewWords = 1'000'000;

constexpr const char* kSearchTables[] = {
    "CREATE TABLE IF NOT EXISTS sheaf.search_state (one int PRIMARY KEY, revision bigint NOT NULL, "
    "writer text NOT NULL, position bytea NOT NULL)",
    "INSERT INTO sheaf.search_state VALUES (1, 0, '', '') ON CONFLICT (one) DO NOTHING",
    "CREATE TABLE IF NOT EXISTS sheaf.search_page (key bytea PRIMARY KEY, id bigserial UNIQUE, "
    "modified bigint NOT NULL, record bytea NOT NULL, sections text[] NOT NULL, terms tsvector NOT NULL)",
    "CREATE INDEX IF NOT EXISTS search_page_terms ON sheaf.search_page USING gin (terms)",
    "CREATE TABLE IF NOT EXISTS sheaf.search_word (word text PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS sheaf.search_language (tag text PRIMARY KEY, pages bigint NOT NULL)",
};

std::string key_of(const std::string& site, const std::string& url) {
  const base::Digest digest = base::sha256(page_term(site, url));
  return {reinterpret_cast<const char*>(digest.data()), 16};
}

std::string new_writer_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

struct SharedPage final : PreparedPage {
  IndexRecord record;
  std::int64_t modified = 0;
  std::string terms;
  bool is_readable = false;
  std::string language;  ///< language of a readable page
  std::vector<std::string> new_words;
};

class SharedPreparer final : public PagePreparer {
 public:
  Result<std::unique_ptr<PreparedPage>> prepare(const IndexRecord& record, const Page* page) override {
    auto prepared = std::make_unique<SharedPage>();
    std::vector<std::string> filters = site_terms(record.site);
    for (const std::string& section : record.sections) filters.push_back(section_term(section));
    static const PageTerms kNothing;
    const PageTerms& terms = page != nullptr ? make_terms_(*page) : kNothing;
    if (page != nullptr) {
      for (std::string& term : language_terms(page->language)) filters.push_back(std::move(term));
      prepared->language = primary_language(page->language);
      prepared->modified = page->modified_at.seconds;
    }
    prepared->record = record;
    prepared->is_readable = page != nullptr;
    prepared->terms = tsvector_text(terms, filters);
    prepared->new_words = terms.new_words;
    prepared->text_bytes = terms.bytes;
    return prepared;
  }

 private:
  PageTermMaker make_terms_;
};

class SharedIndexWriter final : public IndexWriter {
 public:
  explicit SharedIndexWriter(const std::string& url) : database_(url), name_(new_writer_name()) {}

  Result<void> open(Start start) {
    const auto create = [](PgConnection& connection) -> Result<void> {
      for (const char* const statement : kSearchTables) SHEAF_TRY(connection.query(statement));
      return {};
    };
    SHEAF_TRY(database_.transact(create));
    SHEAF_TRY_ASSIGN(const auto rows, database_.query("SELECT revision, position FROM sheaf.search_state"));
    if (rows.empty()) return fail(Errc::invalid_data, "the table sheaf.search_state is empty; delete it");
    revision_ = rows.number(0, 0);
    position_ = decode_index_position(rows.text(0, 1));
    committed_ = position_;
    was_of_other_version_ = position_.version != 0 && position_.version != kIndexVersion;
    if (start == Start::from_nothing || position_.version != kIndexVersion) SHEAF_TRY(begin_anew());
    SHEAF_TRY_ASSIGN(const auto any, database_.query("SELECT EXISTS (SELECT 1 FROM sheaf.search_page)"));
    is_new_ = any.number(0, 0) == 0;
    return {};
  }

  [[nodiscard]] bool was_of_other_version() const override { return was_of_other_version_; }
  [[nodiscard]] const IndexPosition& position() const override { return position_; }
  void set_position(const IndexPosition& position) override { position_ = position; }

  [[nodiscard]] std::unique_ptr<PagePreparer> make_preparer() const override {
    return std::make_unique<SharedPreparer>();
  }

  Result<void> put(std::unique_ptr<PreparedPage> page) override {
    auto& prepared = static_cast<SharedPage&>(*page);
    if (prepared.is_readable) ++languages_[prepared.language];
    for (const std::string& word : prepared.new_words) learn(word);
    held_bytes_ += prepared.terms.size() + prepared.record.url.size();
    const std::string key = key_of(prepared.record.site, prepared.record.url);
    held_.insert_or_assign(key,
                           Held{std::move(prepared.record), prepared.modified, std::move(prepared.terms)});
    if (held_bytes_ > kHeldBytes) return write(encode(committed_));
    return {};
  }

  Result<bool> remove(const std::string& site, const std::string& url) override {
    SHEAF_TRY_ASSIGN(const auto known, find(site, url));
    held_.insert_or_assign(key_of(site, url), std::nullopt);
    return known.has_value();
  }

  Result<std::optional<IndexRecord>> find(const std::string& site, const std::string& url) override {
    const std::string key = key_of(site, url);
    const auto held = held_.find(key);
    if (held != held_.end()) return held->second ? std::optional(held->second->record) : std::nullopt;
    if (is_new_ && !written_.contains(key)) return std::nullopt;
    SHEAF_TRY_ASSIGN(const auto rows, database_.query("SELECT record FROM sheaf.search_page WHERE key = $1",
                                                      {SqlParam::bytes(key)}));
    return rows.empty() ? std::nullopt : decode_index_record(rows.text(0, 0));
  }

  Result<void> each(const std::function<bool(const IndexRecord&)>& use) override {
    SHEAF_TRY(write(encode(committed_)));
    std::string after;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto rows,
                       database_.query(fmt::format("SELECT key, record FROM sheaf.search_page WHERE key > $1 "
                                                   "ORDER BY key LIMIT {}",
                                                   kRecordsAtOnce),
                                       {SqlParam::bytes(after)}));
      for (int i = 0; i < rows.size(); ++i) {
        const auto record = decode_index_record(rows.text(i, 1));
        if (record && !use(*record)) return {};
      }
      if (rows.size() < kRecordsAtOnce) return {};
      after = rows.text(rows.size() - 1, 0);
    }
  }

  Result<std::map<std::string, std::uint64_t>> section_counts() override {
    SHEAF_TRY(write(encode(committed_)));
    SHEAF_TRY_ASSIGN(const auto rows, database_.query("SELECT s, count(*) FROM sheaf.search_page, "
                                                      "unnest(sections) AS s GROUP BY s"));
    std::map<std::string, std::uint64_t> counts;
    for (int i = 0; i < rows.size(); ++i)
      counts[std::string(rows.text(i, 0))] = static_cast<std::uint64_t>(rows.number(i, 1));
    return counts;
  }

  Result<std::uint64_t> pages() override {
    SHEAF_TRY(write(encode(committed_)));
    SHEAF_TRY_ASSIGN(const auto rows, database_.query("SELECT count(*) FROM sheaf.search_page"));
    return static_cast<std::uint64_t>(rows.number(0, 0));
  }

  Result<void> commit() override {
    SHEAF_TRY(write(encode(position_)));
    committed_ = position_;
    return {};
  }

  /// PostgreSQL's vacuum does the rest.
  Result<void> pack() override { return commit(); }

 private:
  struct Held {
    IndexRecord record;
    std::int64_t modified = 0;
    std::string terms;
  };

  void learn(const std::string& word) {
    if (is_worth_knowing(word) && new_words_.size() < kMaxNewWords) new_words_.insert(word);
  }

  Result<void> begin_anew() {
    position_ = {};
    position_.version = kIndexVersion;
    committed_ = position_;
    return write_with(encode(position_), [](PgConnection& connection) -> Result<void> {
      for (const char* const table : {"page", "word", "language"})
        SHEAF_TRY(connection.query(fmt::format("DELETE FROM sheaf.search_{}", table)));
      return {};
    });
  }

  /// Writes everything that is held back, and a position, if no other process has written meanwhile.
  Result<void> write(const std::string& position) {
    const auto write_all = [this](PgConnection& connection) -> Result<void> {
      SHEAF_TRY(write_removed(connection));
      SHEAF_TRY(write_pages(connection));
      return write_words(connection);
    };
    SHEAF_TRY(write_with(position, write_all));
    if (is_new_)
      for (const auto& [key, held] : held_) written_.insert(key);
    held_.clear();
    held_bytes_ = 0;
    languages_.clear();
    new_words_.clear();
    return {};
  }

  Result<void> write_with(const std::string& position,
                          const std::function<Result<void>(PgConnection&)>& steps) {
    const auto work = [&](PgConnection& connection) -> Result<void> {
      SHEAF_TRY_ASSIGN(const auto now,
                       connection.query("SELECT revision, writer FROM sheaf.search_state FOR UPDATE"));
      const bool is_there = !now.empty();
      // An earlier COMMIT took effect, but its answer was lost.
      if (is_there && now.number(0, 0) == revision_ + 1 && now.text(0, 1) == name_) return {};
      if (!is_there || now.number(0, 0) != revision_)
        return fail(
            Errc::in_use,
            fmt::format(
                "the search index of {} is being updated by another process or thread; try again when "
                "it is done",
                database_.name()));
      SHEAF_TRY(steps(connection));
      SHEAF_TRY(connection.query(
          "UPDATE sheaf.search_state SET revision = revision + 1, writer = $1, position = $2",
          {name_, SqlParam::bytes(position)}));
      return {};
    };
    SHEAF_TRY(database_.transact(work));
    ++revision_;
    return {};
  }

  Result<void> write_removed(PgConnection& connection) const {
    SqlArray keys;
    for (const auto& [key, held] : held_)
      if (!held) keys.add_bytes(key);
    SHEAF_TRY(connection.query("DELETE FROM sheaf.search_page WHERE key = ANY($1::bytea[])", {keys.param()}));
    return {};
  }

  Result<void> write_pages(PgConnection& connection) const {
    SqlArray keys;
    SqlArray modified;
    SqlArray records;
    SqlArray sections;
    SqlArray terms;
    bool any = false;
    for (const auto& [key, held] : held_) {
      if (!held) continue;
      any = true;
      keys.add_bytes(key);
      modified.add(held->modified);
      records.add_bytes(encode(held->record));
      SqlArray names;
      for (const std::string& section : held->record.sections) names.add_text(section_term(section));
      sections.add_text(names.param().value());  // an array within an array, as text
      terms.add_text(held->terms);
    }
    if (!any) return {};
    SHEAF_TRY(connection.query(
        "INSERT INTO sheaf.search_page (key, modified, record, sections, terms) SELECT p.key, p.modified, "
        "p.record, p.sections::text[], p.terms::tsvector FROM unnest($1::bytea[], $2::bigint[], "
        "$3::bytea[], $4::text[], $5::text[]) AS p(key, modified, record, sections, terms) ON CONFLICT (key) "
        "DO UPDATE SET modified = excluded.modified, record = excluded.record, sections = "
        "excluded.sections, terms = excluded.terms",
        {keys.param(), modified.param(), records.param(), sections.param(), terms.param()}));
    return {};
  }

  Result<void> write_words(PgConnection& connection) const {
    SqlArray words;
    for (const std::string& word : new_words_) words.add_text(word);
    SHEAF_TRY(connection.query(
        "INSERT INTO sheaf.search_word SELECT unnest($1::text[]) ON CONFLICT (word) DO NOTHING",
        {words.param()}));
    SqlArray tags;
    SqlArray counts;
    for (const auto& [tag, count] : languages_) {
      tags.add_text(tag);
      counts.add(count);
    }
    SHEAF_TRY(connection.query(
        "INSERT INTO sheaf.search_language SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT (tag) "
        "DO UPDATE SET pages = search_language.pages + excluded.pages",
        {tags.param(), counts.param()}));
    return {};
  }

  SharedDatabase database_;
  const std::string name_;
  std::int64_t revision_ = 0;
  IndexPosition position_;
  IndexPosition committed_;                          ///< the position of the last commit()
  std::map<std::string, std::optional<Held>> held_;  ///< by key; nullopt: the page is removed
  std::size_t held_bytes_ = 0;
  std::map<std::string, std::int64_t> languages_;
  std::set<std::string> new_words_;
  bool was_of_other_version_ = false;
  bool is_new_ = false;  ///< the index was empty when it was opened
  std::unordered_set<std::string> written_;
};

}  // namespace

Result<std::unique_ptr<IndexWriter>> open_shared_writer(const std::string& url, IndexWriter::Start start) {
  auto writer = std::make_unique<SharedIndexWriter>(url);
  SHEAF_TRY(writer->open(start));
  return writer;
}

}  // namespace sheaf::search

extern "C" const sheaf::search::SharedIndexes* sheaf_shared_indexes() {
  static constexpr sheaf::search::SharedIndexes kIndexes{sheaf::search::open_shared_index,
                                                         sheaf::search::open_shared_writer};
  return &kIndexes;
}
