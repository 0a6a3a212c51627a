#pragma once

#include "sheaf/html/dom.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// A list of the simplest selectors, for questions that are asked of every element of a page: a CSS selector
/// for each would cost more than parsing did.
///
///   <list> ::= <test> (" " <test>)*
///   <test> ::= tag | tag? ("." class | "#" id | "@" role | "%" itemprop | "/" file)
///
/// `file` is the last part of the path that a `script` or `link` names.
class ElementTests {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit ElementTests(std::string_view list);

  /// The place in the list of the first test that the element passes; kNone if it passes none.
  [[nodiscard]] std::size_t first_passed(const html::Document& document, html::NodeId element) const;
  [[nodiscard]] bool empty() const { return tests_.empty(); }

 private:
  enum class Kind : std::uint8_t { tag, class_word, id, role, item, file };
  struct Test {
    Kind kind = Kind::tag;
    std::uint64_t hash = 0;  // of the value
    html::Name tag = html::Name::none;
  };

  static Kind kind_of(html::Name attribute, html::Name tag);
  [[nodiscard]] std::size_t find(Kind kind, std::string_view value, html::Name tag) const;
  [[nodiscard]] std::size_t find_value(Kind kind, std::string_view value, html::Name tag) const;

  std::vector<Test> tests_;
  std::array<std::uint64_t, 4> shapes_{};  // a bit for each value, by its first character and its size
  unsigned kinds_ = 0;                     // a bit for each kind of test
};

}  // namespace sheaf::extract
