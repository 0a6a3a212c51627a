#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/run_text.h"
#include "sheaf/html/text_run.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// A block-level element. Regions are in document order, a region before those inside it.
struct Region {
  NodeId node = kNoNode;
  std::uint32_t parent = 0;      ///< the root region is its own parent
  std::uint32_t end = 0;         ///< regions inside it are those from the next one up to here
  std::uint32_t first_run = 0;   ///< runs inside it, at any depth: from here
  std::uint32_t runs_end = 0;    ///< up to here
  std::uint32_t hints = 0;       ///< of its own class, id and role
  std::uint32_t all_hints = 0;   ///< also of the regions around it, body and html aside
  std::uint32_t signature = 0;   ///< hash of name and class
  std::uint32_t twins = 0;       ///< siblings of the same signature, itself included
  std::uint32_t first_twin = 0;  ///< the first of them
  bool broken = false;           ///< a part of a line of it goes on around a block
  std::uint16_t images = 0;      ///< directly inside
  std::uint16_t controls = 0;    ///< form controls directly inside
  Name name = Name::none;
};
static_assert(sizeof(Region) == 48);

/// Sums over the runs of a region.
struct TextSums {
  std::uint32_t chars = 0;
  std::uint32_t link_chars = 0;
  std::uint32_t prose_chars = 0;  ///< of runs that read like prose
  std::uint32_t marks = 0;
};

/// An element that may tell something of the page's title, author and dates (metadata_role.h).
struct TellingElement {
  NodeId node;
  std::uint32_t shown;  ///< elements up to it, itself included, that are no mere data
};

/// A page cut into regions and runs of text, in one walk of the tree. Keeps its memory from page to page.
class PageOutline {
 public:
  void build(const Document& document);
  /// What the page's structured data give as its text (articleBody), for words(); none before this is called.
  void declare(std::string_view text);

  /// Whether the page looks like one of a manual, a reference or a wiki: where lists of links, tables and
  /// headings without prose are the content.
  [[nodiscard]] bool is_manual() const { return is_manual_; }
  /// Elements for code, in paragraphs and of their own.
  [[nodiscard]] std::uint32_t code_elements() const { return code_elements_; }
  [[nodiscard]] bool has_declared_text() const { return !declared_words_.empty(); }
  [[nodiscard]] std::span<const Region> regions() const { return regions_; }
  [[nodiscard]] std::span<const TextRun> runs() const { return runs_; }
  /// Read when asked for: of most runs nobody does.
  [[nodiscard]] RunWords words(const TextRun& run) const;
  /// How far beyond the text of a run memory may be read.
  [[nodiscard]] const char* readable_end(const TextRun& run) const { return text_.readable_end(run.text); }
  [[nodiscard]] TextSums sums(const Region& region) const {
    return between(region.first_run, region.runs_end);
  }
  [[nodiscard]] TextSums between(std::uint32_t first_run, std::uint32_t runs_end) const {
    const TextSums& a = sums_before_[first_run];
    const TextSums& b = sums_before_[runs_end];
    return {b.chars - a.chars, b.link_chars - a.link_chars, b.prose_chars - a.prose_chars, b.marks - a.marks};
  }

  // What others look for in all of the page, found on the way: both in document order, wherever it stands.
  [[nodiscard]] std::span<const TellingElement> telling() const { return {telling_.data(), telling_count_}; }
  static constexpr std::uint32_t kShortestDate = 6;  // bytes
  /// Text nodes that are long enough for a date, but for white space between parts of the page and runs
  /// without a number.
  [[nodiscard]] std::span<const NodeId> date_texts() const { return {texts_.data(), text_count_}; }

  static constexpr std::uint32_t kNoRun = ~std::uint32_t{0};
  /// The run that a text node is part of, or kNoRun.
  [[nodiscard]] std::uint32_t run_of(NodeId node) const {
    return places_[node] > 0 ? static_cast<std::uint32_t>(places_[node] - 1) : kNoRun;
  }
  /// Whether a text node may have a number of two digits or more.
  [[nodiscard]] bool may_have_number(NodeId text) const {
    return numbered_[static_cast<std::size_t>(std::max(places_[text], 0))] != 0;
  }
  static constexpr std::uint32_t kNoRegion = ~std::uint32_t{0};
  /// The region an element stands in, or is; kNoRegion for one that no reader could see.
  [[nodiscard]] std::uint32_t region_of(NodeId node) const {
    return places_[node] < 0 ? static_cast<std::uint32_t>(-places_[node] - 1) : kNoRegion;
  }
  /// Both in one number for every node, so that one look at a table tells what becomes of it: runs count up
  /// from 1, regions down from -1, and 0 is neither.
  [[nodiscard]] std::span<const std::int32_t> places() const { return places_; }

 private:
  class Walk;

  void note_title(std::string_view title);
  void count_twins();
  [[nodiscard]] bool may_be_in_title(std::uint32_t word) const {
    return title_filter_[word % title_filter_.size()];
  }
  [[nodiscard]] bool in_title(std::uint32_t word) const;
  [[nodiscard]] bool is_declared(std::optional<std::uint32_t> three_words) const;

  std::vector<Region> regions_;
  std::vector<TextRun> runs_;
  RunText text_;  // of the runs
  // Runs of several pieces, whose texts may move as long as more of them come.
  struct Joined {
    std::uint32_t run;
    std::size_t place;
    std::size_t size;
  };
  std::vector<Joined> joined_;
  std::vector<TextSums> sums_before_;   // over the runs before each
  std::vector<std::uint8_t> numbered_;  // by places_: whether a run has digits; texts of no run may have some
  std::vector<std::int32_t> places_;
  std::vector<std::uint32_t> inside_;    // elements: what holds for what is inside; needed for the walk alone
  std::vector<TellingElement> telling_;  // the first so many: the rest is room
  std::size_t telling_count_ = 0;
  std::vector<NodeId> texts_;
  std::size_t text_count_ = 0;
  std::vector<std::uint32_t> title_words_;  // hashes, sorted
  std::bitset<1024> title_filter_;          // a bit for each: most words are not among them
  std::vector<std::uint32_t> twin_slots_;
  std::uint32_t code_elements_ = 0;
  std::uint32_t manual_hints_ = 0;  // regions with the hint
  bool is_manual_ = false;
  std::vector<std::uint32_t> declared_words_;  // hashes of three words in a row, sorted
};

}  // namespace sheaf::html
