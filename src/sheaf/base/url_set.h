#pragma once

#include "sheaf/base/hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::base {

/// Tells which URLs came before, for at most 16 bytes a URL: it keeps 64-bit hashes under a random key, so
/// nobody can prepare a collision, and by chance one in ten million URLs collides once in some 300,000 files.
class UrlSet {
 public:
  /// Whether the URL is new.
  bool insert(std::string_view url);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// Open addressing. Many small tables grow one after the other, so the set never holds an old and a new
  /// copy of everything at once; growing by half at 4/5 full keeps every table at 10 to 15 bytes an entry.
  struct Table {
    std::vector<std::uint64_t> slots;
    std::size_t used = 0;
  };
  static constexpr std::size_t kTables = 256;

  static bool insert(Table& table, std::uint64_t hash);
  static void grow(Table& table);

  HashKey key_ = HashKey::random();
  std::array<Table, kTables> tables_;
  std::uint64_t size_ = 0;
};

}  // namespace sheaf::base
