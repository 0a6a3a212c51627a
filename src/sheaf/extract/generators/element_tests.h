#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/padded_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Lists of simple selectors that are tested on every element of a page. Matching CSS selectors instead would
/// cost more than parsing the page. All lists share one table, so each element is looked up once.
///
///   <list> ::= <test> (" " <test>)*
///   <test> ::= tag | tag? ("." class | "#" id | "@" role | "%" itemprop | "/" file)
///
/// `file` is the last part of the path in the `src` of a `script` or the `href` of a `link`.
class ElementTests {
 public:
  static constexpr std::size_t kMaxLists = 5;
  static constexpr std::uint16_t kNone = UINT16_MAX;
  /// For each list, the position of the first test that an element passes; kNone if it passes none of them.
  using Passed = std::array<std::uint16_t, kMaxLists>;

  explicit ElementTests(std::initializer_list<std::string_view> lists);

  /// Sets `passed`. Returns whether the element passes any test; if not, all of `passed` are kNone.
  bool look_up(const html::Document& document, html::NodeId element, Passed& passed) const {
    passed.fill(kNone);
    const bool may_pass = document.has_attributes(element, 1) || has_test_of_tag(document.name(element));
    return may_pass && look_up_all(document, element, passed);
  }

 private:
  enum class Kind : std::uint8_t { tag, class_word, id, role, item, file };
  struct Test {
    std::uint64_t hash = 0;  // of the value
    Kind kind = Kind::tag;
    std::uint8_t list = 0;
    std::uint16_t place = 0;  // position in its list
    std::uint16_t next = 0;   // the next test in the same bucket, plus one; 0 at the end
    html::Name tag = html::Name::none;
  };

  void add(std::string_view word, std::uint8_t list, std::uint16_t place);
  [[nodiscard]] bool has_test_of_tag(html::Name tag) const {
    return tag <= html::kLastKnownElement && tags_[html::index_of(tag)] != 0;
  }
  bool look_up_all(const html::Document& document, html::NodeId element, Passed& passed) const;
  void look_up_tag(html::Name tag, Passed& passed) const;
  void look_up_words(Kind kind, text::PaddedText words, html::Name tag, Passed& passed) const;
  void look_up_word(Kind kind, std::string_view word, html::Name tag, Passed& passed) const;
  static std::size_t bucket_of(std::string_view word) {
    const auto first = static_cast<unsigned char>(word.front());
    const auto last = static_cast<unsigned char>(word.back());
    return (first * 31U + last * 7U + word.size() * 67U) % kBuckets;
  }

  static constexpr std::size_t kBuckets = 512;

  std::vector<Test> tests_;
  /// The first test of each bucket, plus one; 0 for an empty bucket. A word's bucket depends only on its
  /// first byte, last byte and size. Most words of a page are in no list and hit an empty bucket, so they
  /// need not be hashed.
  std::array<std::uint16_t, kBuckets> buckets_{};
  std::array<std::uint16_t, html::index_of(html::kLastKnownElement) + 1> tags_{};  // the same for bare tags
  bool has_files_ = false;
};

}  // namespace sheaf::extract
