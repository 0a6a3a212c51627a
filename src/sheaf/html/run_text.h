#pragma once

#include "sheaf/html/page_outline.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// What a piece of a run stands in.
enum RunSpan : std::uint8_t { kInLink = 1, kInBold = 2, kInItalic = 4 };

/// The text of a run, put together from the pieces that inline elements cut it into, and judged once when it
/// is whole: most pieces are a word or two, too little to be worth a look each.
class RunText {
 public:
  /// `readable` is the memory most pieces lie in: what is around them there may be read.
  explicit RunText(std::string_view readable) : readable_(readable) {}

  [[nodiscard]] bool empty() const { return pieces_ == 0; }

  /// Adds a piece that has no white space around it; `parted` if there was some between it and what came
  /// before, `spans` of RunSpan.
  void add(std::string_view piece, bool parted, std::uint8_t spans);

  /// The run as it would be read. Good until the next call that changes it.
  [[nodiscard]] std::string_view text() const {
    return pieces_ == 1 ? first_ : std::string_view(joined_.data(), size_);
  }
  /// How far beyond text() memory may be read.
  [[nodiscard]] const char* readable_end() const;

  /// Fills in what the characters of the run tell: the counts, its hash and how it ends.
  void judge(TextRun& run) const;

  void clear();

 private:
  struct Span {
    std::size_t begin;
    std::size_t end;
    std::uint8_t spans;
  };

  void join(std::string_view piece, bool parted);
  [[nodiscard]] const char* readable_end_of(std::string_view piece) const;

  std::string_view readable_;
  std::string_view first_;  // not copied as long as it is the only one
  std::string joined_;      // longer than what is in use, so that whole blocks can be read
  std::size_t size_ = 0;    // of the text
  std::uint32_t pieces_ = 0;
  std::vector<Span> spans_;
};

}  // namespace sheaf::html
