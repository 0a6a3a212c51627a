#include "sheaf/html/tree_dump.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::html {
namespace {

class Dumper {
 public:
  explicit Dumper(const Document& document) : document_(document) {}

  std::string run() {
    const NodeId root = document_.root();
    std::size_t depth = 0;
    for (NodeId node = document_.first_child(root); node != kNoNode;) {
      line(node, depth);
      if (document_.first_child(node) != kNoNode) {
        node = document_.first_child(node);
        ++depth;
        continue;
      }
      while (node != root && document_.next(node) == kNoNode) {
        node = document_.parent(node);
        --depth;
      }
      node = node == root ? kNoNode : document_.next(node);
    }
    return std::move(out_);
  }

 private:
  void indent(std::size_t depth) {
    out_ += "| ";
    out_.append(depth * 2, ' ');
  }

  void line(NodeId node, std::size_t depth) {
    indent(depth);
    switch (document_.kind(node)) {
      case NodeKind::document: break;
      case NodeKind::doctype: doctype(node); break;
      case NodeKind::text: out_.append("\"").append(document_.text(node)).append("\""); break;
      case NodeKind::comment: out_.append("<!-- ").append(document_.text(node)).append(" -->"); break;
      case NodeKind::fragment: out_ += "content"; break;
      case NodeKind::element: element(node, depth); return;
    }
    out_ += '\n';
  }

  void doctype(NodeId node) {
    const Doctype doctype = document_.doctype(node);
    out_.append("<!DOCTYPE ").append(doctype.name);
    const std::string_view public_id = doctype.public_id.value_or("");
    const std::string_view system_id = doctype.system_id.value_or("");
    if (!public_id.empty() || !system_id.empty())
      out_.append(" \"").append(public_id).append("\" \"").append(system_id).append("\"");
    out_ += '>';
  }

  void element(NodeId node, std::size_t depth) {
    constexpr std::string_view prefixes[] = {"", "svg ", "math "};
    out_.append("<").append(prefixes[static_cast<std::size_t>(document_.ns(node))]);
    out_.append(document_.name_text(node)).append(">\n");
    std::vector<std::pair<std::string, std::string_view>> sorted;
    for (const Attribute& attribute : document_.attributes(node))
      sorted.emplace_back(attribute_name(attribute), document_.value(attribute));
    std::ranges::sort(sorted);
    for (const auto& [name, value] : sorted) {
      indent(depth + 1);
      out_.append(name).append("=\"").append(value).append("\"\n");
    }
  }

  // Returns `xlink href` for an attribute in a namespace, to distinguish it from `xlink:href` without one.
  std::string attribute_name(const Attribute& attribute) const {
    std::string name(document_.names().text(attribute.name));
    if (attribute.ns == AttributeNamespace::none) return name;
    const std::size_t colon = name.find(':');
    if (colon == std::string::npos) return "xmlns " + name;
    name[colon] = ' ';
    return name;
  }

  const Document& document_;
  std::string out_;
};

}  // namespace

std::string dump_tree(const Document& document) { return Dumper(document).run(); }

}  // namespace sheaf::html
