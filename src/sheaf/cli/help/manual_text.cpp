#include "sheaf/cli/help/manual_text.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace sheaf::cli {
namespace {

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct FreeParser {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
};
struct FreeIterator {
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
};
using Tree = std::unique_ptr<cmark_node, FreeNode>;
using Iterator = std::unique_ptr<cmark_iter, FreeIterator>;

Tree parse(std::string_view text) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, FreeParser> parser(cmark_parser_new(CMARK_OPT_DEFAULT));
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), text.data(), text.size());
  return Tree(cmark_parser_finish(parser.get()));
}

bool is_kind(cmark_node* node, const char* name) {
  return std::strcmp(cmark_node_get_type_string(node), name) == 0;
}

std::vector<cmark_node*> nodes_below(cmark_node* root) {
  std::vector<cmark_node*> nodes;
  const Iterator iterator(cmark_iter_new(root));
  for (cmark_event_type event = cmark_iter_next(iterator.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(iterator.get())) {
    if (event == CMARK_EVENT_ENTER) nodes.push_back(cmark_iter_get_node(iterator.get()));
  }
  return nodes;
}

std::string plain_text(cmark_node* root) {
  std::string text;
  for (cmark_node* node : nodes_below(root)) {
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) text += cmark_node_get_literal(node);
    if (type == CMARK_NODE_SOFTBREAK) text += ' ';
  }
  return text;
}

/// Turns a table into a list: the first column is the term, the others explain it. The heading row is
/// dropped.
std::string roff_of_table(cmark_node* table) {
  std::string text;
  for (cmark_node* row = cmark_node_next(cmark_node_first_child(table)); row != nullptr;
       row = cmark_node_next(row)) {
    cmark_node* cell = cmark_node_first_child(row);
    text += ".TP\n.B " + roff(plain_text(cell)) + "\n";
    std::string rest;
    for (cell = cmark_node_next(cell); cell != nullptr; cell = cmark_node_next(cell))
      rest += (rest.empty() ? "" : "; ") + plain_text(cell);
    text += roff(rest) + "\n";
  }
  return text + ".PP\n";
}

void put_instead(cmark_node* node, cmark_node_type type, const std::string& text) {
  cmark_node* own = cmark_node_new(type);
  cmark_node_set_on_enter(own, text.c_str());
  cmark_node_replace(node, own);
  cmark_node_free(node);
}

/// Replaces a relative link with its text, because the link leads nowhere in a manual page.
void put_words_instead(cmark_node* link) {
  while (cmark_node* child = cmark_node_first_child(link)) cmark_node_insert_before(link, child);
  cmark_node_unlink(link);
  cmark_node_free(link);
}

/// Replaces nodes for which cmark would use typesetter fonts, which terminals do not have.
void prepare(cmark_node* root) {
  for (cmark_node* node : nodes_below(root)) {
    if (is_kind(node, "table")) {
      const std::string text = roff_of_table(node);
      put_instead(node, CMARK_NODE_CUSTOM_BLOCK, text);
      return prepare(root);  // the list of nodes is out of date
    }
  }
  for (cmark_node* node : nodes_below(root)) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_CODE_BLOCK:
        put_instead(node, CMARK_NODE_CUSTOM_BLOCK, roff_lines(cmark_node_get_literal(node)));
        break;
      case CMARK_NODE_CODE:
        put_instead(node, CMARK_NODE_CUSTOM_INLINE, "\\fB" + roff(cmark_node_get_literal(node)) + "\\fR");
        break;
      case CMARK_NODE_LINK:
        if (std::strstr(cmark_node_get_url(node), "://") == nullptr) put_words_instead(node);
        break;
      default: break;
    }
  }
}

}  // namespace

std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string roff_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return ".PP\n.RS 4\n.nf\n" + roff(text) + "\n.fi\n.RE\n.PP\n";
}

std::string roff_from_markdown(std::string_view text) {
  const Tree tree = parse(text);
  prepare(tree.get());
  const std::unique_ptr<char, decltype(&std::free)> rendered(
      cmark_render_man(tree.get(), CMARK_OPT_DEFAULT, 0), &std::free);
  return rendered.get();
}

std::vector<PagePart> split_page(std::string_view page) {
  std::vector<PagePart> parts(1);
  bool in_code = false;
  bool is_generated = false;  // within a generated part
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size() - 1);
    const std::string_view line = page.substr(0, end + 1);
    page.remove_prefix(line.size());
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("<!-- ")) {
      is_generated = !line.starts_with("<!-- /");
    } else if (!in_code && line.starts_with("## ")) {
      parts.push_back({std::string(line.substr(3, line.size() - 4)), {}});
    } else if (!is_generated && (in_code || !line.starts_with("# "))) {
      parts.back().text += line;
    }
  }
  return parts;
}

}  // namespace sheaf::cli
