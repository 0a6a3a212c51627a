#include "sheaf/html/metadata_sources.h"

#include "sheaf/base/ascii.h"
#include "sheaf/html/date_text.h"
#include "sheaf/html/element_kind.h"
#include "sheaf/html/metadata_names.h"
#include "sheaf/html/metadata_role.h"
#include "sheaf/html/page_outline.h"
#include "sheaf/html/query.h"
#include "sheaf/html/scan_internal.h"
#include "sheaf/html/text_compare.h"
#include "sheaf/html/text_hash.h"
#include "sheaf/html/text_value.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace sheaf::html {
namespace {

// A page has a handful of each; more are a list of something else.
constexpr std::size_t kMetaValues = 32;
constexpr std::size_t kCandidates = 64;
constexpr std::size_t kScripts = 1024;
constexpr std::size_t kStates = 16;
// Texts with numbers in them: a page with more is full of numbers, not of dates.
constexpr std::size_t kDatedLines = 32;
constexpr std::size_t kDateLineBytes = 128;  // a longer line with a date is a sentence of the text
// Longer class lists are not written by people.
constexpr std::size_t kClassBytes = 512;

template <class T>
void add(std::vector<T>& list, std::size_t most, T value) {
  if (list.size() < most) list.push_back(value);
}

/// What an attribute of a visible element may tell.
enum class Tells : std::uint8_t { nothing, by_class, by_id, by_role, item, relation };
constexpr std::size_t kTells = 6;

// The last entry is for attributes that we do not know.
constexpr auto kAttributeTells = [] {
  std::array<Tells, kKnownNames + 1> tells{};
  tells[index_of(Name::class_)] = Tells::by_class;
  tells[index_of(Name::id)] = Tells::by_id;
  tells[index_of(Name::role)] = Tells::by_role;
  tells[index_of(Name::itemprop)] = tells[index_of(Name::property)] = Tells::item;
  tells[index_of(Name::rel)] = Tells::relation;
  return tells;
}();

constexpr Tells tells_of(Name name) {
  return kAttributeTells[std::min(index_of(name), kAttributeTells.size() - 1)];
}

class Collector {
 public:
  Collector(const Document& document, const PageOutline& outline) : document_(document), outline_(outline) {
    sources_.headings.reserve(kCandidates);
  }

  MetadataSources run() {
    for (const TellingElement& element : outline_.telling()) visit(element);
    return std::move(sources_);
  }

 private:
  [[nodiscard]] bool is_telling(NodeId node) const {
    return document_.has_attributes(node, least_attributes(metadata_role(document_.name(node))));
  }

  /// A part of the tree that is left when the walk comes to the node after it.
  struct Region {
    bool inside = false;
    NodeId after = kNoNode;
  };

  void enter(Region& region, NodeId node) const {
    if (region.inside) return;
    region = {true, next_after(document_, node, document_.root())};
    // The walk may not stop at the node after: take the next one where it does.
    while (region.after != kNoNode && !is_telling(region.after))
      region.after = next_in_order(document_, region.after, document_.root());
  }

  void leave_regions(NodeId node) {
    if (outside_.after == node) outside_.inside = false;
    if (article_.after == node) article_.inside = false;
  }

  void visit(const TellingElement& element) {
    const NodeId node = element.node;
    leave_regions(node);
    const Name name = document_.name(node);
    const MetadataRole role = metadata_role(name);
    if (role == MetadataRole::data) {
      visit_data(element, name);
    } else if (in_body_) {
      order_ = element.shown - before_body_;
      visit_visible(node, name, role);
    }
  }

  void visit_data(const TellingElement& element, Name name) {
    const NodeId node = element.node;
    switch (name) {
      case Name::meta: visit_meta(node); return;
      case Name::link: visit_link(node); return;
      case Name::script: visit_script(node); return;
      case Name::title:
        if (sources_.title == kNoNode && document_.is_html(node, Name::title)) sources_.title = node;
        return;
      case Name::base:
        if (!sources_.base) sources_.base = document_.attribute(node, Name::href);
        return;
      case Name::html: visit_html(node); return;
      case Name::body:  // its classes speak of the whole page
        if (!in_body_) before_body_ = element.shown;
        in_body_ = true;
        return;
      default: return;
    }
  }

  void visit_html(NodeId node) {
    sources_.html_language = document_.attribute(node, Name::lang);
    if (!sources_.html_language) sources_.html_language = document_.attribute(node, Name::xml_lang);
    if (!sources_.html_language) sources_.html_language = document_.attribute(node, "xml:lang");
  }

  void visit_meta(NodeId node) {
    std::string_view content;
    std::array<std::string_view, 3> names;
    std::string_view item;
    for (const Attribute& attribute : document_.attributes(node)) {
      switch (attribute.name) {
        case Name::content: content = document_.value(attribute); break;
        case Name::property: names[0] = document_.value(attribute); break;
        case Name::name: names[1] = document_.value(attribute); break;
        case Name::http_equiv: names[2] = document_.value(attribute); break;
        case Name::itemprop: item = document_.value(attribute); break;
        default: break;
      }
    }
    content = trim_space(content);
    if (content.empty()) return;
    for (const std::string_view name : names)
      if (!name.empty()) add_meta(name, content);
    if (!item.empty()) add_items(item, node, 0);
  }

  void add_meta(std::string_view name, std::string_view content) {
    if (name.starts_with("twitter:label") || name.starts_with("twitter:data")) {
      add_card_line(name, content);
      return;
    }
    const auto named = find_meta_name(name);
    if (!named) return;
    if (named->field == MetaField::robots) {
      add(sources_.robots, kMetaValues, content);
      return;
    }
    add(sources_.metas[static_cast<std::size_t>(named->field)], kMetaValues, {content, named->rank});
  }

  void add_card_line(std::string_view name, std::string_view content) {
    const char number = name.back();
    if (number != '1' && number != '2') return;
    MetadataSources::CardLine& line = sources_.card_lines[static_cast<std::size_t>(number - '1')];
    (name.starts_with("twitter:label") ? line.label : line.data) = content;
  }

  void visit_link(NodeId node) {
    const auto rel = document_.attribute(node, Name::rel);
    const auto href = document_.attribute(node, Name::href);
    if (!rel || !href) return;
    if (!sources_.canonical && has_word(*rel, "canonical", TextCase::ignore)) sources_.canonical = *href;
  }

  void visit_script(NodeId node) {
    const auto type = document_.attribute(node, Name::type);
    const NodeId text = document_.first_child(node);
    if (!type || text == kNoNode || document_.kind(text) != NodeKind::text) return;
    const std::string_view kind = trim_space(*type);
    if (kind.starts_with("application/ld+json")) add(sources_.json_ld, kScripts, document_.text(text));
    if (kind == "application/json") add(sources_.json_states, kStates, document_.text(text));
  }

  void visit_visible(NodeId node, Name name, MetadataRole role) {
    // What holds the headline is no sidebar, whatever its class says.
    if (name == Name::h1) outside_.inside = false;
    if (outside_.inside || document_.ns(node) != Namespace::html) return;
    const auto attributes = document_.attributes(node);
    if (role != MetadataRole::plain || !are_mute(attributes)) read_attributes(node, name, role, attributes);
  }

  void read_attributes(NodeId node, Name name, MetadataRole role, std::span<const Attribute> attributes) {
    // By what they tell: stored without a jump, for which attributes an element has is anybody's guess.
    std::array<const Attribute*, kTells> found{};
    for (const Attribute& attribute : attributes)
      found[static_cast<std::size_t>(tells_of(attribute.name))] = &attribute;
    const auto value_of = [&](Tells what) {
      const Attribute* const attribute = found[static_cast<std::size_t>(what)];
      return attribute == nullptr ? std::string_view() : document_.value(*attribute);
    };
    // Each has an id of its own: nothing to remember.
    const std::string_view id = value_of(Tells::by_id);
    const std::uint32_t signs = signs_of(value_of(Tells::by_class)) | (id.empty() ? 0 : read_signs(id));
    const bool is_marked = (signs & kFormulaSign) != 0 || value_of(Tells::by_role) == kHeadingRole;
    if (is_marked) sources_.unsure_parts = {{kDocumentNode, kNodesEnd}};
    const std::string_view items = value_of(Tells::item);
    const bool author_link = has_word(value_of(Tells::relation), "author", TextCase::ignore);
    if (role == MetadataRole::plain && signs == 0 && items.empty() && !author_link) return;
    if (name == Name::article) enter(article_, node);
    if (is_outside(node, name, signs)) {
      enter(outside_, node);
      sources_.unsure_parts.push_back({node, outside_.after == kNoNode ? kNodesEnd : outside_.after});
      return;
    }
    if (name >= Name::h1 && name <= Name::h6) add(sources_.headings, kCandidates, {node, order_, signs});
    if (!items.empty()) add_items(items, node, signs);
    add_candidate(node, name, signs, author_link);
  }

  /// Most attributes tell nothing, or are classes that do not.
  bool are_mute(std::span<const Attribute> attributes) {
    const Attribute* named = nullptr;
    bool others = false;
    for (const Attribute& attribute : attributes) {
      const Tells tells = tells_of(attribute.name);
      named = tells == Tells::by_class ? &attribute : named;
      others = others | (tells > Tells::by_class);
    }
    return !others && (named == nullptr || signs_of(document_.value(*named)) == 0);
  }

  [[nodiscard]] std::uint32_t read_signs(std::string_view value) const {
    return class_signs(value.substr(0, kClassBytes), document_.readable_end(value));
  }

  /// The same, remembered: the elements of a page share few classes.
  std::uint32_t signs_of(std::string_view value) {
    value = value.substr(0, kClassBytes);
    if (value.size() < 2) return 0;
    const std::uint64_t hash = hash_text(value);
    KnownClass& known = known_classes_[hash % known_classes_.size()];
    if (known.hash != hash) known = {hash, read_signs(value)};
    return known.signs;
  }

  [[nodiscard]] bool is_outside(NodeId node, Name name, std::uint32_t signs) const {
    if (name == Name::nav) return true;
    // Those of an article have its date and author; those of the page have other things.
    if (name == Name::footer || name == Name::aside) return !article_.inside;
    if (name == Name::article || name == Name::main) return false;
    if ((signs & (kAuthorSign | kBylineSign | kDateSign | kMetaSign)) != 0) return false;
    if ((signs & kCommentSign) != 0) return true;
    return (signs & kAsideSign) != 0 && !is_most_of_page(node);
  }

  /// Class names of wrappers speak of what is inside: "layout-with-sidebar".
  [[nodiscard]] bool is_most_of_page(NodeId node) const {
    const NodeId after = next_after(document_, node, document_.root());
    const std::size_t end = after == kNoNode ? document_.input().size() : document_.source_offset(after);
    const std::size_t begin = document_.source_offset(node);
    return end > begin && end - begin > document_.input().size() / 2;
  }

  void add_items(std::string_view names, NodeId node, std::uint32_t signs) {
    // RDFa writes schema:author.
    if (const std::size_t colon = names.find(':'); colon != std::string_view::npos)
      names.remove_prefix(colon + 1);
    while (!names.empty()) {
      names = trim_space(names);
      const std::string_view name = names.substr(0, names.find(' '));
      names.remove_prefix(name.size());
      if (const auto field = find_item_name(name))
        add(sources_.items[static_cast<std::size_t>(*field)], kCandidates, {node, order_, signs});
    }
  }

  void add_candidate(NodeId node, Name name, std::uint32_t signs, bool author_link) {
    const Candidate candidate{node, order_, signs};
    if (author_link) add(sources_.author_links, kCandidates, candidate);
    if (name == Name::time) {
      add(sources_.times, kCandidates, candidate);
      return;
    }
    if ((signs & (kDateSign | kPublishedSign | kModifiedSign)) != 0)
      add(sources_.dates, kCandidates, candidate);
    if ((signs & (kAuthorSign | kBylineSign)) != 0) add(sources_.bylines, kCandidates, candidate);
  }

  // Told apart by their hashes alone, which only a page against itself can make collide.
  struct KnownClass {
    std::uint64_t hash = 0;
    std::uint32_t signs = 0;
  };

  const Document& document_;
  const PageOutline& outline_;
  MetadataSources sources_;
  std::array<KnownClass, 256> known_classes_{};
  Region outside_;
  Region article_;
  std::uint32_t before_body_ = 0;  // elements
  std::uint32_t order_ = 0;        // of the element at hand
  bool in_body_ = false;
};

}  // namespace

MetadataSources collect_sources(const Document& document, const PageOutline& outline) {
  return Collector(document, outline).run();
}

namespace {

/// "(15 March 2021) In the beginning".
bool is_dateline(std::string_view text) {
  text = trim_space(text.substr(0, kDateLineBytes));
  return text.size() > 1 && text[0] == '(' && base::is_digit(text[1]) && has_date_digits(text);
}

bool is_dated_line(const Document& document, NodeId node) {
  const std::string_view text = document.text(node);
  if (text.size() > kDateLineBytes) return is_dateline(text);
  if (!scan::has_two_digits(text, document.readable_end(text))) return false;
  const Name parent = document.name(document.parent(node));
  return parent != Name::script && parent != Name::style && has_date_digits(text);
}

}  // namespace

std::vector<NodeId> find_dated_lines(const Document& document, const PageOutline& outline) {
  std::vector<NodeId> lines;
  lines.reserve(kDatedLines);
  for (const NodeId node : outline.date_texts()) {
    if (is_dated_line(document, node)) lines.push_back(node);
    if (lines.size() == kDatedLines) break;
  }
  return lines;
}

}  // namespace sheaf::html
