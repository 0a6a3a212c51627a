#include "sheaf/html/page_outline.h"

#include "sheaf/html/element_kind.h"
#include "sheaf/html/hint_words.h"
#include "sheaf/html/query.h"
#include "sheaf/html/run_text.h"
#include "sheaf/html/text_compare.h"
#include "sheaf/html/text_words_internal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::html {
namespace {

constexpr std::uint32_t kHintedWords = 20;  // of a run: what a text is about shows in its first words
constexpr std::size_t kTitleWords = 64;
// A page with so many pieces of code, one for so many runs of text, is a manual's, or may be treated like
// one.
constexpr std::uint32_t kManualCode = 8;
constexpr std::uint32_t kManualRuns = 6;
constexpr std::size_t kDeclaredWords = 50'000;

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

/// For telling apart what elements are called.
std::uint32_t hash_name(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

/// Three words in a row, as one hash.
class Shingle {
 public:
  /// Nothing for the first two words.
  std::optional<std::uint32_t> add(std::uint32_t word) {
    const std::uint64_t three = mix(mix(before_last_, last_), word);
    before_last_ = last_;
    last_ = word;
    return ++count_ > 2 ? std::optional(static_cast<std::uint32_t>(three)) : std::nullopt;
  }

 private:
  std::uint32_t before_last_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t count_ = 0;
};

bool is_unseen_style(std::string_view style) {
  // "display:none" with or without white space, in any case.
  constexpr std::string_view kWanted = "display:none";
  std::size_t matched = 0;
  for (const char c : style) {
    if (is_space(c)) continue;
    if (lower_ascii(c) == kWanted[matched]) {
      if (++matched == kWanted.size()) return true;
    } else {
      matched = lower_ascii(c) == kWanted[0] ? 1 : 0;
    }
  }
  return false;
}

std::uint32_t role_hints(std::string_view role) {
  if (role == "main" || role == "article") return kHintContent;
  if (role == "navigation" || role == "menu" || role == "menubar" || role == "tablist")
    return kHintNavigation;
  if (role == "complementary") return kHintSidebar;
  if (role == "contentinfo") return kHintFooter;
  if (role == "banner") return kHintHeader;
  if (role == "search" || role == "form") return kHintForm;
  if (role == "dialog" || role == "alert" || role == "alertdialog") return kHintNotice;
  return 0;
}

std::uint32_t itemprop_hints(std::string_view property) {
  if (property == "articleBody" || property == "text" || property == "reviewBody") return kHintContent;
  if (property == "headline" || property == "name") return kHintTitle;
  if (property == "author" || property == "datePublished" || property == "dateModified" ||
      property == "publisher")
    return kHintByline;
  if (property == "comment") return kHintComment;
  if (property == "description" || property == "alternativeHeadline") return kHintLead;
  return 0;
}

std::uint32_t element_hints(const Document& document, NodeId node) {
  std::uint32_t hints = 0;
  for (const Attribute& attribute : document.attributes(node)) {
    switch (attribute.name) {
      case Name::class_:
      case Name::id: hints |= name_hints(document.value(attribute)); break;
      case Name::role: hints |= role_hints(document.value(attribute)); break;
      case Name::itemprop: hints |= itemprop_hints(document.value(attribute)); break;
      case Name::hidden: hints |= kHintHidden; break;
      case Name::aria_hidden:
        if (document.value(attribute) == "true") hints |= kHintHidden;
        break;
      default:
        if (document.names().text(attribute.name) == "style" && is_unseen_style(document.value(attribute)))
          hints |= kHintHidden;
    }
  }
  return hints;
}

RunKind run_kind(Name name) {
  switch (name) {
    case Name::p: return RunKind::paragraph;
    case Name::h1:
    case Name::h2:
    case Name::h3:
    case Name::h4:
    case Name::h5:
    case Name::h6: return RunKind::heading;
    case Name::li: return RunKind::list_item;
    case Name::td:
    case Name::th: return RunKind::cell;
    case Name::dt: return RunKind::term;
    case Name::dd: return RunKind::definition;
    case Name::pre:
    case Name::listing:
    case Name::xmp: return RunKind::code;
    case Name::blockquote: return RunKind::quote;
    case Name::figcaption:
    case Name::caption: return RunKind::caption;
    default: return RunKind::other;
  }
}

std::uint8_t heading_level(Name name) {
  return name >= Name::h1 && name <= Name::h6
             ? static_cast<std::uint8_t>(index_of(name) - index_of(Name::h1) + 1)
             : 0;
}

bool is_code(Name name) {
  return name == Name::code || name == Name::pre || name == Name::tt || name == Name::samp ||
         name == Name::kbd || name == Name::var;
}

/// Whether the page names one of the generators of documentation as what made it.
bool names_manual_generator(const Document& document) {
  constexpr std::string_view kGenerators[] = {"sphinx",  "docutils", "mkdocs",   "docusaurus", "rustdoc",
                                              "doxygen", "mdbook",   "asciidoc", "docbook",    "mediawiki",
                                              "gitbook", "javadoc",  "texinfo",  "pandoc",     "dokuwiki",
                                              "gtk-doc", "groff",    "mandoc",   "vuepress",   "vitepress"};
  const NodeId head = find_first(document, document.root(), Name::head);
  for (NodeId node = head == kNoNode ? kNoNode : document.first_child(head); node != kNoNode;
       node = document.next(node)) {
    if (!document.is_html(node, Name::meta)) continue;
    if (!equal_text(document.attribute(node, Name::name).value_or(""), "generator", TextCase::ignore))
      continue;
    std::string content(document.attribute(node, Name::content).value_or("").substr(0, 200));
    std::ranges::transform(content, content.begin(), lower_ascii);
    if (std::ranges::any_of(kGenerators,
                            [&](std::string_view name) { return content.find(name) != std::string::npos; }))
      return true;
  }
  return false;
}

/// Whether nothing inside an element is text of the page.
bool is_skipped(Name name, bool in_heading) {
  switch (element_kind(name)) {
    case ElementKind::unseen: return true;
    case ElementKind::control:
      return !(name == Name::label || name == Name::output || (name == Name::button && in_heading));
    case ElementKind::replaced: return name != Name::object && name != Name::math && name != Name::picture;
    case ElementKind::block: return name == Name::noscript;
    default: return false;
  }
}

}  // namespace

bool is_prose(const TextRun& run) {
  return !run.in_comment && run.chars >= 80 && run.link_chars * 4 < run.chars && run.marks + run.commas > 0 &&
         run.kind != RunKind::heading;
}

/// One pass over the tree.
class PageOutline::Walk {
 public:
  Walk(const Document& document, PageOutline& outline)
      : document_(document), outline_(outline), text_(document.input()) {}

  void run() {
    const NodeId root = document_.root();
    open_region(root);
    NodeId node = document_.first_child(root);
    while (node != kNoNode) {
      const NodeId child = enter(node) ? document_.first_child(node) : kNoNode;
      if (child != kNoNode) {
        node = child;
        continue;
      }
      while (node != root) {
        leave(node);
        if (const NodeId next = document_.next(node); next != kNoNode) {
          node = next;
          break;
        }
        node = document_.parent(node);
      }
      if (node == root) break;
    }
    close_run();
    close_region();
  }

 private:
  /// Whether its children are to be visited.
  bool enter(NodeId node) {
    if (document_.kind(node) == NodeKind::text) {
      add_text(node);
      return false;
    }
    if (!document_.is_element(node)) return false;
    place_element(node);
    const Name name = document_.name(node);
    if (document_.ns(node) == Namespace::html && is_skipped(name, in_heading()) && !holds_page(node, name)) {
      note_skipped(name);
      if (name == Name::noscript) place_inside(node);
      skipped_ = true;
      return false;
    }
    if (document_.ns(node) == Namespace::svg) return false;
    if (document_.ns(node) == Namespace::html && element_kind(name) == ElementKind::block) {
      close_run();
      open_region(node);
    } else if (in_heading() && is_tooltip(node)) {
      skipped_ = true;
      return false;
    } else {
      enter_inline(node, name);
    }
    return true;
  }

  /// Browsers with scripts never see an element that is opened in a noscript; without them it may swallow the
  /// page.
  [[nodiscard]] bool holds_page(NodeId node, Name name) const {
    if (name != Name::noscript) return false;
    const NodeId after = next_after(document_, node, document_.root());
    const std::size_t end = after == kNoNode ? document_.size() : after;
    return end > node && (end - node) * 2 > document_.size();
  }

  void leave(NodeId node) {
    if (!document_.is_element(node)) return;
    if (skipped_) {
      skipped_ = false;
      return;
    }
    if (document_.ns(node) == Namespace::svg) return;
    const Name name = document_.name(node);
    if (document_.ns(node) == Namespace::html && element_kind(name) == ElementKind::block) {
      close_run();
      close_region();
    } else if (name == Name::a) {
      if (link_depth_ > 0 && !is_anchor(node)) --link_depth_;
    } else if (name == Name::b || name == Name::strong) {
      if (bold_depth_ > 0) --bold_depth_;
    } else if (name == Name::i || name == Name::em) {
      if (italic_depth_ > 0) --italic_depth_;
    }
  }

  [[nodiscard]] bool is_tooltip(NodeId node) const {
    const auto names = document_.attribute(node, Name::class_);
    return names && (name_hints(*names) & kHintTooltip) != 0;
  }

  /// A heading that links to its own place leads nowhere else.
  [[nodiscard]] bool is_anchor(NodeId node) const {
    return in_heading() && document_.attribute(node, Name::href).value_or("#").starts_with('#');
  }

  void enter_inline(NodeId node, Name name) {
    if (name == Name::a) {
      if (!is_anchor(node)) {
        ++link_depth_;
        ++run_.links;
      }
    } else if (is_code(name)) {
      ++outline_.code_elements_;
    } else if (name == Name::b || name == Name::strong) {
      ++bold_depth_;
    } else if (name == Name::i || name == Name::em) {
      ++italic_depth_;
    } else if (name == Name::time) {
      run_.has_time = true;
    } else if (name == Name::br) {
      pending_space_ = true;
    }
  }

  void note_skipped(Name name) {
    Region& region = outline_.regions_[current_];
    if (name == Name::img || name == Name::video || name == Name::iframe || name == Name::svg)
      ++region.images;
    if (element_kind(name) == ElementKind::control) ++region.controls;
  }

  /// A noscript may hold the very image that a script would load: it stands where the noscript does.
  void place_inside(NodeId root) {
    for (const NodeId node : Descendants(document_, root))
      if (document_.is_element(node)) place_element(node);
  }

  void place_element(NodeId node) { outline_.places_[node] = -static_cast<std::int32_t>(current_) - 1; }
  void place_text(NodeId node) {
    outline_.places_[node] = static_cast<std::int32_t>(outline_.runs_.size()) + 1;
  }

  [[nodiscard]] bool in_heading() const {
    return run_kind(outline_.regions_[current_].name) == RunKind::heading;
  }

  void open_region(NodeId node) {
    auto& regions = outline_.regions_;
    const auto index = static_cast<std::uint32_t>(regions.size());
    Region region;
    region.node = node;
    region.parent = current_;
    region.first_run = static_cast<std::uint32_t>(outline_.runs_.size());
    region.name = document_.name(node);
    region.hints = element_hints(document_, node);
    if (index > 0) region.depth = static_cast<std::uint16_t>(regions[current_].depth + 1);
    const bool is_page = region.name == Name::body || region.name == Name::html || index == 0;
    region.all_hints = is_page ? 0 : (regions[current_].all_hints | region.hints);
    region.signature =
        hash_name(document_.attribute(node, Name::class_).value_or(""), index_of(region.name) + 1);
    regions.push_back(region);
    if ((region.hints & kHintManual) != 0) ++outline_.manual_hints_;
    if (is_code(region.name)) ++outline_.code_elements_;
    current_ = index;
    place_element(node);
  }

  void close_region() {
    Region& region = outline_.regions_[current_];
    region.end = static_cast<std::uint32_t>(outline_.regions_.size());
    region.runs_end = static_cast<std::uint32_t>(outline_.runs_.size());
    current_ = region.parent;
  }

  void add_text(NodeId node) {
    const std::string_view whole = document_.text(node);
    const std::string_view text = trim_space(whole);
    if (text.empty()) {
      if (!text_.empty()) place_text(node);
      pending_space_ = pending_space_ || !whole.empty();
      return;
    }
    const bool parted = pending_space_ || text.data() != whole.data();
    pending_space_ = text.end() != whole.end();
    if (text_.empty()) {
      run_.first = node;
      run_.region = current_;
    }
    text_.add(text, parted, spans());
    place_text(node);
  }

  [[nodiscard]] std::uint8_t spans() const {
    return static_cast<std::uint8_t>((link_depth_ > 0 ? kInLink : 0) | (bold_depth_ > 0 ? kInBold : 0) |
                                     (italic_depth_ > 0 ? kInItalic : 0));
  }

  /// What the first words of a run say.
  void note_words() {
    std::uint32_t words = 0;
    std::uint32_t in_title = 0;
    std::uint32_t declared = 0;
    Shingle shingle;
    each_word(text_.text(), text_.readable_end(), [&](std::uint32_t word) {
      run_.text_hints |= text_hints(word);
      if (outline_.in_title(word)) ++in_title;
      if (outline_.has_declared_text() && outline_.is_declared(shingle.add(word))) ++declared;
      return ++words < kHintedWords;
    });
    if (words > 0) run_.title_share = static_cast<float>(in_title) / static_cast<float>(words);
    if (words > 2) run_.body_share = static_cast<float>(declared) / static_cast<float>(words - 2);
  }

  void close_run() {
    if (!text_.empty()) {
      text_.judge(run_);
      note_words();
      note_kind();
      outline_.runs_.push_back(run_);
      text_.clear();
    }
    run_ = {};
    run_.links = link_depth_;  // one that is still open goes on in the next run
    pending_space_ = false;
  }

  /// What the elements around a run say of it.
  void note_kind() {
    const Region& region = outline_.regions_[run_.region];
    run_.kind = run_kind(region.name);
    run_.in_comment = (region.all_hints & kHintComment) != 0;
    run_.heading_level = heading_level(region.name);
    // A div inside a list item or a cell is still part of that; one step is enough for what pages do.
    if (run_.kind != RunKind::other && run_.kind != RunKind::paragraph) return;
    const Name above = outline_.regions_[region.parent].name;
    const RunKind around = run_kind(above);
    if (run_.kind == RunKind::other || around == RunKind::quote || around == RunKind::caption)
      if (around != RunKind::other) run_.kind = around;
    if (run_.kind == RunKind::heading) run_.heading_level = heading_level(above);
  }

  const Document& document_;
  PageOutline& outline_;
  std::uint32_t current_ = 0;  // region
  TextRun run_;                // the one under way
  RunText text_;               // ... and its text: begun when there is some
  std::uint32_t link_depth_ = 0;
  std::uint32_t bold_depth_ = 0;
  std::uint32_t italic_depth_ = 0;
  bool pending_space_ = false;
  bool skipped_ = false;
};

void PageOutline::build(const Document& document, std::string_view declared_text) {
  regions_.clear();
  runs_.clear();
  places_.assign(document.size(), 0);
  title_words_.clear();
  title_filter_.reset();
  if (const NodeId title = find_first(document, document.root(), Name::title); title != kNoNode)
    note_title(document.text(document.first_child(title)));
  std::ranges::sort(title_words_);
  declared_words_.clear();
  each_word(declared_text, declared_text.data() + declared_text.size(),
            [this, shingle = Shingle()](std::uint32_t word) mutable {
              if (const auto three = shingle.add(word)) declared_words_.push_back(*three);
              return declared_words_.size() < kDeclaredWords;
            });
  std::ranges::sort(declared_words_);
  code_elements_ = 0;
  manual_hints_ = 0;
  Walk(document, *this).run();
  is_manual_ = manual_hints_ > 1 ||
               (code_elements_ >= kManualCode && std::size_t{code_elements_} * kManualRuns >= runs_.size()) ||
               names_manual_generator(document);

  sums_before_.resize(runs_.size() + 1);
  TextSums sums;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    sums_before_[i] = sums;
    sums.chars += runs_[i].chars;
    sums.link_chars += runs_[i].link_chars;
    sums.marks += runs_[i].marks;
    if (is_prose(runs_[i])) sums.prose_chars += runs_[i].chars;
  }
  sums_before_[runs_.size()] = sums;
  count_twins();
}

void PageOutline::note_title(std::string_view title) {
  each_word(title, title.data() + title.size(), [this](std::uint32_t word) {
    title_words_.push_back(word);
    title_filter_[word % title_filter_.size()] = true;
    return title_words_.size() < kTitleWords;
  });
}

bool PageOutline::is_declared(std::optional<std::uint32_t> three_words) const {
  return three_words && std::ranges::binary_search(declared_words_, *three_words);
}

bool PageOutline::in_title(std::uint32_t word) const {
  return title_filter_[word % title_filter_.size()] && std::ranges::binary_search(title_words_, word);
}

TextSums PageOutline::between(std::uint32_t first_run, std::uint32_t runs_end) const {
  const TextSums& a = sums_before_[first_run];
  const TextSums& b = sums_before_[runs_end];
  return {b.chars - a.chars, b.link_chars - a.link_chars, b.prose_chars - a.prose_chars, b.marks - a.marks};
}

void PageOutline::count_twins() {
  // A table from (parent, signature) to the first such region, which does the counting. Open addressing.
  const std::size_t slots = std::bit_ceil(regions_.size() * 2 + 1);
  twin_slots_.assign(slots, kNoRegion);
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    std::size_t at = mix(region.parent, region.signature) & (slots - 1);
    while (twin_slots_[at] != kNoRegion && (regions_[twin_slots_[at]].parent != region.parent ||
                                            regions_[twin_slots_[at]].signature != region.signature))
      at = (at + 1) & (slots - 1);
    if (twin_slots_[at] == kNoRegion) twin_slots_[at] = i;
    region.first_twin = twin_slots_[at];
    ++regions_[region.first_twin].twins;
  }
  for (Region& region : regions_) region.twins = regions_[region.first_twin].twins;
}

}  // namespace sheaf::html
