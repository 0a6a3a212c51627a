#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/threads.h"
#include "sheaf/database/database.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sheaf::database {

/// Keys to set or remove, in one contiguous buffer: a large change has as many as a collection has pages, and
/// allocating each would take most of the time.
class EntryList {
 public:
  struct Entry {
    std::string_view key;
    std::optional<std::string_view> value;  ///< nullopt: remove the key
  };

  EntryList() = default;
  /// Reserves that many bytes of keys and values.
  explicit EntryList(std::size_t room) { bytes_.reserve(room); }

  void put(std::string_view key, std::string_view value) { add(key, value, false); }
  void remove(std::string_view key) { add(key, {}, true); }

  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }  ///< bytes of keys and values

  /// Calls `visit` with each entry, in the order of addition. Stops at the first error and returns it.
  template <class Visit>
  auto each(Visit visit) const -> decltype(visit(Entry())) {
    const std::string_view all = bytes_;
    std::size_t begin = 0;
    for (const Ends& ends : ends_) {
      Entry entry{all.substr(begin, ends.key - begin), std::nullopt};
      if (!ends.removed) entry.value = all.substr(ends.key, ends.value - ends.key);
      if (auto result = visit(entry); !result) return result;
      begin = ends.value;
    }
    return {};
  }

 private:
  struct Ends {
    std::size_t key;
    std::size_t value;
    bool removed;
  };

  void add(std::string_view key, std::string_view value, bool removed) {
    bytes_ += key;
    const std::size_t key_end = bytes_.size();
    bytes_ += value;
    ends_.push_back({key_end, bytes_.size(), removed});
  }

  std::string bytes_;
  std::vector<Ends> ends_;
};

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
