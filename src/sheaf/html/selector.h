#pragma once

#include "sheaf/base/error.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// A compiled CSS selector. This subset is supported:
///
///   <list>     ::= <complex> ("," <complex>)*
///   <complex>  ::= <compound> ((" " | ">") <compound>)*
///   <compound> ::= (<type> | "*")? (<id> | <class> | <attribute> | ":not(" <compound> ")")*
///   <attribute>::= "[" name (("=" | "~=" | "|=" | "^=" | "$=" | "*=") (name | string) ("i" | "s")?)? "]"
///
/// Names may have CSS escapes. Element and attribute names are case-insensitive for HTML elements and
/// case-sensitive for SVG and MathML. Ids and classes are case-sensitive except in quirks mode. A Selector
/// does not depend on a document and is thread-safe.
class Selector {
 public:
  /// Fails with invalid_argument if the selector is not valid or not supported. The message says what was
  /// found at which position, and what was expected.
  [[nodiscard]] static base::Result<Selector> compile(std::string_view text);

  [[nodiscard]] bool matches(const Document& document, NodeId node) const;
  /// The first match inside root in document order; kNoNode if there is none.
  [[nodiscard]] NodeId first(const Document& document, NodeId root) const;
  [[nodiscard]] std::vector<NodeId> all(const Document& document, NodeId root) const;

 private:
  friend class SelectorParser;

  enum class Test : std::uint8_t { id, has_class, has, equals, word, dash, prefix, suffix, substring };
  // An element or attribute name: as written, in lower case, and as a known name (none if it is not known).
  struct NameTest {
    std::string text;
    std::string lower;
    Name known = Name::none;
  };
  struct Simple {
    Test test = Test::id;
    NameTest name;  // attribute name
    std::string value;
    text::TextCase value_case = text::TextCase::exact;
  };
  struct Compound {
    bool any_type = true;
    NameTest type;
    std::vector<Simple> simples;
    std::vector<Compound> negated;
    bool child = false;  // the combinator before this compound: `>` if true, else a space
  };
  using Complex = std::vector<Compound>;

  static bool matches(const Document& document, NodeId node, const Complex& complex);
  static bool matches(const Document& document, NodeId node, const Compound& compound);
  static bool matches(const Document& document, NodeId node, const Simple& simple);

  std::vector<Complex> list_;
};

/// Parses the text of a selector for Selector::compile().
class SelectorParser {
 public:
  explicit SelectorParser(std::string_view text) : text_(text) {}
  base::Result<Selector> run();

 private:
  using Compound = Selector::Compound;
  using Simple = Selector::Simple;

  base::Result<Selector::Complex> complex();
  base::Result<Compound> compound(bool inside_not);
  base::Result<Simple> attribute();
  base::Result<void> attribute_value(Simple& simple);
  base::Result<void> negation(Compound& compound);
  base::Result<std::string> name(std::string_view what);
  base::Result<std::string> string();
  void escape(std::string& out);
  static Selector::NameTest name_test(std::string text);

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c);
  bool skip_space();
  /// The error 'selector "a + b": found '+' at character 3, expected ...'.
  [[nodiscard]] std::unexpected<base::Error> unexpected(std::string_view expected) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace sheaf::html
