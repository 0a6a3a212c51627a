#include "sheaf/html/page_outline.h"

#include "sheaf/html/element_kind.h"
#include "sheaf/html/hint_words.h"
#include "sheaf/html/query.h"
#include "sheaf/html/text_compare.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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

// What a byte adds to the counts of a run: one field each, so that one addition counts them all.
constexpr std::uint64_t kCharOne = 1;
constexpr std::uint64_t kWideOne = 1ULL << 8U;  // first byte of three: mostly Chinese, Japanese, Korean
constexpr std::uint64_t kDigitOne = 1ULL << 16U;
constexpr std::uint64_t kCapitalOne = 1ULL << 24U;
constexpr std::uint64_t kMarkOne = 1ULL << 32U;
constexpr std::uint64_t kCommaOne = 1ULL << 40U;
constexpr std::uint64_t kHandleOne = 1ULL << 48U;
constexpr std::uint64_t kSpaceOne = 1ULL << 56U;
constexpr std::size_t kFieldLimit = 255;  // bytes counted before a field could overflow

constexpr std::array<std::uint64_t, 256> kByteCounts = [] {
  std::array<std::uint64_t, 256> counts{};
  counts.fill(kCharOne);
  for (unsigned c = 0x80; c < 0xC0; ++c) counts[c] = 0;  // goes on with a character
  for (unsigned c = 0xE3; c < 0xF0; ++c) counts[c] |= kWideOne;
  for (unsigned c = '0'; c <= '9'; ++c) counts[c] |= kDigitOne;
  for (unsigned c = 'A'; c <= 'Z'; ++c) counts[c] |= kCapitalOne;
  for (const char c : std::string_view(".!?")) counts[static_cast<unsigned char>(c)] |= kMarkOne;
  for (const char c : std::string_view(",;")) counts[static_cast<unsigned char>(c)] |= kCommaOne;
  counts['@'] |= kHandleOne;
  for (const char c : std::string_view(" \t\n\r\f")) counts[static_cast<unsigned char>(c)] = kSpaceOne;
  return counts;
}();

constexpr std::uint32_t field(std::uint64_t counts, std::uint64_t one) {
  return static_cast<std::uint32_t>((counts / one) & 0xFFU);
}

// The letters and digits of words in lower case; 0 for what parts words.
constexpr std::array<std::uint8_t, 256> kWordBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (unsigned c = '0'; c <= '9'; ++c) bytes[c] = static_cast<std::uint8_t>(c);
  for (unsigned c = 'a'; c <= 'z'; ++c) bytes[c] = bytes[c - 0x20] = static_cast<std::uint8_t>(c);
  for (unsigned c = 0x80; c < 256; ++c) bytes[c] = static_cast<std::uint8_t>(c);
  return bytes;
}();

/// Calls `use` with the hash (hash_word) of each word of a text, until it says no.
template <class Use>
void each_word(std::string_view text, Use use) {
  std::uint32_t hash = hash_word("");
  for (const char c : text) {
    const std::uint8_t byte = kWordBytes[static_cast<unsigned char>(c)];
    if (byte != 0) {
      hash = (hash ^ byte) * kWordHashFactor;
    } else if (hash != hash_word("")) {
      if (!use(hash)) return;
      hash = hash_word("");
    }
  }
  if (hash != hash_word("")) use(hash);
}

struct Punctuation {
  std::uint32_t marks = 0;
  std::uint32_t commas = 0;
};

/// The full stops, question and exclamation marks and commas that Chinese and Japanese are written with.
Punctuation wide_punctuation(std::string_view text) {
  Punctuation found;
  for (std::size_t at = 0; at + 3 <= text.size(); ++at) {
    if (text[at] != '\xE3' && text[at] != '\xEF') continue;
    const std::string_view character = text.substr(at, 3);
    if (character == "\u3002" || character == "\uFF01" || character == "\uFF1F") ++found.marks;
    if (character == "\u3001" || character == "\uFF0C" || character == "\uFF1B") ++found.commas;
  }
  return found;
}

/// For telling texts apart, eight bytes at a time.
std::uint64_t hash_bytes(std::uint64_t hash, std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    hash = mix(hash, word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, text.data() + at, text.size() - at);
  return mix(hash, rest);
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
  Walk(const Document& document, PageOutline& outline) : document_(document), outline_(outline) {}

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
    outline_.region_of_node_[node] = current_;
    if (document_.kind(node) == NodeKind::text) {
      add_text(node);
      return false;
    }
    if (!document_.is_element(node)) return false;
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
      if (document_.is_element(node)) outline_.region_of_node_[node] = current_;
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
    region.signature = static_cast<std::uint32_t>(
        mix(hash_bytes(0, document_.attribute(node, Name::class_).value_or("")), index_of(region.name)));
    regions.push_back(region);
    if ((region.hints & kHintManual) != 0) ++outline_.manual_hints_;
    if (is_code(region.name)) ++outline_.code_elements_;
    outline_.region_of_node_[node] = index;
    current_ = index;
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
      if (run_.chars > 0) outline_.run_of_node_[node] = static_cast<std::uint32_t>(outline_.runs_.size());
      pending_space_ = pending_space_ || !whole.empty();
      return;
    }
    const bool parted = run_.chars == 0 || pending_space_ || text.data() != whole.data();
    pending_space_ = text.end() != whole.end();
    if (run_.chars == 0) {
      run_.first = node;
      run_.region = current_;
    }
    if (noted_words_ < kHintedWords) note_words(text);
    const std::uint32_t chars = count(text, parted);
    if (link_depth_ > 0) run_.link_chars += chars;
    if (bold_depth_ > 0) run_.bold_chars += chars;
    if (italic_depth_ > 0) run_.italic_chars += chars;
    run_.hash = hash_bytes(run_.hash, text);
    note_end(text);
    outline_.run_of_node_[node] = static_cast<std::uint32_t>(outline_.runs_.size());
  }

  /// Counts what a text without white space around it holds. The characters it adds, a space before each word
  /// included.
  std::uint32_t count(std::string_view text, bool parted) {
    std::uint32_t chars = 0;
    std::uint32_t words = parted ? 1 : 0;
    std::uint32_t wide = 0;
    std::uint64_t before = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(at + kFieldLimit, text.size());
      std::uint64_t counts = 0;
      for (; at < end; ++at) {
        const std::uint64_t byte = kByteCounts[static_cast<unsigned char>(text[at])];
        counts += byte;
        words += static_cast<std::uint32_t>((before & ~byte) >> 56U);  // the first byte after a space
        before = byte;
      }
      chars += field(counts, kCharOne);
      wide += field(counts, kWideOne);
      run_.digits += field(counts, kDigitOne);
      run_.capitals += field(counts, kCapitalOne);
      run_.marks += field(counts, kMarkOne);
      run_.commas += field(counts, kCommaOne);
      run_.handles += field(counts, kHandleOne);
    }
    if (wide > 0) {
      const Punctuation found = wide_punctuation(text);
      run_.marks += found.marks;
      run_.commas += found.commas;
      chars += wide;
    }
    run_.words += words;
    run_.chars += chars + words;
    return chars + words;
  }

  void note_end(std::string_view text) {
    const char last = text.back();
    // The last bytes of closing quotation marks and of the ellipsis.
    run_.ends_sentence = last == '.' || last == '!' || last == '?' || last == ':' || last == '"' ||
                         last == '\x93' || last == '\x9D' || last == '\xA6' || last == '\x82';
    run_.ends_colon = last == ':';
    run_.ends_cut = last == '\xA6' || text.ends_with("...") || text.ends_with("...]");
  }

  /// What the first words of a run say.
  void note_words(std::string_view text) {
    each_word(text, [this](std::uint32_t hash) {
      run_.text_hints |= text_hints(hash);
      if (outline_.in_title(hash)) ++title_matches_;
      if (!outline_.declared_words_.empty()) note_declared(hash);
      return ++noted_words_ < kHintedWords;
    });
  }

  void note_declared(std::uint32_t word) {
    const auto three = shingle_.add(word);
    if (three && std::ranges::binary_search(outline_.declared_words_, *three)) ++declared_matches_;
  }

  void close_run() {
    if (run_.chars > 0) {
      Name name = outline_.regions_[run_.region].name;
      run_.kind = run_kind(name);
      run_.in_comment = (outline_.regions_[run_.region].all_hints & kHintComment) != 0;
      run_.heading_level = heading_level(name);
      // A div inside a list item or a cell is still part of that; one step is enough for what pages do.
      if (run_.kind == RunKind::other || run_.kind == RunKind::paragraph) {
        const RunKind around = run_kind(outline_.regions_[outline_.regions_[run_.region].parent].name);
        if (run_.kind == RunKind::other || around == RunKind::quote || around == RunKind::caption)
          if (around != RunKind::other) run_.kind = around;
        if (run_.kind == RunKind::heading)
          run_.heading_level = heading_level(outline_.regions_[outline_.regions_[run_.region].parent].name);
      }
      if (noted_words_ > 0)
        run_.title_share = static_cast<float>(title_matches_) / static_cast<float>(noted_words_);
      if (noted_words_ > 2)
        run_.body_share = static_cast<float>(declared_matches_) / static_cast<float>(noted_words_ - 2);
      outline_.runs_.push_back(run_);
    }
    run_ = {};
    run_.links = link_depth_;  // one that is still open goes on in the next run
    pending_space_ = false;
    title_matches_ = 0;
    declared_matches_ = 0;
    noted_words_ = 0;
    shingle_ = {};
  }

  const Document& document_;
  PageOutline& outline_;
  std::uint32_t current_ = 0;  // region
  TextRun run_;                // the one under way; begun when it has characters
  std::uint32_t link_depth_ = 0;
  std::uint32_t bold_depth_ = 0;
  std::uint32_t italic_depth_ = 0;
  std::uint32_t title_matches_ = 0;
  std::uint32_t declared_matches_ = 0;
  std::uint32_t noted_words_ = 0;
  Shingle shingle_;
  bool pending_space_ = false;
  bool skipped_ = false;
};

void PageOutline::build(const Document& document, std::string_view declared_text) {
  regions_.clear();
  runs_.clear();
  run_of_node_.assign(document.size(), kNoRun);
  region_of_node_.assign(document.size(), kNoRegion);
  title_words_.clear();
  title_filter_ = 0;
  if (const NodeId title = find_first(document, document.root(), Name::title); title != kNoNode)
    each_word(document.text(document.first_child(title)), [this](std::uint32_t word) {
      title_words_.push_back(word);
      title_filter_ |= std::uint64_t{1} << (word % 64);
      return title_words_.size() < kTitleWords;
    });
  std::ranges::sort(title_words_);
  declared_words_.clear();
  each_word(declared_text, [this, shingle = Shingle()](std::uint32_t word) mutable {
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

bool PageOutline::in_title(std::uint32_t word) const {
  return ((title_filter_ >> (word % 64)) & 1U) != 0 && std::ranges::binary_search(title_words_, word);
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
