#pragma once

#include "sheaf/base/bounded_queue.h"
#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/database/entry_list.h"

#include <optional>
#include <thread>

namespace sheaf::database {

/// A sorted file that another thread compresses and writes while the caller produces its entries.
class BackgroundFile {
 public:
  explicit BackgroundFile(Database::SortedFile file);
  ~BackgroundFile();
  BackgroundFile(const BackgroundFile&) = delete;
  BackgroundFile& operator=(const BackgroundFile&) = delete;

  /// Adds entries, sorted by key; best some hundred kilobytes at a time. An error may be that of earlier
  /// entries.
  base::Result<void> write(EntryList entries);
  /// Returns the finished file, which is on disk, or nullopt if nothing was written. Must be called only
  /// once.
  base::Result<std::optional<Database::SortedFile>> finish();

 private:
  base::Result<void> end();

  // This runs on the thread.
  base::Result<void> run();

  Database::SortedFile file_;
  base::BoundedQueue<EntryList> queue_;
  base::Result<void> written_;  ///< result of the thread, valid after it has ended
  std::jthread thread_;
};

}  // namespace sheaf::database
