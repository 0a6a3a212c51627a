#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_edit.h"
#include "sheaf/store/section_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sheaf::store {

/// Iterates over all entries of a section, sorted by URL hash.
class EntryScan {
 public:
  virtual ~EntryScan() = default;
  struct Item {
    UrlKey url{};
    std::optional<PageEntry> entry;  ///< nullopt if it cannot be read
  };
  /// Returns the next entry, valid until the next call, or null at the end.
  virtual base::Result<const Item*> next() = 0;
  /// Deletes the entry that next() returned last, which could not be read, when the writer commits.
  virtual base::Result<void> forget() = 0;
};

/// One operation on one section, which nothing else changes meanwhile. What the operation does is decided by
/// code that all kinds of stores share (apply_collection.h, edit_section.h). An implementation of this
/// interface decides how it is written.
///
/// Order of calls: read_section(), find() and add() as often as needed, then close(). Then begin(), followed
/// by find(), scan(), put() and remove() in the order of URL hashes. commit() makes everything visible at
/// once. Destroying a writer without a commit discards its changes.
class SectionWriter {
 public:
  SectionWriter() = default;
  virtual ~SectionWriter() = default;
  SectionWriter(const SectionWriter&) = delete;
  SectionWriter& operator=(const SectionWriter&) = delete;

  /// The current record of the section; nullopt if it does not exist.
  virtual base::Result<std::optional<SectionRecord>> read_section() = 0;
  /// The entries of these URLs, in the same order; nullopt for URLs that are not stored.
  virtual base::Result<std::vector<std::optional<PageEntry>>> find(std::span<const UrlKey> urls) = 0;
  /// For each URL, whether another section of the site has it. The section must have been read or begun.
  virtual base::Result<std::vector<bool>> find_elsewhere(std::span<const UrlKey> urls) = 0;
  /// The JSON of a stored page. Fails with Errc::invalid_data if it is damaged.
  virtual base::Result<std::string> read_json(const PageEntry& entry) = 0;

  /// Writes a page that nothing refers to yet, and returns its place.
  virtual base::Result<Place> add(const PageData& data) = 0;
  /// Must be called after the last add().
  virtual base::Result<void> close() = 0;

  /// Starts the change. `record` is the current record of the section; its id is 0 for a new section.
  virtual base::Result<void> begin(const SectionRecord& record) = 0;
  /// What EntryScan::next() does with an unreadable entry: fail, or return it without its content.
  enum class Damage : std::uint8_t { refuse, show };
  virtual base::Result<std::unique_ptr<EntryScan>> scan(Damage damage) = 0;

  /// Whether put() and remove() add the change to the change feed.
  enum class Feed : std::uint8_t { report, omit };
  /// Adds or replaces the entry of a URL. `before` is its current entry, if any.
  virtual base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before,
                                 const PageEntry& after, Feed feed) = 0;
  /// Removes the entry of a URL. `before` is its current entry.
  virtual base::Result<void> remove(const UrlKey& url, const PageEntry& before, Feed feed) = 0;
  /// Discards a page that was added but is not needed.
  virtual base::Result<void> drop_data(const Place& place, std::uint64_t json_bytes) = 0;
  /// The new record of the section, after begin(). Pages, bytes and state are updated by put() and remove(),
  /// the rest by the caller.
  virtual SectionRecord& record() = 0;

  enum class Fate : std::uint8_t { kept, dropped };
  /// Commits the change, together with the notes; it is durable when this returns. A dropped section leaves
  /// no record.
  virtual base::Result<void> commit(Fate fate, const std::vector<SectionEdit::NoteChange>& notes) = 0;
  /// Commits only notes. Does not need begin().
  virtual base::Result<void> commit_notes(const std::vector<SectionEdit::NoteChange>& notes) = 0;
};

}  // namespace sheaf::store
