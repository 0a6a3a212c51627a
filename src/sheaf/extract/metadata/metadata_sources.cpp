#include "sheaf/extract/metadata/metadata_sources.h"

#include "sheaf/base/ascii.h"
#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/extract/metadata/metadata_names.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace sheaf::extract {
namespace {

using html::MetadataRole;

// A page has a handful of each; a longer list is about something else.
constexpr std::size_t kMetaValues = 32;
constexpr std::size_t kCandidates = 64;
constexpr std::size_t kScripts = 1024;
constexpr std::size_t kStates = 16;
// Maximum number of dated lines: a page with more is full of numbers, not of dates.
constexpr std::size_t kDatedLines = 32;
constexpr std::size_t kMinDateLength = 6;    // bytes
constexpr std::size_t kDateLineBytes = 128;  // a longer line with a date is a sentence of the text
// Longer class lists are not written by people.
constexpr std::size_t kClassBytes = 512;

template <class T>
void add(std::vector<T>& list, std::size_t most, T value) {
  if (list.size() < most) list.push_back(value);
}

/// Which metadata an attribute of a visible element may have.
enum class AttributeUse : std::uint8_t { none, class_name, id, item, relation };
constexpr std::size_t kAttributeUses = 5;

// The last entry is for attributes that we do not know.
constexpr auto kUseOfAttribute = [] {
  std::array<AttributeUse, html::kKnownNames + 1> uses{};
  uses[html::index_of(html::Name::class_)] = AttributeUse::class_name;
  uses[html::index_of(html::Name::id)] = AttributeUse::id;
  uses[html::index_of(html::Name::itemprop)] = uses[html::index_of(html::Name::property)] =
      AttributeUse::item;
  uses[html::index_of(html::Name::rel)] = AttributeUse::relation;
  return uses;
}();

constexpr AttributeUse use_of(html::Name name) {
  return kUseOfAttribute[std::min(html::index_of(name), kUseOfAttribute.size() - 1)];
}

class Collector {
 public:
  Collector(const html::Document& document, const PageOutline& outline)
      : document_(document), outline_(outline) {
    sources_.headings.reserve(kCandidates);
  }

  MetadataSources run() {
    for (const MetadataCandidate& element : outline_.metadata_candidates()) visit(element);
    return std::move(sources_);
  }

 private:
  /// A part of the tree, from an element to the node after it.
  struct Region {
    bool inside = false;
    html::NodeId after = html::kNoNode;
  };

  void enter(Region& region, html::NodeId node) const {
    if (region.inside) return;
    region = {true, html::next_after(document_, node, document_.root())};
    // The pass visits metadata candidates only, so it may not visit the node after the region: use the next
    // node that it visits.
    while (region.after != html::kNoNode && !is_metadata_candidate(document_, region.after))
      region.after = html::next_in_order(document_, region.after, document_.root());
  }

  void leave_regions(html::NodeId node) {
    if (outside_.after == node) outside_.inside = false;
    if (article_.after == node) article_.inside = false;
  }

  void visit(const MetadataCandidate& element) {
    const html::NodeId node = element.node;
    leave_regions(node);
    const html::Name name = document_.name(node);
    const MetadataRole role = html::element_traits(name).metadata;
    if (role == MetadataRole::data) {
      visit_data(element, name);
    } else if (in_body_) {
      order_ = element.visible_elements - before_body_;
      visit_visible(node, name, role);
    }
  }

  void visit_data(const MetadataCandidate& element, html::Name name) {
    const html::NodeId node = element.node;
    switch (name) {
      case html::Name::meta: visit_meta(node); return;
      case html::Name::link: visit_link(node); return;
      case html::Name::script: visit_script(node); return;
      case html::Name::title:
        if (sources_.title == html::kNoNode && document_.is_html(node, html::Name::title))
          sources_.title = node;
        return;
      case html::Name::base:
        if (!sources_.base) sources_.base = document_.attribute(node, html::Name::href);
        return;
      case html::Name::html: visit_html(node); return;
      case html::Name::body:  // not a candidate itself: its classes describe the whole page
        if (!in_body_) before_body_ = element.visible_elements;
        in_body_ = true;
        return;
      default: return;
    }
  }

  void visit_html(html::NodeId node) {
    sources_.html_language = document_.attribute(node, html::Name::lang);
    if (!sources_.html_language) sources_.html_language = document_.attribute(node, html::Name::xml_lang);
    if (!sources_.html_language) sources_.html_language = document_.attribute(node, "xml:lang");
  }

  void visit_meta(html::NodeId node) {
    std::string_view content;
    std::array<std::string_view, 3> names;
    std::string_view item;
    for (const html::Attribute& attribute : document_.attributes(node)) {
      switch (attribute.name) {
        case html::Name::content: content = document_.value(attribute); break;
        case html::Name::property: names[0] = document_.value(attribute); break;
        case html::Name::name: names[1] = document_.value(attribute); break;
        case html::Name::http_equiv: names[2] = document_.value(attribute); break;
        case html::Name::itemprop: item = document_.value(attribute); break;
        default: break;
      }
    }
    content = text::trim_space(content);
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

  void visit_link(html::NodeId node) {
    const auto rel = document_.attribute(node, html::Name::rel);
    const auto href = document_.attribute(node, html::Name::href);
    if (!rel || !href) return;
    if (!sources_.canonical && text::has_word(*rel, "canonical", text::TextCase::ignore))
      sources_.canonical = *href;
  }

  void visit_script(html::NodeId node) {
    const auto type = document_.attribute(node, html::Name::type);
    const html::NodeId text = document_.first_child(node);
    if (!type || text == html::kNoNode || document_.kind(text) != html::NodeKind::text) return;
    const std::string_view kind = text::trim_space(*type);
    if (kind.starts_with("application/ld+json")) add(sources_.json_ld, kScripts, document_.text(text));
    if (kind == "application/json") add(sources_.json_states, kStates, document_.text(text));
  }

  void visit_visible(html::NodeId node, html::Name name, MetadataRole role) {
    // An element with the headline is not a sidebar, even if its class says so.
    if (name == html::Name::h1) outside_.inside = false;
    if (outside_.inside || document_.ns(node) != html::Namespace::html) return;
    const auto attributes = document_.attributes(node);
    if (role != MetadataRole::plain || !lack_metadata(attributes))
      read_attributes(node, name, role, attributes);
  }

  void read_attributes(html::NodeId node, html::Name name, MetadataRole role,
                       std::span<const html::Attribute> attributes) {
    // Branch-free: which attributes an element has is unpredictable.
    std::array<const html::Attribute*, kAttributeUses> found{};
    for (const html::Attribute& attribute : attributes)
      found[static_cast<std::size_t>(use_of(attribute.name))] = &attribute;
    const auto value_of = [&](AttributeUse what) {
      const html::Attribute* const attribute = found[static_cast<std::size_t>(what)];
      return attribute == nullptr ? std::string_view() : document_.value(*attribute);
    };
    // Ids are unique, so caching them would be useless.
    const std::string_view id = value_of(AttributeUse::id);
    const std::uint32_t signs =
        signs_of(value_of(AttributeUse::class_name)) | (id.empty() ? 0 : read_signs(id));
    const std::string_view items = value_of(AttributeUse::item);
    const bool author_link =
        text::has_word(value_of(AttributeUse::relation), "author", text::TextCase::ignore);
    if (role == MetadataRole::plain && signs == 0 && items.empty() && !author_link) return;
    if (name == html::Name::article) enter(article_, node);
    if (is_outside(node, name, signs)) {
      enter(outside_, node);
      return;
    }
    if (name >= html::Name::h1 && name <= html::Name::h6)
      add(sources_.headings, kCandidates, {node, order_, signs});
    if (!items.empty()) add_items(items, node, signs);
    add_candidate(node, name, signs, author_link);
  }

  /// Whether the attributes have no metadata: most have no use, or are classes without signs.
  bool lack_metadata(std::span<const html::Attribute> attributes) {
    const html::Attribute* named = nullptr;
    bool others = false;
    for (const html::Attribute& attribute : attributes) {
      const AttributeUse use = use_of(attribute.name);
      named = use == AttributeUse::class_name ? &attribute : named;
      others = others | (use > AttributeUse::class_name);
    }
    return !others && (named == nullptr || signs_of(document_.value(*named)) == 0);
  }

  [[nodiscard]] std::uint32_t read_signs(std::string_view value) const {
    return class_signs(document_.padded(value).prefix(kClassBytes));
  }

  /// The same with a cache, because the elements of a page share few classes.
  std::uint32_t signs_of(std::string_view value) {
    value = value.substr(0, kClassBytes);
    if (value.size() < 2) return 0;
    const std::uint64_t hash = text::hash_text(value);
    KnownClass& known = known_classes_[hash % known_classes_.size()];
    if (known.hash != hash) known = {hash, read_signs(value)};
    return known.signs;
  }

  [[nodiscard]] bool is_outside(html::NodeId node, html::Name name, std::uint32_t signs) const {
    if (name == html::Name::nav) return true;
    // Footers and asides of an article have its date and author; those of the page have other things.
    if (name == html::Name::footer || name == html::Name::aside) return !article_.inside;
    if (name == html::Name::article || name == html::Name::main) return false;
    if ((signs & (kAuthorSign | kBylineSign | kDateSign | kMetaSign)) != 0) return false;
    if ((signs & kCommentSign) != 0) return true;
    return (signs & kAsideSign) != 0 && !is_most_of_page(node);
  }

  /// Whether an element has more than half of the page. Class names of such wrappers only mention what is
  /// inside: "layout-with-sidebar".
  [[nodiscard]] bool is_most_of_page(html::NodeId node) const {
    const html::NodeId after = html::next_after(document_, node, document_.root());
    const std::size_t end =
        after == html::kNoNode ? document_.input().size() : document_.source_offset(after);
    const std::size_t begin = document_.source_offset(node);
    return end > begin && end - begin > document_.input().size() / 2;
  }

  void add_items(std::string_view names, html::NodeId node, std::uint32_t signs) {
    // RDFa writes schema:author.
    if (const std::size_t colon = names.find(':'); colon != std::string_view::npos)
      names.remove_prefix(colon + 1);
    while (!names.empty()) {
      names = text::trim_space(names);
      const std::string_view name = names.substr(0, names.find(' '));
      names.remove_prefix(name.size());
      if (const auto field = find_item_name(name))
        add(sources_.items[static_cast<std::size_t>(*field)], kCandidates, {node, order_, signs});
    }
  }

  void add_candidate(html::NodeId node, html::Name name, std::uint32_t signs, bool author_link) {
    const Candidate candidate{node, order_, signs};
    if (author_link) add(sources_.author_links, kCandidates, candidate);
    if (name == html::Name::time) {
      add(sources_.times, kCandidates, candidate);
      return;
    }
    if ((signs & (kDateSign | kPublishedSign | kModifiedSign)) != 0)
      add(sources_.dates, kCandidates, candidate);
    if ((signs & (kAuthorSign | kBylineSign)) != 0) add(sources_.bylines, kCandidates, candidate);
  }

  // Identified by hash alone: collisions harm only the page that makes them.
  struct KnownClass {
    std::uint64_t hash = 0;
    std::uint32_t signs = 0;
  };

  const html::Document& document_;
  const PageOutline& outline_;
  MetadataSources sources_;
  std::array<KnownClass, 256> known_classes_{};
  Region outside_;
  Region article_;
  std::uint32_t before_body_ = 0;  // number of visible elements before the body
  std::uint32_t order_ = 0;        // of the current element
  bool in_body_ = false;
};

}  // namespace

MetadataSources collect_sources(const html::Document& document, const PageOutline& outline) {
  return Collector(document, outline).run();
}

namespace {

/// Whether a text begins with a date in parentheses: "(15 March 2021) In the beginning".
bool is_dateline(std::string_view text) {
  text = text::trim_space(text.substr(0, kDateLineBytes));
  return text.size() > 1 && text[0] == '(' && base::is_digit(text[1]) && has_date_digits(text);
}

bool is_dated_line(const html::Document& document, html::NodeId node) {
  const std::string_view text = document.text(node);
  if (text.size() < kMinDateLength) return false;
  if (text.size() > kDateLineBytes) return is_dateline(text);
  return text::scan::has_two_digits(document.padded(text)) && has_date_digits(text);
}

}  // namespace

/// Scans the places of the outline in the order in which the nodes were created. A walk over the tree would
/// cost more than everything else here, and the orders differ only on malformed pages.
std::vector<html::NodeId> find_dated_lines(const html::Document& document, const PageOutline& outline) {
  constexpr std::uint32_t kMinDigits = 2;
  std::vector<html::NodeId> lines;
  // Indexed by place (PageOutline::places()), which is 0 or less for nodes that are not in a run. A table,
  // because branches on the kind of node would be unpredictable.
  std::vector<std::uint8_t> may_be_dated(outline.runs().size() + 1);
  for (std::size_t i = 0; i + 1 < may_be_dated.size(); ++i)
    may_be_dated[i + 1] = outline.runs()[i].digits >= kMinDigits ? 1 : 0;
  const auto places = outline.places();
  for (html::NodeId node = 0; node < places.size(); ++node) {
    if (may_be_dated[static_cast<std::size_t>(std::max(places[node], 0))] == 0) continue;
    if (!is_dated_line(document, node)) continue;
    lines.push_back(node);
    if (lines.size() == kDatedLines) break;
  }
  return lines;
}

}  // namespace sheaf::extract
