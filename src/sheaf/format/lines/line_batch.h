#pragma once

#include "sheaf/format/lines/chunk.h"
#include "sheaf/format/lines/line.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::format {

/// Lines of a file together with their memory, so that another thread can decode them.
class LineBatch {
 public:
  [[nodiscard]] std::span<const Line> lines() const { return lines_; }
  [[nodiscard]] bool is_empty() const { return lines_.empty(); }
  /// Whether its only line is in the reader's memory, and so valid only until the next call of the reader.
  /// Large lines are not copied.
  [[nodiscard]] bool borrows_from_reader() const { return borrows_from_reader_; }
  /// The chunk that has all lines that are neither copied nor borrowed.
  [[nodiscard]] const std::shared_ptr<Chunk>& chunk() const { return chunk_; }

  /// Releases the lines, and sets the chunk for the next ones.
  void reset(std::shared_ptr<Chunk> chunk) {
    lines_.clear();
    chunk_ = std::move(chunk);
    borrows_from_reader_ = false;
  }

  /// Adds a line of the chunk.
  void add(const Line& line) { lines_.push_back(line); }
  /// Adds a copy of a line that is not in the chunk. Only the first line may be a copy.
  void add_copy(Line line) {
    copy_.reserve(line.text.size() + kLinePadding);
    copy_.assign(line.text).append(kLinePadding, '\0');
    line.text = std::string_view(copy_).substr(0, line.text.size());
    lines_.push_back(line);
  }
  /// Adds a line without copying it. It must be the only line.
  void borrow(const Line& line) {
    lines_.push_back(line);
    borrows_from_reader_ = true;
  }

 private:
  std::vector<Line> lines_;
  std::shared_ptr<Chunk> chunk_;
  std::string copy_;
  bool borrows_from_reader_ = false;
};

}  // namespace sheaf::format
