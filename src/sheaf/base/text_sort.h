#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::base {

/// Sorts texts with keys, more than fit into memory: runs are sorted, compressed and put on disk, then
/// merged. Add everything, call sort(), then next() until it gives nothing.
///
/// While runs are merged, each has a block in memory. So that memory does not grow with the number of texts,
/// 64 runs become one of the next level, in another file, and their own file is deleted.
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

  /// How many runs are on disk.
  [[nodiscard]] std::size_t run_count() const;

 private:
  struct Span {
    std::size_t key = 0;  ///< where it is in the buffer
    std::size_t key_size = 0;
    std::size_t text_size = 0;  ///< behind the key
  };
  /// Consecutive blocks of a file. A block on disk begins with its compressed and its plain size.
  struct Run {
    const SpoolFile* file = nullptr;
    std::uint64_t offset = 0;  ///< of the next block
    std::uint64_t end = 0;
    std::string buffer;        ///< the current block
    std::size_t position = 0;  ///< behind `entry`
    Entry entry;
  };
  struct Level {
    SpoolFile file;
    std::vector<Run> runs;
  };
  class RunWriter;
  /// Hands out the entries of several runs in the order of their keys.
  class Merge {
   public:
    Result<void> begin(std::vector<Run> runs);
    Result<std::optional<Entry>> next();

   private:
    static bool comes_later(const Run& a, const Run& b) { return b.entry.key < a.entry.key; }

    std::vector<Run> runs_;      ///< a heap
    bool advance_last_ = false;  ///< the run whose entry was handed out is at the end of the heap
  };

  [[nodiscard]] Entry entry_of(const Span& span) const;
  void sort_spans();
  Result<void> spill();
  Result<Level*> level(std::size_t number);
  /// Makes one run of the next level of all runs of this one.
  Result<void> merge_level(std::size_t number);
  /// Moves a run to its next entry; false at its end.
  static Result<bool> advance(Run& run);

  std::size_t memory_;
  std::filesystem::path folder_;
  std::string buffer_;
  std::vector<Span> spans_;
  std::size_t position_ = 0;
  std::vector<std::unique_ptr<Level>> levels_;  ///< none if everything fits into memory
  Merge merge_;
};

}  // namespace sheaf::base
