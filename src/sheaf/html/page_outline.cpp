#include "sheaf/html/page_outline.h"

#include "sheaf/html/element_kind.h"
#include "sheaf/html/element_names.h"
#include "sheaf/html/hint_words.h"
#include "sheaf/html/metadata_role.h"
#include "sheaf/html/query.h"
#include "sheaf/html/run_text.h"
#include "sheaf/html/scan_internal.h"
#include "sheaf/html/text_compare.h"
#include "sheaf/html/text_hash.h"
#include "sheaf/html/text_words_internal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <optional>
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

/// Three words in a row, as one hash.
class Shingle {
 public:
  /// Nothing for the first two words.
  std::optional<std::uint32_t> add(std::uint32_t word) {
    const std::uint64_t three = mix_hash(mix_hash(before_last_, last_), word);
    before_last_ = last_;
    last_ = word;
    return ++count_ > 2 ? std::optional(static_cast<std::uint32_t>(three)) : std::nullopt;
  }

 private:
  std::uint32_t before_last_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t count_ = 0;
};

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

/// What an element is to the outline: one look at a table instead of many comparisons of names, for every
/// element is asked when it begins and when it ends.
enum class Role : std::uint8_t {
  // Parts of a line. They are noted without a jump, for what comes next in a line is anybody's guess.
  plain,
  link,
  code,
  bold,
  italic,
  time,
  line_break,
  odd,  // more than their text, to those who make blocks
  // The rest.
  block,    // begins a region
  skipped,  // nothing inside is text of the page
  image,    // skipped, and counted
  control,  // skipped, and counted
  button,   // a control, but not in a heading: there it is what is read
  noscript,
};
constexpr std::size_t kInlineRoles = static_cast<std::size_t>(Role::odd) + 1;

// What holds for the inside of an element: what RunSpan says of its texts, and
enum Inside : std::uint32_t {
  kUnread = 8,          // nothing there is text of the page
  kPlaced = 16,         // nor there, but its elements have a place
  kOneLink = 1U << 8U,  // the higher bits count links around it
};

// What parts of a line add to that.
constexpr auto kInsideOfRoles = [] {
  std::array<std::uint32_t, kInlineRoles> inside{};
  inside[static_cast<std::size_t>(Role::link)] = std::uint32_t{kInLink} + kOneLink;
  inside[static_cast<std::size_t>(Role::bold)] = kInBold;
  inside[static_cast<std::size_t>(Role::italic)] = kInItalic;
  return inside;
}();

constexpr bool is_inline(Role role) { return role <= Role::odd; }
constexpr bool is_mere_text(Role role) { return role < Role::line_break; }

// The last entry is for elements that the standard does not know.
constexpr auto kRoles = [] {
  using enum Name;
  std::array<Role, index_of(kLastKnownElement) + 2> roles{};
  for (std::size_t i = 0; i <= index_of(kLastKnownElement); ++i) {
    switch (detail::kElementKinds[i]) {
      case ElementKind::block: roles[i] = Role::block; break;
      case ElementKind::control: roles[i] = Role::control; break;
      case ElementKind::replaced:
      case ElementKind::unseen: roles[i] = Role::skipped; break;
      case ElementKind::inside: roles[i] = Role::odd; break;
    }
  }
  roles.back() = Role::odd;
  const auto set = [&roles](Role role, std::initializer_list<Name> names) {
    for (const Name name : names) roles[index_of(name)] = role;
  };
  set(Role::odd, {output, object, math, picture});
  set(Role::plain,
      {abbr, acronym, bdi, bdo, big, del, dfn, font, ins, label, mark, nobr, s, small, span, strike, u, wbr});
  set(Role::image, {img, video, iframe, svg});
  set(Role::button, {Name::button});
  set(Role::noscript, {Name::noscript});
  set(Role::link, {a});
  set(Role::code, {Name::code, tt, samp, kbd, var});
  set(Role::bold, {b, strong});
  set(Role::italic, {i, em});
  set(Role::time, {Name::time});
  set(Role::line_break, {br});
  return roles;
}();

constexpr Role role_of(Name name) { return kRoles[std::min(index_of(name), kRoles.size() - 1)]; }

/// Of a run whose counts and kind are known.
bool reads_like_prose(const TextRun& run) {
  return !run.in_comment && run.chars >= 80 && run.link_chars * 4 < run.chars && run.marks + run.commas > 0 &&
         run.kind != RunKind::heading;
}

}  // namespace

/// One pass over the nodes in document order. Every element leaves a note of what holds inside it, which
/// those inside find there: so nothing is to be done where an element ends, and regions end where something
/// comes that is not inside them.
class PageOutline::Walk {
 public:
  Walk(const Document& document, PageOutline& outline)
      : document_(document),
        outline_(outline),
        text_(outline.text_),
        in_order_(document.in_order()),
        places_(outline.places_.data()),
        inside_(outline.inside_.data()),
        next_text_(outline.texts_.data()),
        next_telling_(outline.telling_.data()) {
    text_.start(document.input());
  }

  void run() {
    const NodeId root = document_.root();
    inside_[root] = 0;
    open_region(root);
    for (const NodeId node : Descendants(document_, root)) visit(node);
    go_out_to(0);
    close_run(0, kNoNode);
    close_region();
    outline_.code_elements_ = met(Role::code);
    outline_.text_count_ = static_cast<std::size_t>(next_text_ - outline_.texts_.data());
    outline_.telling_count_ = static_cast<std::size_t>(next_telling_ - outline_.telling_.data());
    for (const Joined& joined : outline_.joined_) {
      TextRun& run = outline_.runs_[joined.run];
      run.text = text_.find(joined.place, joined.size);
    }
  }

 private:
  void visit(NodeId node) {
    if (document_.kind(node) == NodeKind::text) {
      visit_text(node);
    } else if (document_.is_element(node)) {
      visit_element(node);
    }
  }

  void visit_text(NodeId node) {
    const NodeId parent = document_.parent(node);
    if ((inside_[parent] & (kUnread | kPlaced)) != 0) {
      unread_in_run_ = true;
      return note_date_text(node);
    }
    go_out_to(region_at(parent));
    add_text(node, inside_[parent]);
  }

  void visit_element(NodeId node) {
    note_telling(node);
    const NodeId parent = document_.parent(node);
    const std::uint32_t around = inside_[parent];
    if ((around & (kUnread | kPlaced)) != 0) {
      if ((around & kPlaced) != 0) pass_over(node, kPlaced);
      return;
    }
    go_out_to(region_at(parent));
    enter(node, around);
  }

  /// Stored without a jump, too.
  void note_date_text(NodeId node) {
    *next_text_ = node;
    next_text_ += document_.has_text_of(node, kShortestDate) ? 1 : 0;
  }

  /// The one that an element is or stands in.
  [[nodiscard]] std::uint32_t region_at(NodeId element) const {
    return static_cast<std::uint32_t>(-places_[element] - 1);
  }

  /// Stored without a jump: which elements have attributes is anybody's guess.
  void note_telling(NodeId node) {
    const MetadataRole role = metadata_role(document_.name(node));
    shown_ += role != MetadataRole::data ? 1U : 0U;
    *next_telling_ = {node, shown_};
    next_telling_ += document_.has_attributes(node, least_attributes(role)) ? 1 : 0;
  }

  void enter(NodeId node, std::uint32_t around) {
    const Role role = role_of(document_.name(node));
    if (document_.ns(node) != Namespace::html) {
      if (document_.ns(node) != Namespace::mathml) return pass_over(node, kUnread);
      mere_text_ = false;
      place_element(node);
      inside_[node] = around;
    } else if (!is_inline(role) || in_heading_) {
      enter_other(node, role, around);
    } else {
      enter_inline(node, role, around);
    }
  }

  void enter_inline(NodeId node, Role role, std::uint32_t around) {
    place_element(node);
    const std::uint32_t added = kInsideOfRoles[static_cast<std::size_t>(role)];
    inside_[node] = (around | (added % kOneLink)) + (added & kOneLink);
    ++met(role);
    mere_text_ = mere_text_ & is_mere_text(role);
    pending_space_ = pending_space_ | (role == Role::line_break);
  }

  void enter_other(NodeId node, Role role, std::uint32_t around) {
    switch (role) {
      case Role::block: return enter_block(node, around);
      case Role::button:
        if (in_heading_) break;
        ++outline_.regions_[current_].controls;
        return pass_over(node, kUnread);
      case Role::control: ++outline_.regions_[current_].controls; return pass_over(node, kUnread);
      case Role::image: ++outline_.regions_[current_].images; return pass_over(node, kUnread);
      case Role::skipped: return pass_over(node, kUnread);
      case Role::noscript:
        if (holds_page(node)) {
          outline_.regions_[current_].broken = true;  // it may be passed over as if it were not there
          return enter_block(node, around);
        }
        // It may hold the very image that a script would load: that stands where the noscript does.
        return pass_over(node, kPlaced);
      default: break;
    }
    if (is_tooltip(node)) return pass_over(node, kUnread);
    const bool counts = is_inline(role) && !(role == Role::link && is_anchor(node));
    enter_inline(node, counts ? role : Role::odd, around);
  }

  void enter_block(NodeId node, std::uint32_t around) {
    Region& region = outline_.regions_[current_];
    region.broken = region.broken | (document_.parent(node) != region.node);
    close_run(around, node);
    inside_[node] = around;
    open_region(node);
  }

  /// No text inside counts.
  void pass_over(NodeId node, Inside inside) {
    place_element(node);
    inside_[node] = inside;
    mere_text_ = false;
  }

  /// What comes next stands in that region, which is one around the current one.
  void go_out_to(std::uint32_t region) {
    while (current_ != region) {
      close_run(inside_[outline_.regions_[current_].node], kNoNode);
      close_region();
    }
  }

  /// Browsers with scripts never see an element that is opened in a noscript; without them it may swallow the
  /// page.
  [[nodiscard]] bool holds_page(NodeId node) const {
    const NodeId after = next_after(document_, node, document_.root());
    const std::size_t end = after == kNoNode ? document_.size() : after;
    return end > node && (end - node) * 2 > document_.size();
  }

  [[nodiscard]] bool is_tooltip(NodeId node) const {
    const auto names = document_.attribute(node, Name::class_);
    return names && (name_hints(*names, document_.readable_end(*names)) & kHintTooltip) != 0;
  }

  /// A link in a heading that leads to its own place leads nowhere else.
  [[nodiscard]] bool is_anchor(NodeId node) const {
    return document_.attribute(node, Name::href).value_or("#").starts_with('#');
  }

  /// How many there were: counted without a look at which it is.
  std::uint32_t& met(Role role) { return met_[static_cast<std::size_t>(role)]; }

  void place_element(NodeId node) { places_[node] = -static_cast<std::int32_t>(current_) - 1; }
  void place_text(NodeId node) { places_[node] = run_place_; }

  void open_region(NodeId node) {
    auto& regions = outline_.regions_;
    const auto index = static_cast<std::uint32_t>(regions.size());
    // Written where it stays: a processor waits for small writes before it can copy them as one.
    Region& region = regions.emplace_back();
    const Region& around = regions[current_];
    region.node = node;
    region.parent = current_;
    region.first_run = static_cast<std::uint32_t>(outline_.runs_.size());
    region.name = document_.name(node);
    const std::uint32_t before = around.end;  // the sibling before it, 0 for none: see close_region()
    const ElementNames::Said said = names_.read(document_, node);
    region.hints = said.hints;
    region.signature = static_cast<std::uint32_t>(mix_hash(said.class_hash, index_of(region.name) + 1));
    region.first_twin = before != 0 && regions[before].signature == region.signature ? before : index;
    const bool is_page = region.name == Name::body || region.name == Name::html || index == 0;
    region.all_hints = is_page ? 0 : (around.all_hints | region.hints);
    if ((region.hints & kHintManual) != 0) ++outline_.manual_hints_;
    if (is_code(region.name)) ++met(Role::code);
    current_ = index;
    in_heading_ = heading_level(region.name) != 0;
    place_element(node);
  }

  void close_region() {
    Region& region = outline_.regions_[current_];
    // As long as a region is open nobody asks for its end, and the next one inside asks for the last inside.
    outline_.regions_[region.parent].end = current_;
    region.end = static_cast<std::uint32_t>(outline_.regions_.size());
    region.runs_end = static_cast<std::uint32_t>(outline_.runs_.size());
    current_ = region.parent;
    in_heading_ = heading_level(outline_.regions_[current_].name) != 0;
  }

  void add_text(NodeId node, std::uint32_t inside) {
    const std::string_view whole = document_.text(node);
    const char* const readable_end = document_.readable_end(whole);
    const std::string_view text = scan::trim(whole, readable_end);
    if (text.empty()) {
      if (!text_.empty()) place_text(node);
      pending_space_ = pending_space_ | !whole.empty();
      return;
    }
    if (text_.empty()) run_texts_ = next_text_;
    note_date_text(node);
    const bool parted = pending_space_ | (text.data() != whole.data());
    pending_space_ = text.end() != whole.end();
    if (text_.empty()) {
      first_text_ = node;
      text_region_ = current_;
    }
    text_.add(text, readable_end, parted, static_cast<std::uint8_t>(inside % kUnread));
    place_text(node);
  }

  /// `around` is what holds where the run ends, `after` what comes there in its region.
  void close_run(std::uint32_t around, NodeId after) {
    if (!text_.empty()) {
      TextRun& run = outline_.runs_.emplace_back();
      run.region = text_region_;
      run.first = first_text_;
      run.links = met(Role::link);
      run.has_time = met(Role::time) > 0;
      text_.judge(run);
      const bool shows = text_.shows_outside_links();
      note_kind(run);
      run.is_prose = reads_like_prose(run);
      run.text = text_.text();
      if (const auto place = text_.end_run())
        outline_.joined_.push_back(
            {static_cast<std::uint32_t>(outline_.runs_.size()) - 1, *place, run.text.size()});
      ++run_place_;
      // Texts without a number have no date.
      const bool has_no_date = (run.digits < 2) & !unread_in_run_;
      next_text_ = has_no_date ? run_texts_ : next_text_;
      const bool is_line =
          mere_text_ & in_order_ & !outline_.regions_[run.region].broken & ((run.links == 0) | shows);
      run.after = is_line ? after : TextRun::kNoLine;
    }
    met(Role::link) = around / kOneLink;  // one that is still open goes on in the next run
    met(Role::time) = 0;
    mere_text_ = true;
    unread_in_run_ = false;
    pending_space_ = false;
  }

  /// What the elements around a run say of it.
  void note_kind(TextRun& run) const {
    const Region& region = outline_.regions_[run.region];
    run.kind = run_kind(region.name);
    run.in_comment = (region.all_hints & kHintComment) != 0;
    run.heading_level = heading_level(region.name);
    // A div inside a list item or a cell is still part of that; one step is enough for what pages do.
    if (run.kind != RunKind::other && run.kind != RunKind::paragraph) return;
    const Name above = outline_.regions_[region.parent].name;
    const RunKind around = run_kind(above);
    if (run.kind == RunKind::other || around == RunKind::quote || around == RunKind::caption)
      if (around != RunKind::other) run.kind = around;
    if (run.kind == RunKind::heading) run.heading_level = heading_level(above);
  }

  const Document& document_;
  PageOutline& outline_;
  std::uint32_t current_ = 0;  // region
  bool in_heading_ = false;    // it is one
  ElementNames names_;
  RunText& text_;  // of the run under way: it begins when there is some
  NodeId first_text_ = kNoNode;
  std::uint32_t text_region_ = 0;
  // Parts of a line so far: links and times in this run, code in all of the page.
  std::array<std::uint32_t, kInlineRoles> met_{};
  bool mere_text_ = true;  // nothing since the last run but parts of a line that are their text
  bool in_order_;          // the page
  bool pending_space_ = false;
  std::uint32_t shown_ = 0;      // elements so far that are no mere data
  std::int32_t* places_;         // of the outline
  std::uint32_t* inside_;        // of the outline
  NodeId* next_text_;            // in the outline
  NodeId* run_texts_ = nullptr;  // there: the first of the run under way
  bool unread_in_run_ = false;   // ... and others came among them
  TellingElement* next_telling_;
  std::int32_t run_place_ = 1;  // of the texts of the run under way
};

void PageOutline::build(const Document& document) {
  regions_.clear();
  runs_.clear();
  joined_.clear();
  places_.assign(document.size(), 0);
  inside_.assign(document.size(), kUnread);
  telling_.resize(std::max(telling_.size(), document.size()));
  texts_.resize(std::max(texts_.size(), document.size()));
  title_words_.clear();
  title_filter_.reset();
  if (const NodeId title = find_first(document, document.root(), Name::title); title != kNoNode)
    note_title(document.text(document.first_child(title)));
  std::ranges::sort(title_words_);
  declared_words_.clear();
  manual_hints_ = 0;
  Walk(document, *this).run();
  is_manual_ = manual_hints_ > 1 ||
               (code_elements_ >= kManualCode && std::size_t{code_elements_} * kManualRuns >= runs_.size()) ||
               names_manual_generator(document);

  sums_before_.resize(runs_.size() + 1);
  numbered_.assign(runs_.size() + 1, 1);
  TextSums sums;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    sums_before_[i] = sums;
    numbered_[i + 1] = runs_[i].digits > 1 ? 1 : 0;
    sums.chars += runs_[i].chars;
    sums.link_chars += runs_[i].link_chars;
    sums.marks += runs_[i].marks;
    if (runs_[i].is_prose) sums.prose_chars += runs_[i].chars;
  }
  sums_before_[runs_.size()] = sums;
  count_twins();
}

void PageOutline::declare(std::string_view text) {
  declared_words_.clear();
  each_word(text, text.data() + text.size(), [this, shingle = Shingle()](std::uint32_t word) mutable {
    if (const auto three = shingle.add(word)) declared_words_.push_back(*three);
    return declared_words_.size() < kDeclaredWords;
  });
  std::ranges::sort(declared_words_);
}

RunWords PageOutline::words(const TextRun& run) const {
  std::uint32_t words = 0;
  std::uint32_t of_title = 0;
  std::uint32_t declared = 0;
  RunWords result;
  Shingle shingle;
  each_word(run.text, text_.readable_end(run.text), [&](std::uint32_t word) {
    if (may_have_text_hints(word)) result.hints |= text_hints(word);
    if (may_be_in_title(word) && in_title(word)) ++of_title;
    if (has_declared_text() && is_declared(shingle.add(word))) ++declared;
    return ++words < kHintedWords;
  });
  if (words > 0) result.title_share = static_cast<float>(of_title) / static_cast<float>(words);
  if (words > 2) result.body_share = static_cast<float>(declared) / static_cast<float>(words - 2);
  return result;
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
  return std::ranges::binary_search(title_words_, word);
}

void PageOutline::count_twins() {
  // A table from (parent, signature) to the first such region, which does the counting. Most regions need not
  // look there: the walk has seen that they are like the sibling before them.
  const std::size_t slots = std::bit_ceil(regions_.size() * 2 + 1);
  twin_slots_.assign(slots, kNoRegion);
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    if (region.first_twin != i) {
      region.first_twin = regions_[region.first_twin].first_twin;
      ++regions_[region.first_twin].twins;
      continue;
    }
    const auto is_twin = [&](std::size_t at) {
      const Region& other = regions_[twin_slots_[at]];
      return other.parent == region.parent && other.signature == region.signature;
    };
    const std::size_t slot = find_slot(mix_hash(region.parent, region.signature), slots, [&](std::size_t at) {
      return twin_slots_[at] == kNoRegion || is_twin(at);
    });
    if (twin_slots_[slot] == kNoRegion) twin_slots_[slot] = i;
    region.first_twin = is_twin(slot) ? twin_slots_[slot] : i;
    ++regions_[region.first_twin].twins;
  }
  for (Region& region : regions_) region.twins = regions_[region.first_twin].twins;
}

}  // namespace sheaf::html
