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

/// An external merge sort of texts by their keys: runs are sorted, compressed and written to disk, then
/// merged. Add all texts, call sort() once, then call next() until it returns nullopt.
///
/// During a merge, each run has one block in memory. To keep memory independent of the number of texts, 64
/// runs of a level are merged into one run of the next level, in another file, and the file of the 64 is
/// deleted.
///
/// Its purpose is to order the pages of a store by URL. A store returns pages in the order in which it
/// received them, which is fast to read but changes with every pull. Reading them by URL instead would
/// decompress a block of the store for each page.
class TextSort {
 public:
  struct Entry {
    std::string_view key;
    std::string_view text;
  };

  /// `memory` is the maximum number of bytes in memory before a run is written to disk. A single text may be
  /// larger.
  TextSort(std::size_t memory, std::filesystem::path folder);

  Result<void> add(std::string_view key, std::string_view text);
  Result<void> sort();
  /// Returns the next entry, which is valid until the next call.
  Result<std::optional<Entry>> next();

  /// The number of runs on disk.
  [[nodiscard]] std::size_t run_count() const;

 private:
  struct Span {
    std::size_t key = 0;  ///< offset of the key in the buffer
    std::size_t key_size = 0;
    std::size_t text_size = 0;  ///< size of the text, which follows the key
  };
  /// Consecutive blocks of a file. A block on disk begins with its compressed size and its plain size.
  struct Run {
    const SpoolFile* file = nullptr;
    std::uint64_t offset = 0;  ///< offset of the next block
    std::uint64_t end = 0;
    std::string buffer;        ///< the current block, decompressed
    std::size_t position = 0;  ///< position in `buffer` after `entry`
    Entry entry;
  };
  struct Level {
    SpoolFile file;
    std::vector<Run> runs;
  };
  class RunWriter;
  /// Merges several runs: returns their entries in the order of their keys.
  class Merge {
   public:
    Result<void> begin(std::vector<Run> runs);
    Result<std::optional<Entry>> next();

   private:
    static bool comes_later(const Run& a, const Run& b) { return b.entry.key < a.entry.key; }

    std::vector<Run> runs_;  ///< a heap
    /// The last run in `runs_` is outside the heap: next() returned its entry, so it has not advanced yet.
    bool advance_last_ = false;
  };

  [[nodiscard]] Entry entry_of(const Span& span) const;
  void sort_spans();
  Result<void> spill();
  Result<Level*> level(std::size_t number);
  /// Merges all runs of a level into one run of the next level.
  Result<void> merge_level(std::size_t number);
  /// Advances a run to its next entry. Returns false at its end.
  static Result<bool> advance(Run& run);

  std::size_t memory_;
  std::filesystem::path folder_;
  std::string buffer_;
  std::vector<Span> spans_;
  std::size_t position_ = 0;
  std::vector<std::unique_ptr<Level>> levels_;  ///< empty if all texts fit into memory
  Merge merge_;
};

}  // namespace sheaf::base
