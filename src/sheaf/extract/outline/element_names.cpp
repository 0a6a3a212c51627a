#include "sheaf/extract/outline/element_names.h"

#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace sheaf::extract {
namespace {

bool is_unseen_style(std::string_view style) {
  // "display:none" with or without white space, in any case.
  constexpr std::string_view kWanted = "display:none";
  std::size_t matched = 0;
  for (const char c : style) {
    if (text::is_space(c)) continue;
    if (text::lower_ascii(c) == kWanted[matched]) {
      if (++matched == kWanted.size()) return true;
    } else {
      matched = text::lower_ascii(c) == kWanted[0] ? 1 : 0;
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
  if (role == "doc-endnotes" || role == "doc-footnote") return kHintFootnotes;
  if (role == "tabpanel") return kHintPanel;
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
  if (property == "offers" || property == "price" || property == "sku") return kHintProduct;
  if (property == "suggestedAnswer" || property == "acceptedAnswer") return kHintPost;
  if (property == "description" || property == "alternativeHeadline") return kHintLead;
  return 0;
}

/// The hints of an itemtype, by its last part: "https://schema.org/Comment".
std::uint32_t itemtype_hints(std::string_view type) {
  type = text::trim_space(type);
  type.remove_prefix(type.find_last_of("/:#") + 1);  // npos becomes 0
  if (type == "Comment" || type == "UserComments") return kHintComment;
  if (type == "DiscussionForumPosting" || type == "Question" || type == "Answer" || type == "QAPage")
    return kHintPost;
  if (type == "Review" || type == "AggregateRating") return kHintReview;
  if (type == "Product" || type == "Offer") return kHintProduct;
  if (type == "ItemList" || type == "CollectionPage") return kHintArchive;
  if (type == "SiteNavigationElement" || type == "BreadcrumbList") return kHintNavigation;
  if (type == "WPSideBar") return kHintSidebar;
  if (type == "WPFooter") return kHintFooter;
  return 0;
}

/// Whether a word of a class distinguishes an element from its siblings: by number, position, state or topic.
/// Switches on the first character, because most words are not in the list.
bool is_item_specific(std::string_view word) {
  switch (word.front()) {
    case 'o': return word == "odd";
    case 'e': return word == "even";
    case 'f': return word == "first";
    case 'l': return word == "last";
    case 'c': return word == "current" || word.starts_with("category-");
    case 't': return word.starts_with("tag-");
    case 'a': return word == "active" || word == "alt" || word.starts_with("author-");
    default: return false;
  }
}

}  // namespace

/// A hash of the words of a class that all items of a list share; 0 if there are none.
std::uint64_t ElementNames::shape_of(text::PaddedText names) const {
  std::uint64_t shape = 0;
  const char* const end = names.end();
  for (const char* at = names.begin(); at < end;) {
    const std::string_view word(at, text::scan::find_space(names, at));
    at += word.size() + 1;
    if (word.empty()) continue;
    if (!is_item_specific(word) && is_shared(word)) shape = text::mix_hash(shape, text::hash_text(word));
  }
  return shape;
}

/// Counts the class words of the page. A word that a single element has is about this element.
void ElementNames::start(const html::Document& document) {
  once_.fill(0);
  more_.fill(0);
  for (html::NodeId node = document.root(); node < document.size(); ++node) {
    if (!document.has_attributes(node, 1)) continue;
    const auto names = document.attribute(node, html::Name::class_);
    if (!names) continue;
    std::string_view rest = *names;
    for (std::string_view word = text::take_word(rest); !word.empty(); word = text::take_word(rest)) {
      const std::size_t bit = text::hash_text(word) % kWordBits;
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      more_[bit / 64] |= once_[bit / 64] & mask;
      once_[bit / 64] |= mask;
    }
  }
}

bool ElementNames::is_shared(std::string_view word) const {
  const std::size_t bit = text::hash_text(word) % kWordBits;
  return ((more_[bit / 64] >> (bit % 64)) & 1U) != 0;
}

ElementNames::Facts ElementNames::read(const html::Document& document, html::NodeId element) {
  Facts facts;
  for (const html::Attribute& attribute : document.attributes(element)) {
    const std::string_view value = document.value(attribute);
    switch (attribute.name) {
      case html::Name::class_: {
        const Known& known = look_up(document.padded(value));
        facts.class_hash = known.shape;
        facts.class_hints |= known.hints;
      } break;
      case html::Name::id:  // unique: not worth caching
        facts.hints |= name_hints(document.padded(value));
        break;
      case html::Name::role: facts.hints |= role_hints(value); break;
      case html::Name::itemtype: facts.hints |= itemtype_hints(value); break;
      case html::Name::itemprop: facts.hints |= itemprop_hints(value); break;
      case html::Name::hidden: facts.hints |= kHintHidden; break;
      case html::Name::aria_hidden:
        if (value == "true") facts.hints |= kHintHidden;
        break;
      case html::Name::style:
        if (is_unseen_style(value)) facts.hints |= kHintHidden;
        break;
      default: break;
    }
  }
  return facts;
}

const ElementNames::Known& ElementNames::look_up(text::PaddedText names) {
  const std::uint64_t hash = text::hash_text(names);
  Known& known = known_[hash % known_.size()];
  if (known.hash != hash) known = {hash, shape_of(names), name_hints(names)};
  return known;
}

bool names_manual_generator(const html::Document& document) {
  constexpr std::string_view kGenerators[] = {"sphinx",  "docutils", "mkdocs",   "docusaurus", "rustdoc",
                                              "doxygen", "mdbook",   "asciidoc", "docbook",    "mediawiki",
                                              "gitbook", "javadoc",  "texinfo",  "pandoc",     "dokuwiki",
                                              "gtk-doc", "groff",    "mandoc",   "vuepress",   "vitepress"};
  const html::NodeId head = html::find_first(document, document.root(), html::Name::head);
  for (html::NodeId node = head == html::kNoNode ? html::kNoNode : document.first_child(head);
       node != html::kNoNode; node = document.next(node)) {
    if (!document.is_html(node, html::Name::meta)) continue;
    if (!text::equal_text(document.attribute(node, html::Name::name).value_or(""), "generator",
                          text::TextCase::ignore))
      continue;
    std::string content(document.attribute(node, html::Name::content).value_or("").substr(0, 200));
    std::ranges::transform(content, content.begin(), text::lower_ascii);
    if (std::ranges::any_of(kGenerators,
                            [&](std::string_view name) { return content.find(name) != std::string::npos; }))
      return true;
  }
  return false;
}

}  // namespace sheaf::extract
