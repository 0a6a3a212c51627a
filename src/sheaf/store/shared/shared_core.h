#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"
#include "sheaf/store/shared/bucket_leases.h"
#include "sheaf/store/shared/page_pack.h"
#include "sheaf/store/shared/shared_database.h"
#include "sheaf/store/shared/shared_notes.h"
#include "sheaf/store/shared_stores.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::shared {

/// A consistent view of the store: all queries see the same state, unless it was made by
/// SharedCore::read_once(). Thread-safe.
class SharedView {
 public:
  explicit SharedView(SharedDatabase::Lease connection) : connection_(std::move(connection)) {}

  base::Result<PgRows> query(const std::string& sql, const SqlParams& params = {});
  /// Returns a name for a cursor that no other walk over this view uses.
  std::string new_cursor();
  /// Whether the connection was lost, and with it the view.
  [[nodiscard]] bool is_lost();

 private:
  std::mutex mutex_;
  SharedDatabase::Lease connection_;
  unsigned cursors_ = 0;
};
using ViewPtr = std::shared_ptr<SharedView>;

/// A section and its bucket.
struct PlacedSection {
  int b = 0;
  NamedSection named;
  std::string dictionary;
};

/// A row of the table `page`.
struct IndexRow {
  UrlKey url{};
  PageEntry entry;
};
/// The columns of an IndexRow, for SELECT.
inline constexpr const char* kPageColumns =
    "url_hash, url, modified, learnt_seconds, learnt_nanoseconds, pack, slot, bytes";
/// Returns nullopt if sheaf cannot have written such a row.
std::optional<IndexRow> page_row(const PgRows& rows, int row, int first_column = 0);

/// An SQL condition on `name` that selects notes whose names begin with a prefix. Its parameters are $3
/// (`begin`) and $4 (`end`).
struct NameRange {
  std::string condition;
  std::string begin;
  std::string end;
};
NameRange name_range(std::string_view prefix);

/// The state that the operations of a shared store have in common.
class SharedCore {
 public:
  static base::Result<std::unique_ptr<SharedCore>> open(const std::string& url, StoreAccess access,
                                                        const SharedOptions& options = {});
  SharedCore(const SharedCore&) = delete;
  SharedCore& operator=(const SharedCore&) = delete;

  [[nodiscard]] SharedDatabase& database() { return database_; }
  [[nodiscard]] const SharedMeta& meta() const { return meta_; }
  [[nodiscard]] BucketLeases& leases() { return leases_; }
  [[nodiscard]] NoteBatches& note_batches() { return note_batches_; }
  [[nodiscard]] NoteReadAhead& note_read_ahead() { return note_read_ahead_; }
  [[nodiscard]] SectionLocks& section_locks() { return section_locks_; }
  [[nodiscard]] StoreAccess access() const { return access_; }

  /// The bucket of a site. All sites of a host are in the same bucket, so that one process can space out the
  /// requests to the host.
  [[nodiscard]] int bucket_of(std::string_view site) const;

  /// Fails with Errc::refused if the store is open for reading only, or with Errc::invalid_argument if a name
  /// cannot be stored.
  [[nodiscard]] base::Result<void> check_writable(std::string_view site, std::string_view section) const;

  /// In a store opened for reading, the view as of the opening or the last refresh(). In a store opened for
  /// writing, a new view.
  base::Result<ViewPtr> view();
  base::Result<void> refresh();
  /// Runs queries on a view. In a store opened for writing, runs all of them again if the connection fails.
  using Reads = std::function<base::Result<void>(SharedView& view)>;
  base::Result<void> read(const Reads& reads);
  /// Like read(), but for a single query, which needs no transaction.
  base::Result<void> read_once(const Reads& reads);

  /// All sections, or those of one site if `site` is not empty, sorted by site and name.
  static base::Result<std::vector<PlacedSection>> sections(SharedView& view, const SharedCore& core,
                                                           std::string_view site);
  static base::Result<std::optional<PlacedSection>> section(SharedView& view, const SharedCore& core,
                                                            std::string_view site, std::string_view section);

  /// Opens the object storage where packs are kept. Must only be called if meta().objects is set.
  [[nodiscard]] base::Result<std::unique_ptr<PackObjects>> open_objects() const {
    return PackObjects::open(meta_.objects, options_.environment);
  }

  /// The error for a damaged row.
  [[nodiscard]] base::Error damaged(std::string_view what) const;

 private:
  SharedCore(const std::string& url, StoreAccess access, SharedMeta meta, const SharedOptions& options);
  base::Result<ViewPtr> new_view();
  base::Result<void> read_with(const Reads& reads, const std::function<base::Result<ViewPtr>()>& make_view);

  SharedDatabase database_;
  StoreAccess access_;
  SharedMeta meta_;
  SharedOptions options_;
  BucketLeases leases_;
  NoteBatches note_batches_{database_, leases_};
  NoteReadAhead note_read_ahead_;
  SectionLocks section_locks_;
  std::mutex view_mutex_;
  ViewPtr view_;  ///< in a store opened for reading
};

/// Reads packs, and caches the last one.
class PackLoader {
 public:
  PackLoader(SharedCore& core, SharedView& view) : core_(core), view_(view) {}

  struct PackId {
    int b = 0;
    std::uint64_t pack = 0;
    friend auto operator<=>(const PackId&, const PackId&) = default;
  };
  /// Reads packs that are needed next with one query; they replace those of the previous call. Large packs
  /// and packs in object storage are only read when load() asks for them.
  base::Result<void> read_ahead(std::span<const PackId> packs);
  /// Returns the pack, valid until the next call. Fails with Errc::invalid_data if it is missing or damaged.
  base::Result<const PackReader*> load(int b, std::uint64_t pack, std::string_view dictionary);
  /// Returns the data of an entry, valid until the next call. The message of Errc::invalid_data is the end of
  /// a sentence that begins with the page, such as "is missing".
  base::Result<PageData> page(int b, const PageEntry& entry, std::string_view dictionary);

 private:
  base::Result<std::string> bytes_of(const PgRows& rows, int row);
  base::Result<void> open(const PgRows& rows, int row, std::string_view dictionary);

  SharedCore& core_;
  SharedView& view_;
  std::unique_ptr<PackObjects> objects_;
  std::optional<PgRows> ahead_;
  std::map<PackId, int> ahead_rows_;
  PackId id_{-1, 0};
  std::optional<PackReader> reader_;
};

}  // namespace sheaf::store::shared
