// Tab panels, of which a page shows one at a time. All of them are written in order, each after its label.
#include "sheaf/extract/blocks/block_tabs.h"

#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/extract/blocks/block_walker.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxTabs = 64;          // longer lists are menus
constexpr std::size_t kMaxLabelLength = 256;  // bytes; a longer label contains its panel

std::string_view class_of(const html::Document& document, html::NodeId element) {
  return document.attribute(element, html::Name::class_).value_or("");
}

bool is_in_code_group(const html::Document& document, html::NodeId element) {
  return html::has_class(document, document.parent(element), "vp-code-group");
}

bool is_tab(const html::Document& document, html::NodeId node) {
  if (document.name(node) == html::Name::label) return true;
  const auto role = document.attribute(node, html::Name::role);
  return role && text::trim_space(*role) == "tab";
}

}  // namespace

bool is_tab_list(const html::Document& document, html::NodeId element) {
  return document.attribute(element, html::Name::role) == "tablist" ||
         has_tab_list_class(document, element, class_of(document, element));
}

bool has_tab_list_class(const html::Document& document, html::NodeId element, std::string_view classes) {
  if (classes.empty() || classes.front() != 't') return false;
  return classes.starts_with("tabbed-labels") || (classes == "tabs" && is_in_code_group(document, element));
}

bool has_tab_panel_class(const html::Document& document, html::NodeId element, std::string_view classes) {
  if (classes == "tabbed-block") return true;
  if (!classes.starts_with("language-")) return false;
  const html::NodeId blocks = document.parent(element);
  return class_of(document, blocks) == "blocks" && is_in_code_group(document, blocks);
}

/// Stores the labels of a list of tabs until their panels follow. Returns false if the element contains more
/// than labels: an accordion has its panels inside and is read like any other part of the page.
bool BlockWalker::read_tab_list(html::NodeId list) {
  TabSet set;
  html::NodeId node = html::next_in_order(*document_, list, list);
  while (node != html::kNoNode) {
    ++steps_;
    const bool is_label = document_->is_element(node) && is_tab(*document_, node);
    const bool is_text = document_->kind(node) == html::NodeKind::text;
    if (is_text && !trim_blank(document_->text(node)).empty()) return false;
    if (is_label) {
      std::string text;
      html::append_text_content(*document_, node, text);
      if (text.size() > kMaxLabelLength || set.labels.size() == kMaxTabs) return false;
      collapse_space(text, scratch_);
      set.labels.push_back(scratch_);
    }
    node = is_label ? html::next_after(*document_, node, list) : html::next_in_order(*document_, node, list);
  }
  if (!set.labels.empty()) tab_sets_.push_back(std::move(set));
  return true;
}

void BlockWalker::begin_tab_panel(html::NodeId panel) {
  if (tab_sets_.empty()) return;
  TabSet& set = tab_sets_.back();
  const std::string label = std::move(set.labels[set.next++]);
  if (set.next == set.labels.size()) tab_sets_.pop_back();
  if (!content_->kept(panel)) return;
  boundary();
  add_inline(label);
  boundary();
}

}  // namespace sheaf::extract
