#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_record.h"
#include "sheaf/search/index_writer.h"

#include <xapian.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

// Xapian's types, shared by the sources that read and write the index.
namespace sheaf::search {

inline constexpr Xapian::valueno kModifiedSlot = 0;

/// Must be increased with kIndexVersion, and when the files change. An index of another version is rebuilt.
inline constexpr std::uint64_t kLocalIndexVersion = 3;
/// Xapian's version file, which every database has.
inline constexpr const char* kVersionFile = "iamglass";
inline constexpr std::size_t kMaxShards = 64;

IndexPosition read_position(const Xapian::Database& database);
void write_position(Xapian::WritableDatabase& database, const IndexPosition& position);

/// Returns the number of shards of the index. Throws Xapian::DatabaseCorruptError if it is missing.
std::size_t read_shards(const Xapian::Database& head);
void write_shards(Xapian::WritableDatabase& head, std::size_t shards);
std::filesystem::path shard_folder(const std::filesystem::path& folder, std::size_t number);

/// The folder of the index of the store at `location`.
std::filesystem::path index_folder(const std::string& location);

/// Converts an exception of Xapian to an error.
base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder);

/// Prefix of metadata keys that are known words, for suggestions. Their values have no meaning.
inline constexpr std::string_view kVocabularyPrefix = "W";

struct XapianPage final : PreparedPage {
  std::string key;  ///< the term that only this page has
  Xapian::Document document;
  std::uint64_t terms = 0;
  std::vector<std::string> new_words;
};

/// Makes documents from pages. `folder` is the folder of the index, for error messages.
std::unique_ptr<PagePreparer> make_document_preparer(std::filesystem::path folder);

/// The words of pages, in the metadata of a database, for suggestions.
class IndexWords {
 public:
  /// Reads the state of the database.
  void open(const Xapian::Database& database);
  /// Adds a word of a page, unless it is known or useless as a suggestion.
  void learn(const std::string& word);
  /// Whether enough words are waiting to be written.
  [[nodiscard]] bool is_full() const;
  /// Writes new words. Returns false if there are none.
  bool write(Xapian::WritableDatabase& database);

 private:
  std::uint64_t count_ = 0;                      ///< words in the database
  bool had_words_ = false;                       ///< the database had words when it was opened
  std::unordered_set<std::size_t> known_words_;  ///< hashes of the words learnt since then
  std::set<std::string> new_words_;              ///< words that are not in the database yet
  std::hash<std::string> hash_;
};

/// One of the databases of an index. Xapian allows one writing thread per database. So each shard has its own
/// thread, and an index with several shards is written by several processors.
///
/// Not thread-safe. If the thread throws an exception, it drops all waiting tasks, and every later call
/// throws that exception.
class IndexShard {
 public:
  explicit IndexShard(Xapian::WritableDatabase database);
  ~IndexShard();
  IndexShard(const IndexShard&) = delete;
  IndexShard& operator=(const IndexShard&) = delete;

  /// Adds or replaces a page, later, on the thread. Waits while too many pages are waiting. `is_new` means
  /// that the shard certainly does not have the page. A new page gets the number `fresh`, which must be above
  /// all others.
  void put(std::unique_ptr<XapianPage> page, bool is_new, Xapian::docid fresh);
  /// Removes a page that the shard has.
  void remove(const std::string& key);
  /// These start an operation on the thread; idle_database() waits for its end.
  void begin_commit();
  void begin_compact(const std::filesystem::path& target);

  /// Waits until the thread has done everything, and returns the database. The caller may use it until it
  /// calls another function.
  Xapian::WritableDatabase& idle_database();

 private:
  struct Task {
    std::function<void()> run;
    std::uint64_t terms = 0;
  };

  void push(Task task);
  void work();
  void write(const XapianPage& page, bool is_new, Xapian::docid fresh);
  void count_change(std::uint64_t terms);

  Xapian::WritableDatabase database_;
  std::uint64_t held_terms_ = 0;  ///< terms that Xapian has not written yet
  std::uint64_t changes_ = 0;     ///< changes that Xapian has not written yet

  std::mutex mutex_;
  std::condition_variable filled_;  ///< wakes the thread
  std::condition_variable done_;    ///< wakes the caller
  std::deque<Task> tasks_;
  std::uint64_t waiting_terms_ = 0;  ///< terms of all tasks
  bool is_busy_ = false;
  bool is_stopped_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace sheaf::search
