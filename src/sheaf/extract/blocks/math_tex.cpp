#include "sheaf/extract/blocks/math_tex.h"

#include "sheaf/base/code_points.h"
#include "sheaf/extract/blocks/math_symbols.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {
namespace {

constexpr unsigned kMaxMathDepth = 100;

/// Writes a tree of MathML nodes, in any of three forms: elements of MathML, elements of MathJax (`mjx-mi`),
/// or groups of its SVG (`data-mml-node="mi"`). The last two have further elements around nodes, for layout.
class FormulaWriter {
 public:
  explicit FormulaWriter(const html::Document& document) : document_(document) {}

  void write(html::NodeId node, std::string& out, unsigned depth = 0) {
    if (depth > kMaxMathDepth) return;
    const std::string_view kind = kind_of(node);
    if (kind == "mi" || kind == "mn" || kind == "mo" || kind == "mtext" || kind == "ms")
      return write_token(node, kind, out);
    if (kind == "mphantom" || kind.starts_with("annotation") || kind == "none" || kind == "mprescripts")
      return;
    std::vector<Part> parts = parts_of(node);
    if (kind == "msqrt" || kind == "mroot")  // MathJax draws the sign as well
      std::erase_if(parts, [this](const Part& part) {
        return kind_of(part.node) == "mo" && token_text(part.node) == "\u221A";
      });
    if (kind == "mspace") {
      if (document_.attribute(node, html::Name::width).value_or("").find("1em") != std::string_view::npos)
        append_tex(out, "\u2003");
      return;
    }
    if (kind == "semantics") {
      if (!parts.empty()) write(parts.front().node, out, depth + 1);
      return;
    }
    if (kind == "mfrac" && parts.size() == 2) {
      const std::string_view line = document_.attribute(node, "linethickness").value_or("1");
      out += line == "0" || line == "0px" || line == "0em" ? "\\binom" : "\\frac";
      write_argument(parts[0].node, out, depth, true);
      return write_argument(parts[1].node, out, depth, true);
    }
    if (kind == "msqrt") {
      out += "\\sqrt{";
      write_all(parts, out, depth);
      out += '}';
      return;
    }
    if (kind == "mroot" && parts.size() == 2) {
      const bool index_first = parts[0].role == Role::root;
      out += "\\sqrt[";
      write(parts[index_first ? 0 : 1].node, out, depth + 1);
      out += "]";
      return write_argument(parts[index_first ? 1 : 0].node, out, depth, true);
    }
    if (kind.starts_with("msu") || kind == "munder" || kind == "mover" || kind == "munderover")
      return write_scripts(kind, parts, out, depth);
    if (kind == "mmultiscripts") return write_multiscripts(parts, out, depth);
    if (kind == "mtable") return write_table(parts, "matrix", out, depth);
    if (kind == "mfenced") return write_fenced(node, parts, out, depth);
    write_row(parts, out, depth);
  }

 private:
  enum class Role : std::uint8_t { none, base, over, under, script, root };
  struct Part {
    html::NodeId node = html::kNoNode;
    Role role = Role::none;
  };

  /// The kind of MathML node that an element is; empty for an element of the layout.
  [[nodiscard]] std::string_view kind_of(html::NodeId node) const {
    const std::string_view name = document_.name_text(node);
    if (document_.ns(node) == html::Namespace::mathml) return name;
    if (document_.ns(node) == html::Namespace::svg)
      return document_.attribute(node, "data-mml-node").value_or("");
    if (name.starts_with("mjx-m") || name == "mjx-texatom") return name.substr(4);
    return {};
  }

  static Role role_of(std::string_view name, Role outer) {
    if (name == "mjx-base") return Role::base;
    if (name == "mjx-over") return Role::over;
    if (name == "mjx-under") return Role::under;
    if (name == "mjx-script") return Role::script;
    if (name == "mjx-root") return Role::root;
    return outer;
  }

  /// The nodes of the formula inside a node, without the layout around them.
  [[nodiscard]] std::vector<Part> parts_of(html::NodeId node) const {
    std::vector<Part> parts;
    add_parts(node, Role::none, parts, 0);
    return parts;
  }
  void add_parts(html::NodeId node, Role role, std::vector<Part>& parts, unsigned depth) const {
    if (depth > 16) return;
    for (html::NodeId child = document_.first_child(node); child != html::kNoNode;
         child = document_.next(child)) {
      if (!document_.is_element(child)) continue;
      const std::string_view name = document_.name_text(child);
      if (name == "mjx-surd" || name == "mjx-assistive-mml") continue;
      // MathJax nests a part above into the part below.
      const bool nested = !kind_of(node).empty() && kind_of(node) == "munderover" &&
                          kind_of(child) == "munder" && name.starts_with("mjx-");
      if (kind_of(child).empty() || nested) {
        add_parts(child, role_of(name, role), parts, depth + 1);
      } else {
        parts.push_back({child, role});
      }
    }
  }

  /// The characters of a token. MathJax has their code points as class names, `mjx-c1D465`, or in its SVG as
  /// attributes.
  [[nodiscard]] std::string token_text(html::NodeId token) const {
    std::string text;
    for (const html::NodeId node : html::Descendants(document_, token)) {
      if (document_.kind(node) == html::NodeKind::text) text += document_.text(node);
      if (!document_.is_element(node)) continue;
      std::string_view code = document_.attribute(node, "data-c").value_or("");
      std::string_view classes = document_.attribute(node, html::Name::class_).value_or("");
      if (const std::string_view word = text::take_word(classes);
          word.starts_with("mjx-c") && document_.name_text(node) == "mjx-c")
        code = word.substr(5);
      std::uint32_t value = 0;
      const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), value, 16);
      if (!code.empty() && error == std::errc() && value <= 0x10FFFF)
        base::append_utf8(text, static_cast<char32_t>(value));
    }
    return std::string(text::trim_space(text));
  }

  void write_token(html::NodeId token, std::string_view kind, std::string& out) const {
    const std::string text = token_text(token);
    if (text.empty()) return;
    if (kind == "mtext" || kind == "ms") {
      out.append("\\text{").append(text).append("}");
      return;
    }
    const bool letters = text.size() > 1 && std::ranges::all_of(text, base::is_letter);
    if (const std::string_view function = letters ? tex_function(text) : ""; !function.empty()) {
      out += function;
      return;
    }
    const std::string_view variant = document_.attribute(token, "mathvariant").value_or("");
    std::string_view style = style_of(variant);
    if (style.empty() && letters && kind != "mn") style = kind == "mo" ? "\\operatorname" : "\\mathrm";
    if (style.empty()) return append_tex(out, text);
    std::string inside;
    append_tex(inside, text);
    out.append(style).append("{").append(inside).append("}");
  }

  static std::string_view style_of(std::string_view variant) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kVariants = {
        {{"bold", "\\mathbf"},
         {"bold-italic", "\\boldsymbol"},
         {"double-struck", "\\mathbb"},
         {"fraktur", "\\mathfrak"},
         {"monospace", "\\mathtt"},
         {"sans-serif", "\\mathsf"},
         {"script", "\\mathcal"},
         {"-tex-calligraphic", "\\mathcal"}}};
    const auto* const found =
        std::ranges::find(kVariants, variant, &std::pair<std::string_view, std::string_view>::first);
    return found == kVariants.end() ? std::string_view() : found->second;
  }

  void write_all(const std::vector<Part>& parts, std::string& out, unsigned depth) {
    for (const Part& part : parts) {
      std::string piece;
      write(part.node, piece, depth + 1);
      // Parts a letter from the command before it.
      if (!piece.empty() && base::is_letter(piece.front())) {
        append_tex(out, piece.substr(0, 1));
        piece.erase(0, 1);
      }
      out += piece;
    }
  }

  /// A row; brackets around a table or a binomial belong to it.
  void write_row(const std::vector<Part>& parts, std::string& out, unsigned depth) {
    if (parts.size() == 2 || parts.size() == 3) {
      const html::NodeId first = only_part(parts[0].node);
      const html::NodeId last = only_part(parts.back().node);
      const std::string open = kind_of(first) == "mo" ? token_text(first) : "";
      const html::NodeId middle = only_part(parts[1].node);
      const std::string close = parts.size() == 3 && kind_of(last) == "mo" ? token_text(last) : "";
      if (kind_of(middle) == "mtable") {
        const std::string_view name = open == "(" && close == ")"    ? "pmatrix"
                                      : open == "[" && close == "]"  ? "bmatrix"
                                      : open == "|" && close == "|"  ? "vmatrix"
                                      : open == "{" && close.empty() ? "cases"
                                                                     : "";
        if (!name.empty()) return write_table(parts_of(middle), name, out, depth);
      }
      if (kind_of(middle) == "mfrac" && open == "(" && close == ")" &&
          document_.attribute(middle, "linethickness").value_or("").starts_with('0'))
        return write(middle, out, depth + 1);
    }
    write_all(parts, out, depth);
  }

  /// The node inside rows that have nothing else.
  [[nodiscard]] html::NodeId only_part(html::NodeId node) const {
    for (int level = 0; level < 8; ++level) {
      const std::string_view kind = kind_of(node);
      if (kind != "mrow" && kind != "mstyle" && kind != "mpadded" && kind != "texatom" && kind != "TeXAtom")
        break;
      const std::vector<Part> parts = parts_of(node);
      if (parts.size() != 1) break;
      node = parts.front().node;
    }
    return node;
  }

  void write_argument(html::NodeId node, std::string& out, unsigned depth, bool braces) {
    std::string inside;
    write(node, inside, depth + 1);
    if (braces) {
      out.append("{").append(inside).append("}");
    } else {
      append_tex_argument(out, inside);
    }
  }

  void write_scripts(std::string_view kind, std::vector<Part> parts, std::string& out, unsigned depth) {
    if (parts.size() < 2) return write_all(parts, out, depth);
    // In MathJax's elements the base may follow; both of a pair of scripts are in one element, the upper
    // first.
    const auto base = std::ranges::find(parts, Role::base, &Part::role);
    if (base != parts.end()) std::rotate(parts.begin(), base, base + 1);
    const bool two = kind == "msubsup" || kind == "munderover";
    html::NodeId below = two || kind == "msub" || kind == "munder" ? parts[1].node : html::kNoNode;
    html::NodeId above = two                      ? (parts.size() > 2 ? parts[2].node : html::kNoNode)
                         : below == html::kNoNode ? parts[1].node
                                                  : html::kNoNode;
    if (two && (parts[1].role == Role::script || parts[1].role == Role::over || upper_first(parts)))
      std::swap(below, above);
    const bool is_accent = kind.starts_with("mu") || kind.starts_with("mo");
    const html::NodeId only = two ? html::kNoNode : parts[1].node;
    std::string inside;
    write(parts.front().node, inside, depth + 1);
    if (is_accent && only != html::kNoNode && kind_of(only_part(only)) == "mo") {
      const bool wide = inside.size() > 1 && inside.front() != '\\';
      const std::string_view accent = tex_accent(token_text(only_part(only)), above != html::kNoNode, wide);
      if (!accent.empty()) {
        out.append(accent).append("{").append(inside).append("}");
        return;
      }
    }
    out += inside;
    write_script_part('_', below, out, depth);
    write_script_part('^', above, out, depth);
  }

  /// Whether the SVG of MathJax has the upper script before the lower: of two groups, it is moved up.
  [[nodiscard]] bool upper_first(const std::vector<Part>& parts) const {
    if (parts.size() < 3 || document_.ns(parts[1].node) != html::Namespace::svg) return false;
    return lift(parts[1].node) > lift(parts[2].node);
  }
  [[nodiscard]] double lift(html::NodeId node) const {
    const std::string_view place = document_.attribute(node, "transform").value_or("");
    const std::size_t comma = place.find(',');
    double value = 0;
    if (comma != std::string_view::npos)
      std::from_chars(place.data() + comma + 1, place.data() + place.size(), value);
    return value;
  }

  void write_script_part(char sign, html::NodeId node, std::string& out, unsigned depth) {
    if (node == html::kNoNode) return;
    std::string inside;
    write(node, inside, depth + 1);
    if (inside.empty()) return;
    if (sign == '^' && inside.find_first_not_of('\'') == std::string::npos) {
      out += inside;
      return;
    }
    out += sign;
    append_tex_argument(out, inside);
  }

  void write_multiscripts(const std::vector<Part>& parts, std::string& out, unsigned depth) {
    if (parts.empty()) return;
    const auto before =
        std::ranges::find_if(parts, [this](const Part& part) { return kind_of(part.node) == "mprescripts"; });
    const auto write_pairs = [&](auto from, auto end) {
      for (; from != end; ++from) {
        write_script_part('_', from->node, out, depth);
        if (++from == end) break;
        write_script_part('^', from->node, out, depth);
      }
    };
    if (before != parts.end()) {
      out += "{}";
      write_pairs(before + 1, parts.end());
    }
    write(parts.front().node, out, depth + 1);
    write_pairs(parts.begin() + 1, before);
  }

  void write_table(const std::vector<Part>& rows, std::string_view name, std::string& out, unsigned depth) {
    out.append("\\begin{").append(name).append("} ");
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (row > 0) out += " \\\\ ";
      const std::vector<Part> cells = parts_of(rows[row].node);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cell > 0) out += " & ";
        write_argument_free(cells[cell].node, out, depth);
      }
    }
    out.append(" \\end{").append(name).append("}");
  }
  void write_argument_free(html::NodeId node, std::string& out, unsigned depth) {
    std::string inside;
    write(node, inside, depth + 2);
    out += inside;
  }

  void write_fenced(html::NodeId node, const std::vector<Part>& parts, std::string& out, unsigned depth) {
    const std::string_view separators =
        text::trim_space(document_.attribute(node, "separators").value_or(","));
    append_tex(out, document_.attribute(node, "open").value_or("("));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0 && !separators.empty()) out += separators[std::min(i - 1, separators.size() - 1)];
      write(parts[i].node, out, depth + 1);
    }
    append_tex(out, document_.attribute(node, "close").value_or(")"));
  }

  const html::Document& document_;
};

/// Reads KaTeX's HTML by its classes. Fractions and scripts are lists of rows, `vlist`, from the lowest to
/// the highest.
class KatexWriter {
 public:
  explicit KatexWriter(const html::Document& document) : document_(document) {}

  void write(html::NodeId node, std::string& out, unsigned depth = 0) {
    if (document_.kind(node) == html::NodeKind::text) return append_tex(out, document_.text(node));
    if (!document_.is_element(node) || depth > kMaxMathDepth || document_.ns(node) != html::Namespace::html)
      return;
    const auto has = [&](std::string_view name) { return html::has_class(document_, node, name); };
    if (has("strut") || has("pstrut") || has("vlist-s") || has("frac-line") || has("nulldelimiter") ||
        has("rule") || has("hide-tail") || has("katex-mathml"))
      return;
    if (has("mfrac")) return write_fraction(node, out, depth);
    if (has("msupsub")) return write_scripts(node, out, depth);
    if (has("sqrt")) return write_root(node, out, depth);
    if (has("accent") || has("overline") || has("underline"))
      return write_accent(node, has("underline"), out, depth);
    if (has("op-limits")) return write_limits(node, out, depth);
    if (has("mtable")) return write_table(node, out, depth);
    for (const auto& [name, style] : kStyles)
      if (has(name)) {
        std::string inside;
        write_children(node, inside, depth);
        if (!inside.empty()) out.append(style).append("{").append(inside).append("}");
        return;
      }
    if (has("mop"))
      if (std::string name; is_name(node, name) && !tex_function(name).empty()) {
        out += tex_function(name);
        return;
      }
    write_children(node, out, depth);
  }

 private:
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kStyles = {
      {{"mathbf", "\\mathbf"},
       {"mathbb", "\\mathbb"},
       {"mathcal", "\\mathcal"},
       {"mathfrak", "\\mathfrak"},
       {"mathrm", "\\mathrm"},
       {"text", "\\text"},
       {"boldsymbol", "\\boldsymbol"}}};

  void write_children(html::NodeId node, std::string& out, unsigned depth) {
    for (html::NodeId child = document_.first_child(node); child != html::kNoNode;
         child = document_.next(child)) {
      std::string piece;
      write(child, piece, depth + 1);
      if (!piece.empty() && base::is_letter(piece.front())) {
        append_tex(out, piece.substr(0, 1));
        piece.erase(0, 1);
      }
      out += piece;
    }
  }

  bool is_name(html::NodeId node, std::string& name) const {
    html::append_text_content(document_, node, name);
    return name.size() > 1 && std::ranges::all_of(name, base::is_letter);
  }

  [[nodiscard]] html::NodeId find(html::NodeId node, std::string_view name) const {
    for (const html::NodeId inside : html::Descendants(document_, node))
      if (document_.is_element(inside) && html::has_class(document_, inside, name)) return inside;
    return html::kNoNode;
  }

  /// The rows of the first list inside, from the lowest to the highest, without empty ones.
  std::vector<std::string> rows(html::NodeId node, unsigned depth,
                                std::vector<html::NodeId>* nodes = nullptr) {
    std::vector<std::string> texts;
    const html::NodeId list = find(node, "vlist");
    if (list == html::kNoNode) return texts;
    for (html::NodeId row = document_.first_child(list); row != html::kNoNode; row = document_.next(row)) {
      std::string text;
      write_children(row, text, depth + 1);
      if (text.empty()) continue;
      texts.push_back(std::move(text));
      if (nodes != nullptr) nodes->push_back(row);
    }
    return texts;
  }

  void write_fraction(html::NodeId node, std::string& out, unsigned depth) {
    const std::vector<std::string> parts = rows(node, depth);
    const bool has_line = find(node, "frac-line") != html::kNoNode;
    if (parts.size() == 2)
      out.append(has_line ? "\\frac{" : "\\binom{")
          .append(parts[1])
          .append("}{")
          .append(parts[0])
          .append("}");
  }

  void write_scripts(html::NodeId node, std::string& out, unsigned depth) {
    const std::vector<std::string> parts = rows(node, depth);
    if (parts.empty()) return;
    const bool lowered = parts.size() > 1 || find(node, "vlist-t2") != html::kNoNode;
    if (lowered) {
      out += '_';
      append_tex_argument(out, parts.front());
    }
    if (lowered && parts.size() < 2) return;
    if (parts.back().find_first_not_of('\'') == std::string::npos) {
      out += parts.back();
      return;
    }
    out += '^';
    append_tex_argument(out, parts.back());
  }

  void write_root(html::NodeId node, std::string& out, unsigned depth) {
    out += "\\sqrt";
    html::NodeId body = node;
    if (const html::NodeId root = find(node, "root"); root != html::kNoNode) {
      std::string index;
      write_children(root, index, depth);
      out.append("[").append(index).append("]");
      for (html::NodeId child = document_.first_child(node); child != html::kNoNode;
           child = document_.next(child))
        if (child != root && document_.is_element(child)) body = child;
    }
    const std::vector<std::string> parts = rows(body, depth);
    out.append("{").append(parts.empty() ? "" : parts.front()).append("}");
  }

  void write_accent(html::NodeId node, bool below, std::string& out, unsigned depth) {
    const std::vector<std::string> parts = rows(node, depth);
    if (parts.empty()) return;
    const html::NodeId sign = find(node, "accent-body");
    std::string text;
    if (sign != html::kNoNode) html::append_text_content(document_, sign, text);
    std::string_view accent = tex_accent(text::trim_space(text), !below, false);
    if (accent.empty())
      accent = below ? "\\underline" : html::has_class(document_, node, "overline") ? "\\overline" : "\\vec";
    out.append(accent).append("{").append(parts.front()).append("}");
  }

  void write_limits(html::NodeId node, std::string& out, unsigned depth) {
    std::vector<html::NodeId> nodes;
    const std::vector<std::string> parts = rows(node, depth, &nodes);
    std::size_t base = 0;
    while (base + 1 < parts.size() && find(nodes[base], "mop") == html::kNoNode) ++base;
    if (parts.empty()) return;
    out += parts[base];
    if (base > 0) {
      out += '_';
      append_tex_argument(out, parts[base - 1]);
    }
    if (base + 1 < parts.size()) {
      out += '^';
      append_tex_argument(out, parts[base + 1]);
    }
  }

  /// A table is a list per column.
  void write_table(html::NodeId node, std::string& out, unsigned depth) {
    std::vector<std::vector<std::string>> columns;
    for (html::NodeId column = document_.first_child(node); column != html::kNoNode;
         column = document_.next(column))
      if (document_.is_element(column) &&
          document_.attribute(column, html::Name::class_).value_or("").starts_with("col-align"))
        columns.push_back(rows(column, depth));
    out += "\\begin{matrix} ";
    std::size_t height = 0;
    for (const auto& column : columns) height = std::max(height, column.size());
    for (std::size_t row = 0; row < height; ++row) {
      if (row > 0) out += " \\\\ ";
      for (std::size_t column = 0; column < columns.size(); ++column) {
        if (column > 0) out += " & ";
        if (row < columns[column].size()) out += columns[column][row];
      }
    }
    out += " \\end{matrix}";
  }

  const html::Document& document_;
};

}  // namespace

void write_shown_formula(const html::Document& document, html::NodeId root, std::string& out) {
  FormulaWriter(document).write(root, out);
}

void write_katex_formula(const html::Document& document, html::NodeId root, std::string& out) {
  constexpr std::string_view kMatrix = "(\\begin{matrix}";
  constexpr std::string_view kEnd = "\\end{matrix})";
  KatexWriter(document).write(root, out);
  const std::size_t begin = out.find(kMatrix);
  const std::size_t end = out.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return;
  out.replace(end, kEnd.size(), "\\end{pmatrix}");
  out.replace(begin, kMatrix.size(), "\\begin{pmatrix}");
}

}  // namespace sheaf::extract
