#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::store {

/// Whether a write has to be on disk when the call returns. Buffered writes survive the end of the process,
/// and come to disk in order.
enum class Durability : std::uint8_t { buffered, synced };

/// Keys and values on disk, sorted by key: RocksDB behind a door of our own. One process may have it open for
/// writing at a time; within it any thread may call.
class Database {
 public:
  /// Opens the folder, which is made if it is not there. Errors: refused while another process has it open,
  /// invalid_data when it is damaged, or a failure of the disk.
  static base::Result<Database> open(const std::filesystem::path& folder);
  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;

  [[nodiscard]] base::Result<std::optional<std::string>> get(std::string_view key) const;

  /// Changes that are made all together or not at all.
  class Batch {
   public:
    Batch();
    ~Batch();
    Batch(Batch&& other) noexcept;
    Batch& operator=(Batch&& other) noexcept;

    void put(std::string_view key, std::string_view value);
    void remove(std::string_view key);
    /// Every key that begins so.
    void remove_prefix(std::string_view prefix);
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] bool empty() const;
    void clear();

   private:
    friend class Database;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  /// Makes the changes and empties the batch.
  base::Result<void> write(Batch& batch, Durability durability);

  /// Walks over the keys that begin so, as they are when it is made. It must not outlive the database.
  class Cursor {
   public:
    ~Cursor();
    Cursor(Cursor&& other) noexcept;
    Cursor& operator=(Cursor&& other) noexcept;

    /// Whether there is an entry; also false when reading failed, which check() then says.
    [[nodiscard]] bool valid() const;
    [[nodiscard]] std::string_view key() const;    ///< until next()
    [[nodiscard]] std::string_view value() const;  ///< until next()
    void next();
    [[nodiscard]] base::Result<void> check() const;

   private:
    friend class Database;
    struct Impl;
    explicit Cursor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };

  [[nodiscard]] Cursor scan(std::string_view prefix) const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The first key after all that begin with `prefix`; empty if there is none.
std::string end_of_prefix(std::string_view prefix);

}  // namespace sheaf::store
