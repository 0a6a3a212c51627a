#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_record.h"
#include <sheaf/page.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sheaf::search {

/// A page that is ready for IndexWriter::put(): everything that can be done without the index has been done.
class PreparedPage {
 public:
  PreparedPage() = default;
  virtual ~PreparedPage() = default;
  PreparedPage(const PreparedPage&) = delete;
  PreparedPage& operator=(const PreparedPage&) = delete;

  std::uint64_t text_bytes = 0;
};

/// Prepares pages for one writer. Not thread-safe, but several preparers may run concurrently with each other
/// and with the writer.
class PagePreparer {
 public:
  PagePreparer() = default;
  virtual ~PagePreparer() = default;
  PagePreparer(const PagePreparer&) = delete;
  PagePreparer& operator=(const PagePreparer&) = delete;

  /// If `page` is null because the page cannot be read, prepares only what filters need.
  virtual base::Result<std::unique_ptr<PreparedPage>> prepare(const IndexRecord& record,
                                                              const Page* page) = 0;
};

/// The index, opened for writing. It only stores documents and decides nothing. Must be used by one thread.
///
/// Pages that are put or removed, and the position, become visible and durable together with commit(). Part
/// of a large batch may be committed earlier. That is harmless: the position is then an older one, and
/// indexing a page twice gives the same document.
class IndexWriter {
 public:
  enum class Start : std::uint8_t { as_it_is, from_nothing };

  /// Opens the index of the store at `location`; creates it if necessary. An index of another version is
  /// rebuilt. `shards` is the number of shards of a new index of a local store; 0 means the number of
  /// processors, but at most four.
  static base::Result<std::unique_ptr<IndexWriter>> open(const std::string& location, Start start,
                                                         std::size_t shards);

  IndexWriter() = default;
  virtual ~IndexWriter() = default;
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  [[nodiscard]] virtual const IndexPosition& position() const = 0;
  virtual void set_position(const IndexPosition& position) = 0;

  [[nodiscard]] virtual std::unique_ptr<PagePreparer> make_preparer() const = 0;
  /// The number of preparers that keep the writer busy.
  [[nodiscard]] virtual std::size_t preparers() const { return 1; }
  /// Whether open() found an index of another version, which has to be rebuilt.
  [[nodiscard]] virtual bool was_of_other_version() const = 0;
  /// Adds or replaces a page that a preparer of this writer made.
  virtual base::Result<void> put(std::unique_ptr<PreparedPage> page) = 0;
  /// Removes a page. Returns false if the index does not have it.
  virtual base::Result<bool> remove(const std::string& site, const std::string& url) = 0;
  /// The record of a page; nullopt if the index does not have it.
  virtual base::Result<std::optional<IndexRecord>> find(const std::string& site, const std::string& url) = 0;
  /// Calls `use` with every record except damaged ones, until it returns false. `use` must not write.
  virtual base::Result<void> each(const std::function<bool(const IndexRecord&)>& use) = 0;
  /// The number of pages of each section, by the section's term.
  virtual base::Result<std::map<std::string, std::uint64_t>> section_counts() = 0;
  virtual base::Result<std::uint64_t> pages() = 0;
  virtual base::Result<void> commit() = 0;
  /// Commits, and replaces the index by a copy that is as small as possible, in one step. Nothing can be
  /// written afterwards.
  virtual base::Result<void> pack() = 0;
};

}  // namespace sheaf::search
