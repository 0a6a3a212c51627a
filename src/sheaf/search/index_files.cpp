#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/page_terms.h"
#include "sheaf/search/search_query.h"
#include "sheaf/search/word_suggestion.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::search {
namespace {

constexpr const char* kPositionKey = "sheaf";
constexpr const char* kShardsKey = "shards";

}  // namespace

IndexPosition read_position(const Xapian::Database& database) {
  return decode_index_position(database.get_metadata(kPositionKey));
}

void write_position(Xapian::WritableDatabase& database, const IndexPosition& position) {
  database.set_metadata(kPositionKey, encode(position));
}

std::size_t read_shards(const Xapian::Database& head) {
  const std::string text = head.get_metadata(kShardsKey);
  std::size_t shards = 0;
  std::from_chars(text.data(), text.data() + text.size(), shards);
  if (shards == 0 || shards > kMaxShards)
    throw Xapian::DatabaseCorruptError("the number of shards is missing");
  return shards;
}

void write_shards(Xapian::WritableDatabase& head, std::size_t shards) {
  head.set_metadata(kShardsKey, std::to_string(shards));
}

std::filesystem::path shard_folder(const std::filesystem::path& folder, std::size_t number) {
  return folder / std::to_string(number);
}

std::filesystem::path index_folder(const std::string& location) {
  return std::filesystem::path(location) / "search";
}

base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder) {
  using base::Errc;
  const std::string type = error.get_type();
  const char* const reason = error.get_error_string();
  const std::string what =
      reason != nullptr ? fmt::format("{}: {}", error.get_msg(), reason) : error.get_msg();
  if (type == "DatabaseLockError")
    return {Errc::in_use,
            fmt::format("{} is being updated by another process or thread; try again when it is done",
                        folder.string())};
  // The message of a failed commit contains the reason.
  if (what.find(std::strerror(ENOSPC)) != std::string::npos)
    return {Errc::no_space, fmt::format("cannot write the index in {}: {}", folder.string(), what)};
  // Without a failed system call, an error of the database means that its files are damaged. If one of them
  // is missing, so is the index: a power loss while it was being created can do that.
  const bool is_missing = reason != nullptr && std::string_view(reason) == std::strerror(ENOENT);
  if ((reason == nullptr || is_missing) && type.starts_with("Database"))
    return {Errc::invalid_data,
            fmt::format("the index in {} is damaged ({}); `sheaf index --rebuild` rebuilds it",
                        folder.string(), what)};
  return {Errc::io, fmt::format("the index in {} cannot be used: {}", folder.string(), what)};
}

namespace {

using base::Result;

class XapianPreparer final : public PagePreparer {
 public:
  explicit XapianPreparer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<PreparedPage>> prepare(const IndexRecord& record, const Page* page) override {
    try {
      auto prepared = std::make_unique<XapianPage>();
      prepared->key = page_term(record.site, record.url);
      Xapian::Document& document = prepared->document;
      document.set_data(encode(record));
      document.add_boolean_term(prepared->key);
      for (const std::string& term : site_terms(record.site)) document.add_boolean_term(term);
      for (const std::string& section : record.sections) document.add_boolean_term(section_term(section));
      if (page != nullptr) add_page(*prepared, *page);
      prepared->terms = document.termlist_count();
      return prepared;
    } catch (const Xapian::Error& error) {
      return std::unexpected(describe_failure(error, folder_));
    }
  }

 private:
  void add_page(XapianPage& prepared, const Page& page) {
    Xapian::Document& document = prepared.document;
    const PageTerms& terms = make_terms_(page);
    for (const TermCount& entry : terms.body.entries())
      document.add_term(std::string(entry.term), entry.count);
    for (const TermCount& entry : terms.title.entries())
      document.add_term(std::string(kTitlePrefix).append(entry.term), entry.count);
    for (const TermCount& entry : terms.pairs.entries())
      document.add_term(std::string(kPairPrefix).append(entry.term), entry.count);
    for (const std::string& term : language_terms(page.language)) document.add_boolean_term(term);
    document.add_value(kModifiedSlot,
                       Xapian::sortable_serialise(static_cast<double>(page.modified_at.seconds)));
    prepared.new_words = terms.new_words;
    prepared.text_bytes = terms.bytes;
  }

  std::filesystem::path folder_;
  PageTermMaker make_terms_;
};

}  // namespace

std::unique_ptr<PagePreparer> make_document_preparer(std::filesystem::path folder) {
  return std::make_unique<XapianPreparer>(std::move(folder));
}

namespace {

// A store has some hundred thousand words. The limit is for sites that make up words.
constexpr std::uint64_t kMaxVocabulary = 1'000'000;
constexpr const char* kVocabularyCount = "words";
constexpr std::size_t kMaxWaitingWords = 50'000;

}  // namespace

void IndexWords::open(const Xapian::Database& database) {
  const std::string words = database.get_metadata(kVocabularyCount);
  std::from_chars(words.data(), words.data() + words.size(), count_);
  had_words_ = count_ > 0;
}

void IndexWords::learn(const std::string& word) {
  if (!is_worth_knowing(word) || known_words_.size() >= kMaxVocabulary) return;
  if (known_words_.insert(hash_(word)).second) new_words_.insert(word);
}

bool IndexWords::is_full() const { return new_words_.size() >= kMaxWaitingWords; }

/// Words are written in sorted order: they fill the blocks of the table one after the other, at a fraction of
/// the cost of random writes.
bool IndexWords::write(Xapian::WritableDatabase& database) {
  if (new_words_.empty()) return false;
  for (const std::string& word : new_words_) {
    const std::string key = std::string(kVocabularyPrefix) + word;
    if (count_ >= kMaxVocabulary) break;
    if (had_words_ && !database.get_metadata(key).empty()) continue;
    database.set_metadata(key, "1");
    ++count_;
  }
  new_words_.clear();
  database.set_metadata(kVocabularyCount, std::to_string(count_));
  return true;
}

namespace {

// Terms of documents that Xapian holds in maps before it writes them to its tables. With more terms, the maps
// do not fit into the processor's cache, and lookups in them take most of the time.
constexpr std::uint64_t kMaxHeldTerms = 100'000;
// Xapian would commit after 10,000 changes, but no commits other than ours may happen: see IndexWriter.
constexpr std::uint64_t kMaxHeldChanges = 5'000;
// Terms of pages that wait for the thread: some hundred small pages, or one large page.
constexpr std::uint64_t kMaxWaitingTerms = 20'000;

}  // namespace

IndexShard::IndexShard(Xapian::WritableDatabase database)
    : database_(std::move(database)), thread_([this] { work(); }) {}

IndexShard::~IndexShard() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void IndexShard::put(std::unique_ptr<XapianPage> page, bool is_new, Xapian::docid fresh) {
  const std::uint64_t terms = page->terms;
  // std::function requires a copyable callable.
  push({[this, shared = std::shared_ptr<XapianPage>(std::move(page)), is_new, fresh] {
          write(*shared, is_new, fresh);
        },
        terms});
}

void IndexShard::remove(const std::string& key) {
  push({[this, key] {
    count_change(0);
    database_.delete_document(key);
  }});
}

void IndexShard::begin_commit() {
  push({[this] {
    database_.commit();
    held_terms_ = changes_ = 0;
  }});
}

void IndexShard::begin_compact(const std::filesystem::path& target) {
  push({[this, target] { database_.compact(target.string(), Xapian::DBCOMPACT_NO_RENUMBER); }});
}

Xapian::WritableDatabase& IndexShard::idle_database() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return (tasks_.empty() && !is_busy_) || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  return database_;
}

void IndexShard::push(Task task) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return waiting_terms_ < kMaxWaitingTerms || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  waiting_terms_ += task.terms;
  tasks_.push_back(std::move(task));
  if (!is_busy_) filled_.notify_one();
}

void IndexShard::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    filled_.wait(lock, [this] { return is_stopped_ || !tasks_.empty(); });
    if (is_stopped_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    is_busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task.run();
    } catch (...) {
      failure = std::current_exception();
    }
    task.run = {};
    lock.lock();
    is_busy_ = false;
    waiting_terms_ -= task.terms;
    if (failure) {
      failure_ = failure;
      tasks_.clear();
    }
    // A caller that waits for room is not woken for each page.
    if (tasks_.empty() || waiting_terms_ < kMaxWaitingTerms / 2) done_.notify_one();
  }
}

void IndexShard::write(const XapianPage& page, bool is_new, Xapian::docid fresh) {
  count_change(page.terms);
  Xapian::docid number = fresh;
  if (!is_new) {
    const auto found = database_.postlist_begin(page.key);
    if (found != database_.postlist_end(page.key)) number = *found;
  }
  database_.replace_document(number, page.document);
}

/// Makes Xapian write the changes that it holds to its tables, without the cost of a commit: it does so
/// before it lists all terms.
void IndexShard::count_change(std::uint64_t terms) {
  if (held_terms_ >= kMaxHeldTerms || changes_ >= kMaxHeldChanges) {
    static_cast<void>(database_.allterms_begin());
    held_terms_ = 0;
    changes_ = 1;  // Xapian also counts from 1 after this
  }
  held_terms_ += terms;
  ++changes_;
}

}  // namespace sheaf::search
