#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::base {

/// Sorts texts with keys, more than fit into memory: runs are sorted, compressed and put on disk, then
/// merged. Add everything, call sort(), then next() until it gives nothing.
///
/// A store hands out pages in the order in which it got them, which is fast to read and changes with every
/// pull. Reading them in the order of their URLs instead would decompress a block of the store for each page.
class TextSort {
 public:
  struct Entry {
    std::string_view key;
    std::string_view text;
  };

  /// `memory` bounds what is held before a run goes to disk; a single larger text is held as well.
  TextSort(std::size_t memory, std::filesystem::path folder);

  Result<void> add(std::string_view key, std::string_view text);
  Result<void> sort();
  /// The entry lives until the next call.
  Result<std::optional<Entry>> next();

 private:
  struct Span {
    std::size_t key = 0;  ///< where it is in the buffer
    std::size_t key_size = 0;
    std::size_t text_size = 0;  ///< behind the key
  };
  struct Block {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t plain_bytes = 0;
  };
  struct Run {
    std::vector<Block> blocks;
    std::size_t next_block = 0;
    std::string buffer;
    std::size_t position = 0;  ///< behind `entry`
    Entry entry;
  };

  [[nodiscard]] Entry entry_of(const Span& span) const;
  void sort_spans();
  Result<void> spill();
  Result<void> write_block(Run& run, const std::string& plain);
  /// Moves a run to its next entry; false at its end.
  Result<bool> advance(Run& run);
  static bool comes_later(const Run& a, const Run& b) { return b.entry.key < a.entry.key; }

  std::size_t memory_;
  std::filesystem::path folder_;
  std::string buffer_;
  std::vector<Span> spans_;
  std::size_t position_ = 0;
  std::optional<SpoolFile> spool_;
  std::vector<Run> runs_;
  bool advance_last_ = false;  ///< the run whose entry was handed out is at the end of the heap
};

}  // namespace sheaf::base
