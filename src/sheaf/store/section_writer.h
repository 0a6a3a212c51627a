#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/hash.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

// Records of sections and pages that all kinds of stores use.

/// Half of a URL's SHA-256: collisions cannot be constructed.
using UrlKey = std::array<std::uint8_t, 16>;

inline std::string_view as_text(const UrlKey& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

/// Computes keys; reuses its hash state.
class UrlHasher {
 public:
  UrlKey operator()(std::string_view url);

 private:
  base::Sha256 sha_;
};

/// Position of a page's data: the number of the operation (or, in a shared store, of the pack) that wrote it,
/// and the number of the page within that. Places sort by the time of writing.
struct Place {
  std::uint64_t run = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct SectionRecord {
  std::uint32_t id = 0;
  Origin origin = Origin::collections;
  Instant generated;
  std::optional<Instant> snapshot;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  base::Digest state{};
  /// The digest that the newest collection states, minus the pages of other hosts. `state` has to equal it.
  std::optional<base::Digest> stated;
  Instant changed_at;
  format::ShrinkGuard guard;
  /// The digest of the pages of other hosts, which the site counts and the store skips. Empty if a delta
  /// changed them: their former state is unknown, so nothing can be proven until the next snapshot.
  std::optional<base::Digest> foreign = base::Digest{};
};

std::string encode(const SectionRecord& section);
/// Returns nullopt if `bytes` are damaged or of another version.
std::optional<SectionRecord> decode_section(std::string_view bytes);

struct NamedSection {
  std::string site;
  std::string name;
  SectionRecord record;
};

SectionState to_state(const NamedSection& section);

/// The index entry of a page.
struct PageEntry {
  std::string url;
  std::string modified;
  Instant modified_at;
  Instant as_of;
  Place place;
  std::uint64_t json_bytes = 0;
};

/// The time by which versions of a stored page are compared.
inline Instant modified_of(const PageEntry& entry) {
  return format::bounded_modified(entry.modified_at, entry.as_of);
}

/// A page as it is stored. URL and times are repeated from the index: they are small, and a walk over pages
/// then needs no index lookups.
struct PageData {
  std::string_view url;
  std::string_view modified;
  Instant as_of;
  std::string_view json;
  Instant fetched = {};  ///< by our clock
};

/// Appends to `out`, whose memory callers reuse for many pages.
void encode(const PageData& data, std::string& out);
/// The result borrows `bytes`. Returns nullopt if they are damaged.
std::optional<PageData> decode_data(std::string_view bytes);

/// One lock per section, so that this process runs one operation on a section at a time.
class SectionLocks {
 public:
  [[nodiscard]] std::unique_lock<std::mutex> lock(std::string_view site, std::string_view section) {
    std::string name(site);
    name += '\0';
    name += section;
    std::mutex* found = nullptr;
    {
      const std::lock_guard guard(mutex_);
      auto& slot = locks_[name];
      if (!slot) slot = std::make_unique<std::mutex>();
      found = slot.get();
    }
    return std::unique_lock(*found);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::mutex>, std::less<>> locks_;
};

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
/// code that all kinds of stores share (apply_collection.h, commit_edit(), drop_section()). An implementation
/// of this interface decides how it is written.
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

/// Implements PageStore::commit(), except that the edit is not emptied.
base::Result<PageChanges> commit_edit(SectionWriter& writer, const SectionEdit& edit);

/// Implements PageStore::drop_section().
base::Result<std::uint64_t> drop_section(SectionWriter& writer, std::string_view section, Instant now);

}  // namespace sheaf::store
