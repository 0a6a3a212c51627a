#include "sheaf/html/serialize.h"

#include "sheaf/html/element_table.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::html {
namespace {

bool holds_raw_text(Name name, Scripting scripting) {
  switch (name) {
    case Name::style:
    case Name::script:
    case Name::xmp:
    case Name::iframe:
    case Name::noembed:
    case Name::noframes:
    case Name::plaintext: return true;
    case Name::noscript: return scripting == Scripting::on;
    default: return false;
  }
}

class Serializer {
 public:
  Serializer(const Document& document, Scripting scripting) : document_(document), scripting_(scripting) {}

  std::string run() {
    const NodeId root = document_.root();
    for (NodeId node = document_.first_child(root); node != kNoNode;) {
      open(node);
      if (document_.first_child(node) != kNoNode) {
        node = document_.first_child(node);
        continue;
      }
      close(node);
      while (node != root && document_.next(node) == kNoNode) {
        node = document_.parent(node);
        if (node != root) close(node);
      }
      node = node == root ? kNoNode : document_.next(node);
    }
    return std::move(out_);
  }

 private:
  void open(NodeId node) {
    switch (document_.kind(node)) {
      case NodeKind::text: text(node); break;
      case NodeKind::comment: out_.append("<!--").append(document_.text(node)).append("-->"); break;
      case NodeKind::doctype:
        out_.append("<!DOCTYPE ").append(document_.doctype(node).name).append(">");
        break;
      case NodeKind::element: start_tag(node); break;
      case NodeKind::document:
      case NodeKind::fragment: break;
    }
  }

  void start_tag(NodeId node) {
    out_.append("<").append(document_.name_text(node));
    for (const Attribute& attribute : document_.attributes(node)) {
      out_.append(" ").append(document_.names().text(attribute.name)).append("=\"");
      escape(document_.value(attribute), true);
      out_ += '"';
    }
    out_ += '>';
  }

  void close(NodeId node) {
    if (!document_.is_element(node)) return;
    if (document_.ns(node) == Namespace::html && element_traits(document_.name(node)).is_void) return;
    out_.append("</").append(document_.name_text(node)).append(">");
  }

  void text(NodeId node) {
    const NodeId parent = document_.parent(node);
    if (document_.is_element(parent) && document_.ns(parent) == Namespace::html &&
        holds_raw_text(document_.name(parent), scripting_)) {
      out_ += document_.text(node);
    } else {
      escape(document_.text(node), false);
    }
  }

  void escape(std::string_view text, bool in_attribute) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '&') {
        out_ += "&amp;";
      } else if (c == '<') {
        out_ += "&lt;";
      } else if (c == '>') {
        out_ += "&gt;";
      } else if (c == '"' && in_attribute) {
        out_ += "&quot;";
      } else if (c == '\xC2' && i + 1 < text.size() && text[i + 1] == '\xA0') {
        out_ += "&nbsp;";
        ++i;
      } else {
        out_ += c;
      }
    }
  }

  const Document& document_;
  Scripting scripting_;
  std::string out_;
};

}  // namespace

std::string serialize(const Document& document, Scripting scripting) {
  return Serializer(document, scripting).run();
}

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
