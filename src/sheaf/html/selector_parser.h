#pragma once

#include "sheaf/html/selector.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::html {

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
