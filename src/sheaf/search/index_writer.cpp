#include "sheaf/search/index_writer.h"

#include "sheaf/base/file.h"
#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_terms.h"
#include "sheaf/search/shared_index.h"
#include "sheaf/search/word_suggestion.h"
#include "sheaf/store/shared/pg_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

using base::Result;

// Known words serve suggestions. A store has some hundred thousand; a site that makes them up gets no more.
constexpr std::uint64_t kMostVocabulary = 1'000'000;
constexpr const char* kVocabularyCount = "words";
// A divisor of Xapian's own number of changes between two commits, 10,000.
constexpr std::uint64_t kChangesBetweenWords = 1'000;
// Terms of documents that Xapian holds in maps before it writes them to its tables. The maps of more do not
// fit into the processor's cache, and finding a place in them then takes most of the time.
constexpr std::uint64_t kMostHeldTerms = 100'000;
constexpr const char* kVersionFile = "iamglass";
constexpr const char* kPackedSuffix = ".packed";

/// Failures are not reported here: a later reader of the file finds the damage.
void sync_to_disk(const std::filesystem::path& path) {
  const base::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0) fsync(file.get());
}

/// Calls `action`; what Xapian throws becomes an error.
template <class Action>
auto guarded_by(const std::filesystem::path& folder, const Action& action) -> decltype(action()) {
  try {
    return action();
  } catch (const Xapian::Error& error) {
    return std::unexpected(describe_failure(error, folder));
  }
}

struct XapianPage final : PreparedPage {
  std::string key;
  Xapian::Document document;
  std::uint64_t terms = 0;
  std::vector<std::string> new_words;
};

class XapianPreparer final : public PagePreparer {
 public:
  explicit XapianPreparer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<PreparedPage>> prepare(const IndexRecord& record, const Page* page) override {
    return guarded_by(folder_, [&]() -> Result<std::unique_ptr<PreparedPage>> {
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
    });
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

class XapianWriter final : public IndexWriter {
 public:
  explicit XapianWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<void> open(Start start) {
    return guarded([&]() -> Result<void> {
      std::error_code failure;
      // A process that was killed while it made the files leaves some of them, without the one that names the
      // rest.
      const bool is_whole = std::filesystem::exists(folder_ / kVersionFile, failure);
      if (is_whole && start == Start::as_it_is) {
        database_ = Xapian::WritableDatabase(folder_.string(), Xapian::DB_OPEN);
        position_ = read_position(database_);
      }
      const bool is_usable = position_.version == kIndexVersion || (is_whole && position_.version == 0);
      if (start == Start::from_nothing || !is_usable) begin_anew();
      position_.version = kIndexVersion;
      std::filesystem::remove_all(folder_.string() + kPackedSuffix, failure);  // of a pack that was killed
      is_new_ = database_.get_doccount() == 0;
      const std::string words = database_.get_metadata(kVocabularyCount);
      std::from_chars(words.data(), words.data() + words.size(), vocabulary_);
      had_words_ = vocabulary_ > 0;
      return {};
    });
  }

  [[nodiscard]] const IndexPosition& position() const override { return position_; }
  void set_position(const IndexPosition& position) override { position_ = position; }

  [[nodiscard]] std::unique_ptr<PagePreparer> make_preparer() const override {
    return std::make_unique<XapianPreparer>(folder_);
  }

  Result<void> put(std::unique_ptr<PreparedPage> page) override {
    const auto& prepared = static_cast<const XapianPage&>(*page);
    return guarded([&]() -> Result<void> {
      for (const std::string& word : prepared.new_words) learn(word);
      count_change();
      // Looking for an older version is what costs in a first run, and there is none.
      if (is_new_ && added_.insert(hash_(prepared.key)).second)
        database_.add_document(prepared.document);
      else
        database_.replace_document(prepared.key, prepared.document);
      held_terms_ += prepared.terms;
      if (held_terms_ >= kMostHeldTerms) write_held_terms();
      return {};
    });
  }

  Result<bool> remove(const std::string& site, const std::string& url) override {
    return guarded([&]() -> Result<bool> {
      const std::string key = page_term(site, url);
      if (!database_.term_exists(key)) return false;
      count_change();
      database_.delete_document(key);
      return true;
    });
  }

  Result<std::optional<IndexRecord>> find(const std::string& site, const std::string& url) override {
    return guarded([&]() -> Result<std::optional<IndexRecord>> {
      const std::string key = page_term(site, url);
      if (is_new_ && !added_.contains(hash_(key))) return std::nullopt;
      const auto found = database_.postlist_begin(key);
      if (found == database_.postlist_end(key)) return std::nullopt;
      return decode_index_record(database_.get_document(*found).get_data());
    });
  }

  Result<void> each(const std::function<bool(const IndexRecord&)>& use) override {
    return guarded([&]() -> Result<void> {
      for (auto it = database_.postlist_begin(""); it != database_.postlist_end(""); ++it) {
        const auto record = decode_index_record(database_.get_document(*it).get_data());
        if (record && !use(*record)) break;
      }
      return {};
    });
  }

  Result<std::map<std::string, std::uint64_t>> section_counts() override {
    return guarded([&]() -> Result<std::map<std::string, std::uint64_t>> {
      const std::string prefix(kSectionPrefix);
      std::map<std::string, std::uint64_t> counts;
      for (auto it = database_.allterms_begin(prefix); it != database_.allterms_end(prefix); ++it)
        counts[*it] = it.get_termfreq();
      return counts;
    });
  }

  Result<std::uint64_t> pages() override {
    return guarded([&]() -> Result<std::uint64_t> { return database_.get_doccount(); });
  }

  /// A database that grew by many commits has half-empty blocks: packed it is a third smaller. The packed
  /// copy takes the folder's place by an exchange of names, so a process that is killed leaves one or the
  /// other whole.
  Result<void> pack() override {
    SHEAF_TRY(commit());
    const std::filesystem::path packed = folder_.string() + kPackedSuffix;
    std::error_code failure;
    std::filesystem::remove_all(packed, failure);
    SHEAF_TRY(guarded([&]() -> Result<void> {
      database_.compact(packed.string());
      return {};
    }));
    for (const auto& file : std::filesystem::directory_iterator(packed, failure)) sync_to_disk(file.path());
    sync_to_disk(packed);
    // Where the file system cannot exchange names, the index stays as it is.
    const bool is_exchanged =
        renameat2(AT_FDCWD, packed.c_str(), AT_FDCWD, folder_.c_str(), RENAME_EXCHANGE) == 0;
    if (is_exchanged) sync_to_disk(folder_.parent_path());
    database_.close();
    std::filesystem::remove_all(packed, failure);
    return {};
  }

  Result<void> commit() override {
    return guarded([&]() -> Result<void> {
      write_words();
      write_position(database_, position_);
      database_.commit();
      changes_ = 0;
      held_terms_ = 0;
      return {};
    });
  }

 private:
  template <class Action>
  auto guarded(const Action& action) -> decltype(action()) {
    return guarded_by(folder_, action);
  }

  /// The file that names the others goes first: killed from there on, it is an index that was never made.
  void begin_anew() {
    database_.close();
    std::error_code failure;
    if (std::filesystem::exists(folder_ / kVersionFile, failure)) {
      try {
        Xapian::WritableDatabase(folder_.string(), Xapian::DB_OPEN).close();  // is another process at it?
      } catch (const Xapian::DatabaseLockError&) {
        throw;
      } catch (const Xapian::Error&) {  // damaged: all the more reason
      }
      std::filesystem::remove(folder_ / kVersionFile, failure);
    }
    database_ = Xapian::WritableDatabase(folder_.string(), Xapian::DB_CREATE_OR_OVERWRITE);
    position_ = {};
  }

  void learn(const std::string& word) {
    if (!is_worth_knowing(word) || known_words_.size() >= kMostVocabulary) return;
    if (known_words_.insert(hash_(word)).second) new_words_.insert(word);
  }

  /// To be called before each change. Xapian commits by itself after a number of changes that is a multiple
  /// of ours: the words of pages have to be there then.
  void count_change() {
    if (++changes_ % kChangesBetweenWords == 0) write_words();
  }

  /// Makes Xapian write what it holds to its tables, without the cost of a commit: it does so for a list of
  /// all terms.
  void write_held_terms() {
    write_words();
    static_cast<void>(database_.allterms_begin());
    held_terms_ = 0;
    changes_ = 1;  // as Xapian counts from there on
  }

  /// Sorted words fill the blocks of the table one after the other, at a fraction of the cost of single ones.
  void write_words() {
    for (const std::string& word : new_words_) {
      const std::string key = std::string(kVocabularyPrefix) + word;
      if (vocabulary_ >= kMostVocabulary) break;
      if (had_words_ && !database_.get_metadata(key).empty()) continue;
      database_.set_metadata(key, "1");
      ++vocabulary_;
    }
    new_words_.clear();
    database_.set_metadata(kVocabularyCount, std::to_string(vocabulary_));
  }

  std::filesystem::path folder_;
  Xapian::WritableDatabase database_;
  IndexPosition position_;
  bool is_new_ = false;  ///< nothing was in it when it was opened
  /// Hashes of the keys put since then, if it was new. A false hit only costs a look.
  std::unordered_set<std::size_t> added_;
  std::hash<std::string> hash_;
  std::uint64_t vocabulary_ = 0;                 ///< words in the index
  bool had_words_ = false;                       ///< there were some when it was opened
  std::unordered_set<std::size_t> known_words_;  ///< hashes of the words met since it was opened
  std::set<std::string> new_words_;              ///< not in the index yet
  std::uint64_t changes_ = 0;                    ///< since the last commit
  std::uint64_t held_terms_ = 0;                 ///< that Xapian has not written yet
};

}  // namespace

Result<std::unique_ptr<IndexWriter>> IndexWriter::open(const std::string& location, Start start) {
  if (store::shared::is_postgres_url(location)) return open_shared_writer(location, start);
  const std::filesystem::path folder = index_folder(location);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    return std::unexpected(
        base::system_error(failure.value(), fmt::format("cannot make the folder {}", folder.string())));
  auto writer = std::make_unique<XapianWriter>(folder);
  SHEAF_TRY(writer->open(start));
  return writer;
}

}  // namespace sheaf::search
