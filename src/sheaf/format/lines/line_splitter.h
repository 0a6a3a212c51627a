#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/format/lines/line.h"
#include "sheaf/format/lines/stages.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::format {

/// Cuts the chunks of a file into lines. A line inside one chunk is returned in place; only a line that
/// crosses chunks is copied. A line over the limit is skipped and not stored. A process holds only one large
/// line at a time (LargeLineTurn); the splitter holds it until the next call.
class LineSplitter {
 public:
  LineSplitter(DecompressStage& source, std::uint64_t line_limit)
      : source_(source), line_limit_(line_limit) {}

  /// The next line, valid until the next call; nullopt at the clean end.
  Read<std::optional<Line>> next();

  /// The chunk that the last line ended in.
  [[nodiscard]] const std::shared_ptr<Chunk>& chunk() const { return chunk_; }
  /// Whether the last line crosses chunks, and is therefore a copy.
  [[nodiscard]] bool is_copy() const { return is_copy_; }
  /// Whether all of the next line is in this chunk.
  [[nodiscard]] bool has_whole_line() const { return rest_.size() > unfinished_; }

  /// From the next line on, every byte also goes to `hash`.
  void tee_to(HashStage& hash);

  [[nodiscard]] std::uint64_t bytes() const { return offset_; }

 private:
  Read<bool> ensure_input();
  void collect(std::string_view piece);
  void release_line();

  DecompressStage& source_;
  std::uint64_t line_limit_;
  HashStage* hash_ = nullptr;
  std::shared_ptr<Chunk> chunk_;
  std::string_view rest_;              ///< part of chunk_ that has not been returned
  std::size_t unfinished_ = 0;         ///< bytes of chunk_ after its last line feed
  std::string carry_;                  ///< a line that began in an earlier chunk
  std::optional<LargeLineTurn> turn_;  ///< while carry_ is large
  bool is_copy_ = false;               ///< the current line is carry_
  bool too_large_ = false;             ///< the current line is over the limit
  std::uint64_t line_ = 0;             ///< number of the current line
  std::uint64_t offset_ = 0;           ///< offset of rest_ in the file
};

}  // namespace sheaf::format
