#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_position.h"
#include "sheaf/search/index_record.h"
#include <sheaf/page.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sheaf::search {

/// A page that is ready to be put: everything that can be done without the index is done.
class PreparedPage {
 public:
  PreparedPage() = default;
  virtual ~PreparedPage() = default;
  PreparedPage(const PreparedPage&) = delete;
  PreparedPage& operator=(const PreparedPage&) = delete;

  std::uint64_t text_bytes = 0;
};

/// Prepares pages for one writer, on any thread, beside the writer and other preparers. One thread at a time.
class PagePreparer {
 public:
  PagePreparer() = default;
  virtual ~PagePreparer() = default;
  PagePreparer(const PagePreparer&) = delete;
  PagePreparer& operator=(const PagePreparer&) = delete;

  /// Without a page (it cannot be read), only what filters need.
  virtual base::Result<std::unique_ptr<PreparedPage>> prepare(const IndexRecord& record,
                                                              const Page* page) = 0;
};

/// The index, open for writing: documents in, nothing decided here. One thread.
///
/// What is put and removed, and the position, become visible and durable together with commit(). A large
/// batch may be committed earlier, which is harmless: the position is then an older one, and looking at a
/// page twice gives the same document.
class IndexWriter {
 public:
  enum class Start : std::uint8_t { as_it_is, from_nothing };

  /// Opens the index of the store at `location`, or makes it. An index of another version is begun anew. A
  /// new index of a local store has this number of shards, 0: as the machine has processors, up to four.
  static base::Result<std::unique_ptr<IndexWriter>> open(const std::string& location, Start start,
                                                         std::size_t shards);

  IndexWriter() = default;
  virtual ~IndexWriter() = default;
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  [[nodiscard]] virtual const IndexPosition& position() const = 0;
  virtual void set_position(const IndexPosition& position) = 0;

  [[nodiscard]] virtual std::unique_ptr<PagePreparer> make_preparer() const = 0;
  /// How many preparers keep the writer busy.
  [[nodiscard]] virtual std::size_t preparers() const { return 1; }
  /// Whether open() found an index of another version, which it began anew.
  [[nodiscard]] virtual bool was_of_other_version() const = 0;
  /// Puts or replaces a page that a preparer of this writer made.
  virtual base::Result<void> put(std::unique_ptr<PreparedPage> page) = 0;
  /// False where it is not there.
  virtual base::Result<bool> remove(const std::string& site, const std::string& url) = 0;
  /// What is remembered of a page.
  virtual base::Result<std::optional<IndexRecord>> find(const std::string& site, const std::string& url) = 0;
  /// Calls `use` with every record, damaged ones left out, until it returns false. `use` may not write.
  virtual base::Result<void> each(const std::function<bool(const IndexRecord&)>& use) = 0;
  /// How many pages each section has, by the section's term.
  virtual base::Result<std::map<std::string, std::uint64_t>> section_counts() = 0;
  virtual base::Result<std::uint64_t> pages() = 0;
  virtual base::Result<void> commit() = 0;
  /// Commits, and writes the index anew as small as possible, in one step. Nothing can be written afterwards.
  virtual base::Result<void> pack() = 0;
};

}  // namespace sheaf::search
