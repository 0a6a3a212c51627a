#pragma once

#include "sheaf/extract/outline/run_text.h"
#include "sheaf/extract/outline/text_run.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// A block-level element. Regions are in document order, a region before those inside it.
struct Region {
  html::NodeId node = html::kNoNode;
  std::uint32_t parent = 0;     ///< the root region is its own parent
  std::uint32_t end = 0;        ///< the regions inside it are those after it, up to but excluding this index
  std::uint32_t first_run = 0;  ///< the runs inside it, at any depth, are [first_run, runs_end)
  std::uint32_t runs_end = 0;
  std::uint32_t hints = 0;             ///< of its own id and role
  std::uint32_t class_hints = 0;       ///< of its own class: weak, because tools replace classes by hashes
  std::uint32_t all_hints = 0;         ///< also of the regions around it, except body and html
  std::uint32_t signature = 0;         ///< hash of name and class (ElementNames::Facts)
  std::uint32_t similar_siblings = 0;  ///< number of siblings with the same signature, including itself
  std::uint32_t first_similar_sibling = 0;  ///< the first of these siblings
  std::uint16_t images = 0;                 ///< images directly inside
  std::uint16_t controls = 0;               ///< form controls directly inside
  html::Name name = html::Name::none;
};
static_assert(sizeof(Region) == 52);

/// Sums over the runs of a region.
struct TextSums {
  std::uint32_t chars = 0;
  std::uint32_t link_chars = 0;
  std::uint32_t prose_chars = 0;  ///< of runs that read like prose
  std::uint32_t marks = 0;
};

/// An element that may hold the page's title, author or dates, or data about the page. The outline finds them
/// because it looks at every element anyway; extract/metadata decides what they mean.
struct MetadataCandidate {
  html::NodeId node;
  std::uint32_t visible_elements;  ///< number of elements up to and including it, without data elements
};

/// Whether an element is a metadata candidate: by its name, or because it has attributes and its name does
/// not exclude it.
inline bool is_metadata_candidate(const html::Document& document, html::NodeId element) {
  // The minimum number of attributes per MetadataRole. A table, because branches on the role would be
  // unpredictable.
  constexpr std::array<std::uint32_t, 4> kMinAttributes = {1, 0, UINT32_MAX, 0};
  const html::MetadataRole role = html::element_traits(document.name(element)).metadata;
  return document.has_attributes(element, kMinAttributes[static_cast<std::size_t>(role)]);
}

/// The facts about a page, found in one walk of its tree: its text cut into regions and runs, the hints in
/// class names, and the candidates for metadata. Everything after it (metadata, labels, blocks) reads these
/// facts and changes none. Reuses its memory from page to page.
class PageOutline {
 public:
  void build(const html::Document& document);
  /// Makes this the outline of a page without some of its runs and regions: those with a 1. A region must go
  /// with the regions inside it. run_of(), region_of() and the candidates are those of no page; `whole` must
  /// outlive the use of this outline.
  void reduce(const PageOutline& whole, std::span<const std::uint8_t> without_runs,
              std::span<const std::uint8_t> without_regions);
  /// After reduce(): the place of a run or a region of the whole page in this outline, or kNoRun and
  /// kNoRegion.
  [[nodiscard]] std::uint32_t reduced_run(std::uint32_t run) const { return run_places_[run]; }
  [[nodiscard]] std::uint32_t reduced_region(std::uint32_t region) const { return region_places_[region]; }

  /// Whether the page looks like a page of a manual, a reference or a wiki, where lists of links, tables and
  /// headings without prose are content.
  [[nodiscard]] bool is_manual() const { return is_manual_; }
  /// The number of elements with code, both inline and blocks.
  [[nodiscard]] std::uint32_t code_elements() const { return code_elements_; }
  [[nodiscard]] std::span<const Region> regions() const { return regions_; }
  [[nodiscard]] std::span<const TextRun> runs() const { return runs_; }
  /// Computed by each call, because it is needed for few runs.
  [[nodiscard]] RunWords words(const TextRun& run) const;
  [[nodiscard]] text::PaddedText padded(const TextRun& run) const {
    return (whole_ != nullptr ? whole_->text_ : text_).padded(run.text);
  }
  [[nodiscard]] TextSums sums(const Region& region) const {
    return between(region.first_run, region.runs_end);
  }
  [[nodiscard]] TextSums between(std::uint32_t first_run, std::uint32_t runs_end) const {
    const TextSums& a = sums_before_[first_run];
    const TextSums& b = sums_before_[runs_end];
    return {b.chars - a.chars, b.link_chars - a.link_chars, b.prose_chars - a.prose_chars, b.marks - a.marks};
  }

  /// Elements that no visitor sees (hidden_elements.h). They have no regions and no runs.
  [[nodiscard]] std::span<const html::NodeId> hidden() const { return hidden_; }
  /// In document order, from the whole page.
  [[nodiscard]] std::span<const MetadataCandidate> metadata_candidates() const {
    return {candidates_.data(), candidate_count_};
  }

  static constexpr std::uint32_t kNoRun = ~std::uint32_t{0};
  /// The run that a text node is part of, or kNoRun.
  [[nodiscard]] std::uint32_t run_of(html::NodeId node) const {
    return places_[node] > 0 ? static_cast<std::uint32_t>(places_[node] - 1) : kNoRun;
  }
  static constexpr std::uint32_t kNoRegion = ~std::uint32_t{0};
  /// The region of an element: the element itself or the innermost region around it; kNoRegion for an element
  /// that is not shown.
  [[nodiscard]] std::uint32_t region_of(html::NodeId node) const {
    return places_[node] < 0 ? static_cast<std::uint32_t>(-places_[node] - 1) : kNoRegion;
  }
  /// run_of() and region_of() of every node in one number, so that one table lookup is enough: `i + 1` stands
  /// for run i, `-i - 1` for region i, and 0 for neither.
  [[nodiscard]] std::span<const std::int32_t> places() const { return places_; }

 private:
  class Walk;

  void note_title(std::string_view title);
  void sum_texts();
  void count_similar_siblings();
  [[nodiscard]] bool may_be_in_title(std::uint32_t word) const {
    return title_filter_[word % title_filter_.size()];
  }
  [[nodiscard]] bool in_title(std::uint32_t word) const;

  std::vector<Region> regions_;
  std::vector<TextRun> runs_;
  RunText text_;  // of the runs
  // Runs of several pieces. Their texts are set at the end of the walk, because the buffer moves as it grows.
  struct Joined {
    std::uint32_t run;
    std::size_t place;
    std::size_t size;
  };
  std::vector<Joined> joined_;
  const PageOutline* whole_ = nullptr;        // after reduce()
  std::vector<std::uint32_t> run_places_;     // after reduce(): by the run of the whole page
  std::vector<std::uint32_t> region_places_;  // the same for regions
  std::vector<TextSums> sums_before_;         // for each run, sums over the runs before it
  std::vector<std::int32_t> places_;
  std::vector<std::uint32_t> inside_;  // for each element, what applies inside it; used by the walk only
  std::vector<html::NodeId> hidden_;
  std::vector<MetadataCandidate> candidates_;  // the first candidate_count_; the rest is spare
  std::size_t candidate_count_ = 0;
  std::vector<std::uint32_t> title_words_;  // hashes, sorted
  std::bitset<1024> title_filter_;          // a bit per hash; rules out most words without a search
  std::vector<std::uint32_t> twin_slots_;
  std::uint32_t code_elements_ = 0;
  std::uint32_t manual_hints_ = 0;  // number of regions with kHintManual
  bool is_manual_ = false;
};

}  // namespace sheaf::extract
