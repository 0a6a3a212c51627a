#include "sheaf/search/index_writer.h"

#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/url_set.h"
#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/search_query.h"
#include "sheaf/search/shared_indexes.h"
#include "sheaf/store/shared_stores.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

using base::Result;

constexpr const char* kPackedSuffix = ".packed";
// More shards would make searches slower and small indexes larger, and only one thread reads the pages.
constexpr unsigned kMaxShardsByDefault = 4;
constexpr base::HashKey kShardKey{0x7368656166207368U, 0x6172647320627920U};

/// Failures are ignored: the damage is found when the file is read.
void sync_to_disk(const std::filesystem::path& path) {
  const base::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0) fsync(file.get());
}

std::size_t shards_of_machine() {
  return std::clamp(std::thread::hardware_concurrency(), 1U, kMaxShardsByDefault);
}

/// A head database, with the position and the known words, and shards with the pages.
///
/// commit() commits the words, then all shards at the same time, then the position. So if the process is
/// killed, shards may be ahead of the position by different amounts, but never behind. That is harmless:
/// indexing a page twice gives the same document. Xapian syncs its files, but not their folders; so after a
/// power loss a shard could have the tables of one commit and the version file of another, if the folders
/// were not synced here after each commit.
class XapianWriter final : public IndexWriter {
 public:
  explicit XapianWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Xapian commits what it holds when a database is closed, so the words of those pages are committed too.
  ~XapianWriter() override {
    static_cast<void>(guarded([&]() -> Result<void> {
      if (!shards_.empty() && words_.write(head_)) {
        head_.commit();
        sync_to_disk(folder_);
      }
      return {};
    }));
  }

  Result<void> open(Start start, std::size_t shards) {
    return guarded([&]() -> Result<void> {
      std::error_code failure;
      // A process that was killed while it created the files leaves some of them, but not the version file.
      const bool is_whole = std::filesystem::exists(folder_ / kVersionFile, failure);
      if (is_whole && start == Start::as_it_is) {
        head_ = Xapian::WritableDatabase(folder_.string(), Xapian::DB_OPEN);
        position_ = read_position(head_);
        was_of_other_version_ = position_.version != 0 && position_.version != kLocalIndexVersion;
      }
      if (position_.version == kLocalIndexVersion)
        open_shards(read_shards(head_), Xapian::DB_OPEN);
      else
        begin_anew(shards > 0 ? std::min(shards, kMaxShards) : shards_of_machine());
      // Left by a pack() that was killed.
      std::filesystem::remove_all(folder_.string() + kPackedSuffix, failure);
      is_new_ = count_pages() == 0;
      for (const auto& shard : shards_)
        last_number_ = std::max(last_number_, shard->idle_database().get_lastdocid());
      words_.open(head_);
      return {};
    });
  }

  [[nodiscard]] bool was_of_other_version() const override { return was_of_other_version_; }
  [[nodiscard]] const IndexPosition& position() const override { return position_; }
  void set_position(const IndexPosition& position) override { position_ = position; }

  [[nodiscard]] std::unique_ptr<PagePreparer> make_preparer() const override {
    return make_document_preparer(folder_);
  }
  /// Preparing takes about half as long as writing.
  [[nodiscard]] std::size_t preparers() const override {
    return std::max<std::size_t>(shards_.size() / 2, 1);
  }

  Result<void> put(std::unique_ptr<PreparedPage> page) override {
    std::unique_ptr<XapianPage> prepared(static_cast<XapianPage*>(page.release()));
    return guarded([&]() -> Result<void> {
      for (const std::string& word : prepared->new_words) words_.learn(word);
      if (words_.is_full()) words_.write(head_);
      // In a first run, looking for older versions would take most of the time, and there are none.
      const bool is_first = is_new_ && added_.insert(prepared->key);
      IndexShard& shard = shard_of(prepared->key);
      shard.put(std::move(prepared), is_first, next_number());
      return {};
    });
  }

  Result<bool> remove(const std::string& site, const std::string& url) override {
    return guarded([&]() -> Result<bool> {
      const std::string key = page_term(site, url);
      IndexShard& shard = shard_of(key);
      if (!shard.idle_database().term_exists(key)) return false;
      shard.remove(key);
      return true;
    });
  }

  Result<std::optional<IndexRecord>> find(const std::string& site, const std::string& url) override {
    return guarded([&]() -> Result<std::optional<IndexRecord>> {
      if (is_new_) return std::nullopt;
      const std::string key = page_term(site, url);
      const Xapian::WritableDatabase& database = shard_of(key).idle_database();
      const auto found = database.postlist_begin(key);
      if (found == database.postlist_end(key)) return std::nullopt;
      return decode_index_record(database.get_document(*found).get_data());
    });
  }

  Result<void> each(const std::function<bool(const IndexRecord&)>& use) override {
    return guarded([&]() -> Result<void> {
      for (const auto& shard : shards_) {
        const Xapian::WritableDatabase& database = shard->idle_database();
        for (auto it = database.postlist_begin(""); it != database.postlist_end(""); ++it) {
          const auto record = decode_index_record(database.get_document(*it).get_data());
          if (record && !use(*record)) return {};
        }
      }
      return {};
    });
  }

  Result<std::map<std::string, std::uint64_t>> section_counts() override {
    return guarded([&]() -> Result<std::map<std::string, std::uint64_t>> {
      const std::string prefix(kSectionPrefix);
      std::map<std::string, std::uint64_t> counts;
      for (const auto& shard : shards_) {
        const Xapian::WritableDatabase& database = shard->idle_database();
        for (auto it = database.allterms_begin(prefix); it != database.allterms_end(prefix); ++it)
          counts[*it] += it.get_termfreq();
      }
      return counts;
    });
  }

  Result<std::uint64_t> pages() override {
    return guarded([&]() -> Result<std::uint64_t> { return count_pages(); });
  }

  Result<void> commit() override {
    return guarded([&]() -> Result<void> {
      if (words_.write(head_)) {
        head_.commit();
        sync_to_disk(folder_);
      }
      for (const auto& shard : shards_) shard->begin_commit();
      wait();
      sync_shards();
      write_position(head_, position_);
      head_.commit();
      sync_to_disk(folder_);
      return {};
    });
  }

  /// A database that grew in many commits has half-empty blocks; packed, it is a third smaller. The packed
  /// copy and the folder exchange their names, so that a complete index remains if the process is killed.
  Result<void> pack() override {
    SHEAF_TRY(commit());
    const std::filesystem::path packed = folder_.string() + kPackedSuffix;
    std::error_code failure;
    std::filesystem::remove_all(packed, failure);
    SHEAF_TRY(guarded([&]() -> Result<void> {
      head_.compact(packed.string());
      for (std::size_t i = 0; i < shards_.size(); ++i) shards_[i]->begin_compact(shard_folder(packed, i));
      wait();
      return {};
    }));
    for (const auto& file : std::filesystem::recursive_directory_iterator(packed, failure))
      sync_to_disk(file.path());
    sync_to_disk(packed);
    // If the file system cannot exchange names, the index stays as it is.
    const bool is_exchanged =
        renameat2(AT_FDCWD, packed.c_str(), AT_FDCWD, folder_.c_str(), RENAME_EXCHANGE) == 0;
    if (is_exchanged) sync_to_disk(folder_.parent_path());
    shards_.clear();
    head_.close();
    std::filesystem::remove_all(packed, failure);
    return {};
  }

 private:
  /// Calls `action`, and converts Xapian's exceptions to errors.
  template <class Action>
  auto guarded(const Action& action) -> decltype(action()) {
    try {
      return action();
    } catch (const Xapian::Error& error) {
      return std::unexpected(describe_failure(error, folder_));
    }
  }

  IndexShard& shard_of(std::string_view key) {
    return *shards_[base::keyed_hash(kShardKey, key) % shards_.size()];
  }

  /// Documents are numbered in the order of put() over all shards: pages with the same score are then shown
  /// in the same order, whatever the number of shards. Xapian combines this number with the number of the
  /// shard.
  Xapian::docid next_number() {
    if (last_number_ >= std::numeric_limits<Xapian::docid>::max() / shards_.size() - 1)
      throw Xapian::DatabaseError("no number is left for a document");
    return ++last_number_;
  }

  std::uint64_t count_pages() {
    std::uint64_t pages = 0;
    for (const auto& shard : shards_) pages += shard->idle_database().get_doccount();
    return pages;
  }

  void sync_shards() const {
    for (std::size_t i = 0; i < shards_.size(); ++i) sync_to_disk(shard_folder(folder_, i));
  }

  /// Waits until the shards have done everything.
  void wait() {
    for (const auto& shard : shards_) shard->idle_database();
  }

  void open_shards(std::size_t number, int mode) {
    for (std::size_t i = 0; i < number; ++i)
      shards_.push_back(
          std::make_unique<IndexShard>(Xapian::WritableDatabase(shard_folder(folder_, i).string(), mode)));
  }

  void throw_if_in_use() const {
    try {
      Xapian::WritableDatabase(folder_.string(), Xapian::DB_OPEN).close();
    } catch (const Xapian::DatabaseLockError&) {
      throw;
    } catch (const Xapian::Error&) {
      return;  // it is damaged, which is no obstacle to rebuilding it
    }
  }

  /// The version file is removed first: if the process is killed after that, the index counts as never
  /// created. The head has the lock, and its version states that all shards exist.
  void begin_anew(std::size_t shards) {
    head_.close();
    std::error_code failure;
    if (std::filesystem::exists(folder_ / kVersionFile, failure)) {
      throw_if_in_use();
      std::filesystem::remove(folder_ / kVersionFile, failure);
      sync_to_disk(folder_);
    }
    head_ = Xapian::WritableDatabase(folder_.string(), Xapian::DB_CREATE_OR_OVERWRITE);
    for (const auto& entry : std::filesystem::directory_iterator(folder_, failure))
      if (entry.is_directory(failure)) std::filesystem::remove_all(entry.path(), failure);
    open_shards(shards, Xapian::DB_CREATE_OR_OVERWRITE);
    position_ = {};
    position_.version = kLocalIndexVersion;
    write_shards(head_, shards);
    write_position(head_, position_);
    sync_shards();
    head_.commit();
    sync_to_disk(folder_);
  }

  std::filesystem::path folder_;
  Xapian::WritableDatabase head_;
  std::vector<std::unique_ptr<IndexShard>> shards_;
  Xapian::docid last_number_ = 0;  ///< highest number in any shard
  IndexPosition position_;
  bool was_of_other_version_ = false;
  IndexWords words_;
  bool is_new_ = false;  ///< the index was empty when it was opened
  /// Keys that were put since then, if the index was new. A false positive only costs a lookup.
  base::UrlSet added_;
};

}  // namespace

Result<std::unique_ptr<IndexWriter>> IndexWriter::open(const std::string& location, Start start,
                                                       std::size_t shards) {
  if (store::shared::is_postgres_url(location)) {
    SHEAF_TRY_ASSIGN(const auto* const indexes, shared_indexes());
    return indexes->open_writer(location, start);
  }
  const std::filesystem::path folder = index_folder(location);
  SHEAF_TRY(base::make_folder(folder));
  auto writer = std::make_unique<XapianWriter>(folder);
  SHEAF_TRY(writer->open(start, shards));
  return writer;
}

}  // namespace sheaf::search
