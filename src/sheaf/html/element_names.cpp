#include "sheaf/html/element_names.h"

#include "sheaf/html/hint_words.h"
#include "sheaf/html/query.h"
#include "sheaf/html/text_compare.h"
#include "sheaf/html/text_hash.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace sheaf::html {
namespace {

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
  if (role == "doc-endnotes" || role == "doc-footnote") return kHintFootnotes;
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

}  // namespace

ElementNames::Said ElementNames::read(const Document& document, NodeId element) {
  Said said;
  for (const Attribute& attribute : document.attributes(element)) {
    const std::string_view value = document.value(attribute);
    switch (attribute.name) {
      case Name::class_:
        said.class_hash = hash_text(value);
        said.hints |= hints_of(value, document.readable_end(value), said.class_hash);
        break;
      case Name::id:  // each has its own: nothing to remember
        said.hints |= name_hints(value, document.readable_end(value));
        break;
      case Name::role: said.hints |= role_hints(value); break;
      case Name::itemprop: said.hints |= itemprop_hints(value); break;
      case Name::hidden: said.hints |= kHintHidden; break;
      case Name::aria_hidden:
        if (value == "true") said.hints |= kHintHidden;
        break;
      case Name::style:
        if (is_unseen_style(value)) said.hints |= kHintHidden;
        break;
      default: break;
    }
  }
  return said;
}

std::uint32_t ElementNames::hints_of(std::string_view value, const char* readable_end, std::uint64_t hash) {
  Known& known = known_[hash % known_.size()];
  if (known.hash != hash) known = {hash, name_hints(value, readable_end)};
  return known.hints;
}

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

}  // namespace sheaf::html
