#pragma once

#include "sheaf/html/text_run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// What a piece of a run stands in.
enum RunSpan : std::uint8_t { kInLink = 1, kInBold = 2, kInItalic = 4 };

/// The texts of a page's runs, each put together from the pieces that inline elements cut it into, and judged
/// once when it is whole: most pieces are a word or two, too little to be worth a look each. Keeps its memory
/// from page to page.
class RunText {
 public:
  /// A new page. `readable` is the memory most pieces lie in: what is around them there may be read.
  void start(std::string_view readable);

  [[nodiscard]] bool empty() const { return pieces_ == 0; }

  /// Adds a piece that has no white space around it and after which memory may be read up to `readable_end`;
  /// `parted` if there was some white space between it and what came before, `spans` of RunSpan.
  void add(std::string_view piece, const char* readable_end, bool parted, std::uint8_t spans);

  /// The run as it would be read. Good until the next piece comes.
  [[nodiscard]] std::string_view text() const {
    return pieces_ == 1 ? first_ : std::string_view(joined_.data() + begin_, size_);
  }
  /// How far beyond the text of a run of this page, or a part of it, memory may be read.
  [[nodiscard]] const char* readable_end(std::string_view text) const;

  /// Whether some of the run that is not in a link shows, and no link in it may be a mere sign.
  [[nodiscard]] bool shows_outside_links() const {
    const std::string_view whole = text();
    const bool front = !begins_in_link_ & is_ascii(whole.front());
    const bool back = !ends_in_link_ & is_ascii(whole.back());
    return (front | back) & !links_by_sign_;
  }
  /// Other characters may show nothing.
  static constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

  /// Fills in what the characters of the run tell: the counts and how it ends.
  void judge(TextRun& run) const;

  /// The run is over. If it had several pieces, they stay where this says, and find() knows the text again;
  /// nullopt if it is all one view of the page.
  std::optional<std::size_t> end_run() {
    std::optional<std::size_t> place;
    if (pieces_ > 1) {
      place = begin_;
      begin_ += size_;
    }
    pieces_ = 0;
    size_ = 0;
    begins_in_link_ = links_by_sign_ = false;
    first_ = {};
    spans_.clear();
    return place;
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

  void join(std::string_view piece, const char* readable_end, bool parted);

  std::string_view readable_;
  std::string_view first_;  // not copied as long as it is the only one
  std::string joined_;      // of all runs; longer than what is in use, so that whole blocks can be read
  std::size_t begin_ = 0;   // of the run in there
  std::size_t size_ = 0;    // of the run
  std::uint32_t pieces_ = 0;
  bool begins_in_link_ = false;
  bool ends_in_link_ = false;
  bool links_by_sign_ = false;  // a link of it may be a mere sign
  std::vector<Span> spans_;
};

}  // namespace sheaf::html
