#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared/bucket_leases.h"
#include "sheaf/store/shared/pg_connection.h"
#include "sheaf/store/shared/shared_database.h"
#include "sheaf/store/site_notes.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sheaf::store::shared {

// When each site of the list is due. The note `schedule` of a site describes its last pull. The values that
// decide which site is next are repeated in columns of the table `site`, which can be indexed: `due`, `last`
// (when the last pull ended) and `fails`.

/// Collects due times of sites, to write them with one statement.
class DueTimes {
 public:
  /// Without a schedule the site is due as if it had never been pulled.
  void add(int b, std::string_view origin, const std::optional<SiteSchedule>& schedule);
  /// Adds the due time of a site from its note `schedule`; without a value, as if the site had never been
  /// pulled. Ignores other notes and invalid values.
  void add_note(int b, std::string_view origin, std::string_view name,
                const std::optional<std::string>& value);
  /// Writes the due times. Ignores sites that are not listed.
  base::Result<void> write(PgConnection& connection) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  SqlArray b_, origin_, due_, last_, fails_;
  std::size_t size_ = 0;
};

/// Commits the notes of many sites in one transaction. Most pulls find nothing new and end with a few notes;
/// with a transaction for each, each would wait for the disk. While one transaction is in progress, the notes
/// of other threads are collected for the next one, so no call waits for a batch to fill. Thread-safe.
class NoteBatches {
 public:
  NoteBatches(SharedDatabase& database, BucketLeases& leases) : database_(database), leases_(leases) {}
  NoteBatches(const NoteBatches&) = delete;
  NoteBatches& operator=(const NoteBatches&) = delete;

  using Notes = std::vector<SectionEdit::NoteChange>;
  /// Returns true when the notes are durable. Returns false if the caller must commit them separately,
  /// because another commit of the bucket is in progress or because notes are removed by prefix. Fails with
  /// Errc::in_use if the bucket was lost.
  base::Result<bool> commit(const BucketPtr& bucket, std::string_view site, const Notes& notes);

 private:
  struct Request {
    BucketPtr bucket;
    std::string_view site;
    const Notes* notes;
    bool done = false;
    base::Result<bool> result = false;
  };
  using Batch = std::vector<Request*>;
  /// Keyed by bucket, site and name, so that no row is written twice; the last change wins.
  using Rows =
      std::map<std::tuple<int, std::string_view, std::string_view>, const std::optional<std::string>*>;

  Batch take();
  void run(const Batch& batch);
  base::Result<std::vector<int>> write(const std::map<int, BucketPtr>& buckets, const Rows& rows);
  base::Result<std::vector<int>> write_once(PgConnection& connection, const std::map<int, BucketPtr>& buckets,
                                            const Rows& rows) const;

  SharedDatabase& database_;
  BucketLeases& leases_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::deque<Request*> waiting_;
  bool busy_ = false;
};

/// Reads several notes of a site with a single query, although a pull asks for them one by one. Pulls of all
/// sites ask for the same few names (robots, the pinned key, history...), so a name that was requested for
/// two sites is read ahead for all later sites.
///
/// Notes are kept only for sites that this process pulls as a worker: no other process changes them
/// meanwhile, and forget() discards them when this process commits notes. Thread-safe.
class NoteReadAhead {
 public:
  void enter(std::string_view site);
  void leave(std::string_view site);
  /// Discards the notes of the site; must be called when some of them were committed.
  void forget(std::string_view site);

  using Values = std::map<std::string, std::string, std::less<>>;  ///< by name; only notes that exist
  using Read = std::function<base::Result<Values>(std::span<const std::string> names)>;
  /// Returns the note; calls `read` if it is not known.
  base::Result<std::optional<std::string>> find(std::string_view site, std::string_view name,
                                                const Read& read);

 private:
  struct Site {
    std::uint64_t commits = 0;
    std::map<std::string, std::optional<std::string>, std::less<>> known;
  };
  void learn(std::string_view site, std::string_view name);

  std::mutex mutex_;
  std::map<std::string, Site, std::less<>> sites_;
  std::set<std::string, std::less<>> usual_;  ///< names to be read ahead
  /// By name: the only site for which it was requested so far.
  std::map<std::string, std::string, std::less<>> asked_of_one_;
};

}  // namespace sheaf::store::shared
