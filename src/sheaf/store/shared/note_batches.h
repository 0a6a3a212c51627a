#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/section_edit.h"
#include "sheaf/store/shared/bucket_leases.h"
#include "sheaf/store/shared/shared_database.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sheaf::store::shared {

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

}  // namespace sheaf::store::shared
