#pragma once

#include "sheaf/base/bounded_queue.h"
#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/database/entry_list.h"

#include <optional>
#include <thread>

namespace sheaf::database {

/// A sorted file that a thread of its own compresses and writes, while its caller makes what goes into it.
class BackgroundFile {
 public:
  explicit BackgroundFile(Database::SortedFile file);
  ~BackgroundFile();
  BackgroundFile(const BackgroundFile&) = delete;
  BackgroundFile& operator=(const BackgroundFile&) = delete;

  /// In the order of their keys; best some hundred kilobytes at a time. An error may be that of earlier
  /// entries.
  base::Result<void> write(EntryList entries);
  /// The finished file, on disk; nothing if nothing was written. To be called once.
  base::Result<std::optional<Database::SortedFile>> finish();

 private:
  base::Result<void> end();

  // On the thread.
  base::Result<void> run();

  Database::SortedFile file_;
  base::BoundedQueue<EntryList> queue_;
  base::Result<void> written_;  ///< how it went on the thread, known when that has ended
  std::jthread thread_;
};

}  // namespace sheaf::database
