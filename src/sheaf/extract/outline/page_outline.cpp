#include "sheaf/extract/outline/page_outline.h"

#include "sheaf/extract/outline/element_names.h"
#include "sheaf/extract/outline/hidden_elements.h"
#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/extract/outline/run_text.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace sheaf::extract {
namespace {

// A page with at least kManualCode pieces of code, one for every kManualRuns runs of text, is treated as a
// page of a manual.
constexpr std::uint32_t kManualCode = 8;
constexpr std::uint32_t kManualRuns = 6;
constexpr std::size_t kMinPage = 40;  // minimum nodes of a noscript that may have the page's text

using Role = html::OutlineRole;
constexpr std::size_t kInlineRoles = static_cast<std::size_t>(html::kLastInlineRole) + 1;

constexpr bool is_inline(Role role) { return role <= html::kLastInlineRole; }

// What applies to everything inside an element: RunSpan in the low bits, and these.
enum Inside : std::uint32_t {
  kUnread = 8,          // text inside is not text of the page
  kPlaced = 16,         // the same, but elements inside are assigned to a region
  kOneLink = 1U << 8U,  // the bits from here on count the links around
};

// What each inline element adds to these bits.
constexpr auto kInsideOfRoles = [] {
  std::array<std::uint32_t, kInlineRoles> inside{};
  inside[static_cast<std::size_t>(Role::link)] = std::uint32_t{kInLink} + kOneLink;
  inside[static_cast<std::size_t>(Role::bold)] = kInBold;
  inside[static_cast<std::size_t>(Role::italic)] = kInItalic;
  return inside;
}();

/// Requires that the counts and the kind of `run` are set.
bool reads_like_prose(const TextRun& run) {
  return !run.in_comment && run.chars >= 80 && run.link_chars * 4 < run.chars && run.marks + run.commas > 0 &&
         run.kind != RunKind::heading;
}

}  // namespace

/// One pass over the nodes in document order. It stores for every element what applies inside it (`inside_`),
/// and its children look it up there. So it needs no stack and does nothing at the end of an element: a
/// region is closed when the next node is outside it.
class PageOutline::Walk {
 public:
  Walk(const html::Document& document, PageOutline& outline)
      : document_(document),
        outline_(outline),
        text_(outline.text_),
        places_(outline.places_.data()),
        inside_(outline.inside_.data()),
        next_candidate_(outline.candidates_.data()) {
    text_.start(document.input());
    names_.start(document);
  }

  void run() {
    const html::NodeId root = document_.root();
    inside_[root] = 0;
    open_region(root);
    for (const html::NodeId node : html::Descendants(document_, root)) visit(node);
    go_out_to(0);
    close_run(0);
    close_region();
    outline_.code_elements_ = count(Role::code);
    outline_.candidate_count_ = static_cast<std::size_t>(next_candidate_ - outline_.candidates_.data());
    for (const Joined& joined : outline_.joined_) {
      TextRun& run = outline_.runs_[joined.run];
      run.text = text_.find(joined.place, joined.size);
    }
  }

 private:
  void visit(html::NodeId node) {
    if (document_.kind(node) == html::NodeKind::text) {
      visit_text(node);
    } else if (document_.is_element(node)) {
      visit_element(node);
    }
  }

  void visit_text(html::NodeId node) {
    const html::NodeId parent = document_.parent(node);
    if ((inside_[parent] & (kUnread | kPlaced)) != 0) return;
    go_out_to(region_at(parent));
    add_text(node, inside_[parent]);
  }

  void visit_element(html::NodeId node) {
    note_candidate(node);
    const html::NodeId parent = document_.parent(node);
    const std::uint32_t around = inside_[parent];
    if ((around & (kUnread | kPlaced)) != 0) {
      if ((around & kPlaced) != 0) pass_over(node, kPlaced);
      return;
    }
    go_out_to(region_at(parent));
    if (is_hidden(node)) {
      if (html::element_traits(document_.name(node)).outline == Role::block) close_run(around);
      inside_[node] = kUnread;
      return;
    }
    enter(node, around);
  }

  [[nodiscard]] bool is_hidden(html::NodeId node) const {
    return !outline_.hidden_.empty() && std::ranges::binary_search(outline_.hidden_, node);
  }

  /// The region of an element: the element itself or the innermost region around it.
  [[nodiscard]] std::uint32_t region_at(html::NodeId element) const {
    return static_cast<std::uint32_t>(-places_[element] - 1);
  }

  /// Branch-free: which elements have attributes is unpredictable.
  void note_candidate(html::NodeId node) {
    const html::MetadataRole role = html::element_traits(document_.name(node)).metadata;
    visible_elements_ += role != html::MetadataRole::data ? 1U : 0U;
    *next_candidate_ = {node, visible_elements_};
    next_candidate_ += is_metadata_candidate(document_, node) ? 1 : 0;
  }

  void enter(html::NodeId node, std::uint32_t around) {
    const Role role = html::element_traits(document_.name(node)).outline;
    if (document_.ns(node) != html::Namespace::html) {
      if (document_.ns(node) != html::Namespace::mathml) return pass_over(node, kUnread);
      place_element(node);
      inside_[node] = around;
    } else if (!is_inline(role) || in_heading_) {
      enter_other(node, role, around);
    } else {
      enter_inline(node, role, around);
    }
  }

  void enter_inline(html::NodeId node, Role role, std::uint32_t around) {
    place_element(node);
    const std::uint32_t added = kInsideOfRoles[static_cast<std::size_t>(role)];
    inside_[node] = (around | (added % kOneLink)) + (added & kOneLink);
    ++count(role);
    pending_space_ = pending_space_ | (role == Role::line_break);
  }

  void enter_other(html::NodeId node, Role role, std::uint32_t around) {
    switch (role) {
      case Role::block:
        if (is_frame(node)) break;
        return enter_block(node, around);
      case Role::button:
        if (in_heading_) break;
        ++outline_.regions_[current_].controls;
        return pass_over(node, kUnread);
      case Role::control: ++outline_.regions_[current_].controls; return pass_over(node, kUnread);
      case Role::image: ++outline_.regions_[current_].images; return pass_over(node, kUnread);
      case Role::skipped: return pass_over(node, kUnread);
      case Role::noscript:
        if (holds_page(node)) return enter_block(node, around);
        // It may contain an image that a script would load; the image belongs to the region of the noscript.
        return pass_over(node, kPlaced);
      default: break;
    }
    if (is_tooltip(node)) return pass_over(node, kUnread);
    const bool counts = is_inline(role) && !(role == Role::link && is_anchor(node));
    enter_inline(node, counts ? role : Role::plain, around);
  }

  /// Whether a `div` or `section` holds the whole body. It says nothing, so it is not a region.
  [[nodiscard]] bool is_frame(html::NodeId node) {
    const html::Name name = document_.name(node);
    if (name != html::Name::div && name != html::Name::section) return false;
    const html::NodeId parent = document_.parent(node);
    if (parent != frame_ && !document_.is_html(parent, html::Name::body)) return false;
    if (parent != looked_at_) {
      looked_at_ = parent;  // once: a look for each child would take quadratic time
      only_child_ = only_child_of(parent);
    }
    if (node != only_child_) return false;
    const ElementNames::Facts names = names_.read(document_, node);
    if (names.hints != 0 || (names.class_hints & kHintManual) != 0) return false;
    frame_ = node;
    return true;
  }

  /// The only element that shows something in an element without text of its own, or kNoNode.
  [[nodiscard]] html::NodeId only_child_of(html::NodeId parent) const {
    html::NodeId only = html::kNoNode;
    for (html::NodeId child = document_.first_child(parent); child != html::kNoNode;
         child = document_.next(child)) {
      if (document_.kind(child) == html::NodeKind::text && !text::trim_space(document_.text(child)).empty())
        return html::kNoNode;
      if (!document_.is_element(child) ||
          html::element_traits(document_.name(child)).outline == Role::skipped)
        continue;
      if (only != html::kNoNode) return html::kNoNode;
      only = child;
    }
    return only;
  }

  void enter_block(html::NodeId node, std::uint32_t around) {
    close_run(around);
    inside_[node] = around;
    open_region(node);
  }

  /// Ignores all text inside an element.
  void pass_over(html::NodeId node, Inside inside) {
    place_element(node);
    inside_[node] = inside;
  }

  /// Closes regions until `region`, which has the next node, is the current one. It must be the current
  /// region or an ancestor of it.
  void go_out_to(std::uint32_t region) {
    while (current_ != region) {
      close_run(inside_[outline_.regions_[current_].node]);
      close_region();
    }
  }

  /// Whether a noscript contains most of the page. An element that is left open in a noscript swallows the
  /// rest of the page, which browsers with scripts never notice.
  [[nodiscard]] bool holds_page(html::NodeId node) const {
    const html::NodeId after = html::next_after(document_, node, document_.root());
    const std::size_t end = after == html::kNoNode ? document_.size() : after;
    if (end > node && (end - node) * 2 > document_.size()) return true;
    return end - node >= kMinPage && holds_most_text(node, end);
  }

  /// Whether nodes of a noscript have more text than the rest of the page: forums that are rendered by
  /// scripts put their threads there for clients without scripts.
  [[nodiscard]] bool holds_most_text(html::NodeId first, std::size_t end) const {
    std::size_t inside = 0;
    std::size_t outside = 0;
    for (html::NodeId node = 0; node < document_.size(); ++node) {
      if (document_.kind(node) != html::NodeKind::text) continue;
      const html::Name around = document_.name(document_.parent(node));
      if (html::element_traits(around).outline == Role::skipped || around == html::Name::noscript) continue;
      (node >= first && node < end ? inside : outside) += document_.text(node).size();
    }
    return inside > outside;
  }

  [[nodiscard]] bool is_tooltip(html::NodeId node) const {
    const auto names = document_.attribute(node, html::Name::class_);
    return names && (name_hints(document_.padded(*names)) & kHintTooltip) != 0;
  }

  /// Whether a link stays on the page. In a heading that is a permalink to the heading itself, which does not
  /// count as a link.
  [[nodiscard]] bool is_anchor(html::NodeId node) const {
    return document_.attribute(node, html::Name::href).value_or("#").starts_with('#');
  }

  /// The number of inline elements with a role. An array, because a branch on the role would be
  /// unpredictable.
  std::uint32_t& count(Role role) { return counts_[static_cast<std::size_t>(role)]; }

  void place_element(html::NodeId node) { places_[node] = -static_cast<std::int32_t>(current_) - 1; }
  void place_text(html::NodeId node) { places_[node] = run_place_; }

  void open_region(html::NodeId node) {
    auto& regions = outline_.regions_;
    const auto index = static_cast<std::uint32_t>(regions.size());
    // Built in place: copying a struct that was just written field by field stalls.
    Region& region = regions.emplace_back();
    const Region& around = regions[current_];
    region.node = node;
    region.parent = current_;
    region.first_run = static_cast<std::uint32_t>(outline_.runs_.size());
    region.name = document_.name(node);
    const std::uint32_t before = around.end;  // the previous sibling, 0 if none; see close_region()
    const ElementNames::Facts facts = names_.read(document_, node);
    region.hints = facts.hints;
    region.class_hints = facts.class_hints;
    region.signature =
        static_cast<std::uint32_t>(text::mix_hash(facts.class_hash, html::index_of(region.name) + 1));
    region.first_similar_sibling =
        before != 0 && regions[before].signature == region.signature ? before : index;
    const bool is_page = region.name == html::Name::body || region.name == html::Name::html || index == 0;
    region.all_hints = is_page ? 0 : (around.all_hints | region.hints | (region.class_hints & kHintTooltip));
    if (((region.hints | region.class_hints) & kHintManual) != 0) ++outline_.manual_hints_;
    if (region.name == html::Name::pre) ++count(Role::code);
    current_ = index;
    in_heading_ = html::heading_level(region.name) != 0;
    place_element(node);
  }

  void close_region() {
    Region& region = outline_.regions_[current_];
    // While a region is open, its `end` holds its last child so far, so that open_region() finds the previous
    // sibling of the next child.
    outline_.regions_[region.parent].end = current_;
    region.end = static_cast<std::uint32_t>(outline_.regions_.size());
    region.runs_end = static_cast<std::uint32_t>(outline_.runs_.size());
    current_ = region.parent;
    in_heading_ = html::heading_level(outline_.regions_[current_].name) != 0;
  }

  void add_text(html::NodeId node, std::uint32_t inside) {
    const std::string_view whole = document_.text(node);
    const text::PaddedText text = text::scan::trim(document_.padded(whole));
    if (text.empty()) {
      if (!text_.empty()) place_text(node);
      pending_space_ = pending_space_ | !whole.empty();
      return;
    }
    const bool parted = pending_space_ | (text.data() != whole.data());
    pending_space_ = text.end() != whole.data() + whole.size();
    if (text_.empty()) {
      first_text_ = node;
      text_region_ = current_;
    }
    text_.add(text, parted, static_cast<std::uint8_t>(inside % kUnread));
    place_text(node);
  }

  /// `around` is what applies where the run ends.
  void close_run(std::uint32_t around) {
    if (!text_.empty()) {
      TextRun& run = outline_.runs_.emplace_back();
      run.region = text_region_;
      run.first = first_text_;
      run.links = count(Role::link);
      run.has_time = count(Role::time) > 0;
      text_.judge(run);
      note_kind(run);
      run.is_prose = reads_like_prose(run);
      run.text = text_.text();
      if (text_.is_joined())
        outline_.joined_.push_back(
            {static_cast<std::uint32_t>(outline_.runs_.size()) - 1, text_.place(), run.text.size()});
      text_.end_run();
      ++run_place_;
    }
    count(Role::link) = around / kOneLink;  // an open link continues in the next run
    count(Role::time) = 0;
    pending_space_ = false;
  }

  /// Sets what follows from the elements around a run.
  void note_kind(TextRun& run) const {
    const Region& region = outline_.regions_[run.region];
    run.kind = html::element_traits(region.name).text;
    run.in_comment = (region.all_hints & kHintComment) != 0;
    run.heading_level = html::heading_level(region.name);
    // A div inside a list item or a cell is still part of it. One level is enough in practice.
    if (run.kind != RunKind::other && run.kind != RunKind::paragraph) return;
    const html::Name above = outline_.regions_[region.parent].name;
    const RunKind around = html::element_traits(above).text;
    if (run.kind == RunKind::other || around == RunKind::quote || around == RunKind::caption)
      if (around != RunKind::other) run.kind = around;
    if (run.kind == RunKind::heading) run.heading_level = html::heading_level(above);
  }

  const html::Document& document_;
  PageOutline& outline_;
  std::uint32_t current_ = 0;               // region
  bool in_heading_ = false;                 // the current region is a heading
  html::NodeId looked_at_ = html::kNoNode;  // the element whose only child is `only_child_`
  html::NodeId only_child_ = html::kNoNode;
  html::NodeId frame_ = html::kNoNode;  // the innermost element so far that holds the whole body
  ElementNames names_;
  RunText& text_;  // of the current run, which begins with its first text
  html::NodeId first_text_ = html::kNoNode;
  std::uint32_t text_region_ = 0;
  // Inline elements so far: links and times of the current run, code of the whole page.
  std::array<std::uint32_t, kInlineRoles> counts_{};
  bool pending_space_ = false;
  std::uint32_t visible_elements_ = 0;  // so far
  std::int32_t* places_;                // of the outline
  std::uint32_t* inside_;               // of the outline
  MetadataCandidate* next_candidate_;   // of the outline
  std::int32_t run_place_ = 1;          // the entry in `places_` of the current run's text nodes
};

void PageOutline::build(const html::Document& document) {
  regions_.clear();
  runs_.clear();
  joined_.clear();
  places_.assign(document.size(), 0);
  inside_.assign(document.size(), kUnread);
  candidates_.resize(std::max(candidates_.size(), document.size()));
  title_words_.clear();
  title_filter_.reset();
  if (const html::NodeId title = html::find_first(document, document.root(), html::Name::title);
      title != html::kNoNode)
    note_title(document.text(document.first_child(title)));
  std::ranges::sort(title_words_);
  manual_hints_ = 0;
  hidden_ = find_hidden(document);
  Walk(document, *this).run();
  is_manual_ = manual_hints_ > 1 ||
               (code_elements_ >= kManualCode && std::size_t{code_elements_} * kManualRuns >= runs_.size()) ||
               names_manual_generator(document);
  whole_ = nullptr;
  sum_texts();
  count_similar_siblings();
}

namespace {

/// Makes a paragraph weigh as much as half of a usual text.
void stand_for_many(TextRun& run) {
  constexpr std::uint32_t kChars = 1500;
  constexpr std::uint32_t kSentences = 15;
  run.chars = kChars;
  run.link_chars = 0;
  run.words = kChars / 6;
  run.marks = run.commas = kSentences;
  run.is_prose = true;
}

}  // namespace

void PageOutline::reduce(const PageOutline& whole, std::span<const std::uint8_t> without_runs,
                         std::span<const std::uint8_t> without_regions) {
  whole_ = &whole;
  code_elements_ = whole.code_elements_;
  is_manual_ = whole.is_manual_;
  regions_.clear();
  runs_.clear();
  region_places_.assign(whole.regions_.size(), kNoRegion);
  run_places_.assign(whole.runs_.size() + 1, kNoRun);
  for (std::size_t i = 0; i < whole.runs_.size(); ++i) {
    run_places_[i] = static_cast<std::uint32_t>(runs_.size());
    if (without_runs[i] != 0) continue;
    runs_.push_back(whole.runs_[i]);
    const bool stands_for_others =
        (i > 0 && without_runs[i - 1] != 0) || (i + 1 < without_runs.size() && without_runs[i + 1] != 0);
    if (stands_for_others) stand_for_many(runs_.back());
  }
  run_places_.back() = static_cast<std::uint32_t>(runs_.size());
  // The end of a region is the place of the first region after it, so the ends are set when all places are
  // known.
  std::vector<std::uint32_t> places(whole.regions_.size() + 1);
  for (std::size_t i = 0; i < whole.regions_.size(); ++i) {
    places[i] = static_cast<std::uint32_t>(regions_.size());
    if (without_regions[i] != 0) continue;
    region_places_[i] = places[i];
    regions_.push_back(whole.regions_[i]);
  }
  places.back() = static_cast<std::uint32_t>(regions_.size());
  for (Region& region : regions_) {
    const auto index = static_cast<std::uint32_t>(&region - regions_.data());
    region.parent = region_places_[region.parent];
    region.end = places[region.end];
    region.first_run = run_places_[region.first_run];
    region.runs_end = run_places_[region.runs_end];
    region.similar_siblings = 0;
    region.first_similar_sibling = index;
  }
  for (TextRun& run : runs_) run.region = region_places_[run.region];
  for (std::size_t i = 0; i < without_runs.size(); ++i)
    if (without_runs[i] != 0) run_places_[i] = kNoRun;
  sum_texts();
  count_similar_siblings();
}

void PageOutline::sum_texts() {
  sums_before_.resize(runs_.size() + 1);
  TextSums sums;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    sums_before_[i] = sums;
    sums.chars += runs_[i].chars;
    sums.link_chars += runs_[i].link_chars;
    sums.marks += runs_[i].marks;
    if (runs_[i].is_prose) sums.prose_chars += runs_[i].chars;
  }
  sums_before_[runs_.size()] = sums;
}

void PageOutline::count_similar_siblings() {
  // A hash table maps (parent, signature) to the first such region, which has the count. Most regions need no
  // lookup, because the walk has compared them with their previous sibling.
  const std::size_t slots = std::bit_ceil(regions_.size() * 2 + 1);
  twin_slots_.assign(slots, kNoRegion);
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    if (region.first_similar_sibling != i) {
      region.first_similar_sibling = regions_[region.first_similar_sibling].first_similar_sibling;
      ++regions_[region.first_similar_sibling].similar_siblings;
      continue;
    }
    const auto is_twin = [&](std::size_t at) {
      const Region& other = regions_[twin_slots_[at]];
      return other.parent == region.parent && other.signature == region.signature;
    };
    const std::size_t slot =
        text::find_slot(text::mix_hash(region.parent, region.signature), slots,
                        [&](std::size_t at) { return twin_slots_[at] == kNoRegion || is_twin(at); });
    if (twin_slots_[slot] == kNoRegion) twin_slots_[slot] = i;
    region.first_similar_sibling = is_twin(slot) ? twin_slots_[slot] : i;
    ++regions_[region.first_similar_sibling].similar_siblings;
  }
  for (Region& region : regions_)
    region.similar_siblings = regions_[region.first_similar_sibling].similar_siblings;
}

}  // namespace sheaf::extract
