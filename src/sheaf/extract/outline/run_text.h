#pragma once

#include "sheaf/extract/outline/text_run.h"
#include "sheaf/text/padded_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// The inline elements around a piece of a run.
enum RunSpan : std::uint8_t { kInLink = 1, kInBold = 2, kInItalic = 4 };

/// The texts of a page's runs. Inline elements cut a run into pieces. The pieces are joined and counted as
/// one text, because most are a word or two and each count has a fixed cost. Reuses its memory from page to
/// page.
class RunText {
 public:
  /// Starts a new page. `input` is its HTML; most pieces are views of it.
  void start(std::string_view input);

  [[nodiscard]] bool empty() const { return pieces_ == 0; }

  /// Adds a trimmed piece. `parted` says that white space separates it from the previous piece; `spans` are
  /// bits of RunSpan.
  void add(text::PaddedText piece, bool parted, std::uint8_t spans);

  /// The text of the run so far. Valid until the next add().
  [[nodiscard]] std::string_view text() const {
    return pieces_ == 1 ? first_ : std::string_view(joined_.data() + begin_, size_);
  }
  /// `text` with its padding; `text` is all or a part of the text of a run of this page.
  [[nodiscard]] text::PaddedText padded(std::string_view text) const;

  /// Fills in the counts of the run and how it ends.
  void judge(TextRun& run) const;

  /// Whether the run has several pieces. The text of one piece is a view of the page.
  [[nodiscard]] bool is_joined() const { return pieces_ > 1; }
  /// The offset of the joined text, for find().
  [[nodiscard]] std::size_t place() const { return begin_; }

  void end_run() {
    begin_ += is_joined() ? size_ : 0;
    pieces_ = 0;
    size_ = 0;
    first_ = {};
    spans_.clear();
  }
  [[nodiscard]] std::string_view find(std::size_t place, std::size_t size) const {
    return {joined_.data() + place, size};
  }

 private:
  struct Span {
    std::size_t begin;
    std::size_t end;
    std::uint8_t spans;
  };

  void join(text::PaddedText piece, bool parted);

  std::string_view input_;
  std::string_view first_;  // the first piece, which is copied only when a second one is added
  std::string joined_;      // the joined texts of all runs, then padding
  std::size_t begin_ = 0;   // where the current run begins in `joined_`
  std::size_t size_ = 0;    // of the current run
  std::uint32_t pieces_ = 0;
  std::vector<Span> spans_;
};

}  // namespace sheaf::extract
