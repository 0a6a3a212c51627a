// Any bytes parse, in every mode, and what comes out holds together:
// - links of the tree agree with one another, and every node is reached once;
// - texts and attribute values lie in the input or in the document's own text;
// - the work is linear in the input;
// - a tree free of what the standard names as exceptions comes back from its own serialisation.
// The first byte chooses scripting, fragment context and limits.
#include "fuzz_support.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/selector.h"
#include "sheaf/html/serialize.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sheaf::html;
using sheaf::fuzz::inside;
using sheaf::fuzz::require;

void check_views(const Document& document, NodeId node) {
  const auto check = [&](std::string_view text) {
    require(inside(text, document.input()) || inside(text, document.own_text()), "a view lies outside");
  };
  check(document.text(node));
  for (const Attribute& attribute : document.attributes(node)) check(document.value(attribute));
}

void check_links(const Document& document) {
  std::vector<bool> reached(document.size());
  std::vector<NodeId> todo = {kDocumentNode};
  while (!todo.empty()) {
    const NodeId node = todo.back();
    todo.pop_back();
    require(!reached[node], "a node is reached twice");
    reached[node] = true;
    check_views(document, node);
    NodeId before = kNoNode;
    for (NodeId child = document.first_child(node); child != kNoNode; child = document.next(child)) {
      require(document.parent(child) == node, "a child has another parent");
      require(document.previous(child) == before, "previous and next disagree");
      before = child;
      todo.push_back(child);
    }
    require(document.last_child(node) == before, "the last child is another");
  }
}

// The walk of dom.h reaches every element that is not inside a template.
void check_walk(const Document& document) {
  static const Selector every = Selector::compile("*").value();
  std::size_t walked = 0;
  for (const NodeId node : Descendants(document, document.root())) {
    require(node < document.size(), "the walk leaves the document");
    walked += document.is_element(node) ? 1 : 0;
  }
  require(every.all(document, document.root()).size() == walked, "'*' matches another number of elements");
}

// Elements without rules of their own about where they may stand: these nest in any order and come back the
// same.
bool is_plain_element(Name name) {
  switch (name) {
    case Name::html:
    case Name::head:
    case Name::body:
    case Name::title:
    case Name::meta:
    case Name::link:
    case Name::style:
    case Name::div:
    case Name::section:
    case Name::article:
    case Name::main:
    case Name::nav:
    case Name::ul:
    case Name::ol:
    case Name::blockquote:
    case Name::figure:
    case Name::span:
    case Name::abbr:
    case Name::q:
    case Name::img:
    case Name::br:
    case Name::wbr: return true;
    default: return name > kLastKnownElement;
  }
}

bool is_plain_input(std::string_view text) { return text.find('\r') == std::string_view::npos; }

bool is_plain_comment(std::string_view text) {
  return is_plain_input(text) && text.find("--") == std::string_view::npos && !text.starts_with('>') &&
         !text.starts_with('-') && !text.ends_with('-') && !text.ends_with("<!");
}

bool is_plain(const Document& document) {
  for (const NodeId node : Descendants(document, kDocumentNode)) {
    switch (document.kind(node)) {
      case NodeKind::text:
        if (!is_plain_input(document.text(node))) return false;
        break;
      case NodeKind::comment:
        if (!is_plain_comment(document.text(node))) return false;
        break;
      case NodeKind::doctype: {
        // Only the name is serialised.
        const Doctype doctype = document.doctype(node);
        if (doctype.public_id || doctype.system_id || doctype.name.empty()) return false;
        break;
      }
      case NodeKind::element:
        if (document.ns(node) != Namespace::html || !is_plain_element(document.name(node))) return false;
        for (const Attribute& attribute : document.attributes(node))
          if (!is_plain_input(document.value(attribute))) return false;
        break;
      case NodeKind::document:
      case NodeKind::fragment: return false;
    }
  }
  return true;
}

void check_round_trip(const Document& document, const ParseOptions& options) {
  if (!is_plain(document)) return;
  const std::string html = serialize(document, options.scripting);
  Document again;
  parse(html, options, again);
  require(dump_tree(again) == dump_tree(document), "the serialised tree parses to another one");
}

ParseOptions options_for(std::uint8_t choice) {
  constexpr FragmentContext contexts[] = {{.name = "div"},
                                          {.name = "table"},
                                          {.name = "tr"},
                                          {.name = "td"},
                                          {.name = "template"},
                                          {.name = "select"},
                                          {.name = "form"},
                                          {.name = "title"},
                                          {.name = "script"},
                                          {.name = "frameset"},
                                          {.name = "html"},
                                          {.name = "colgroup"},
                                          {.name = "svg", .ns = Namespace::svg},
                                          {.name = "foreignObject", .ns = Namespace::svg},
                                          {.name = "mi", .ns = Namespace::mathml},
                                          {.name = "annotation-xml", .ns = Namespace::mathml}};
  ParseOptions options;
  if ((choice & 1) != 0) options.scripting = Scripting::on;
  if ((choice & 2) != 0) options.fragment = contexts[choice >> 4];
  if ((choice & 4) != 0) {
    options.limits.depth = 8;
    options.limits.nodes = 200;
    options.limits.attributes = 4;
    options.limits.formatting = 5;
  }
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ParseOptions options = options_for(data[0]);
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  static Document document;  // used again and again, as a crawler does
  const ParseResult result = parse(input, options, document);
  require(result.steps <= 64 + 4096 * (input.size() + 1), "more steps than the input allows");
  check_links(document);
  check_walk(document);
  const std::string html = serialize(document, options.scripting);
  if (!options.fragment && !result.limits.any()) check_round_trip(document, options);
  return 0;
}
