#include "sheaf/extract/generators/element_tests.h"

#include "sheaf/html/name_table.h"
#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_hash.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::string_view kTestSigns = ".#@%/";
constexpr std::size_t kLongestValue = 1024;  // bytes; longer class lists are not written by people

/// Most words of a page are none of the list's: their first character and size tell, without a hash.
struct ShapeBit {
  explicit ShapeBit(std::string_view word)
      : place((static_cast<unsigned char>(word.front()) * 31U + word.size()) % 256U) {}
  [[nodiscard]] std::uint64_t mask() const { return std::uint64_t{1} << (place % 64U); }
  std::size_t place;
};

std::string_view file_name(std::string_view address) {
  address = address.substr(0, address.find_first_of("?#"));
  const std::size_t slash = address.rfind('/');
  return slash == std::string_view::npos ? address : address.substr(slash + 1);
}

}  // namespace

ElementTests::ElementTests(std::string_view list) {
  for (std::string_view word = text::take_word(list); !word.empty(); word = text::take_word(list)) {
    Test test;
    const std::size_t sign = std::min(word.find_first_of(kTestSigns), word.size());
    if (sign > 0) test.tag = html::NameTable().find(word.substr(0, sign));
    if (sign < word.size()) {
      test.kind = static_cast<Kind>(kTestSigns.find(word[sign]) + 1);
      test.hash = text::hash_text(word.substr(sign + 1));
      const ShapeBit shape(word.substr(sign + 1));
      shapes_[shape.place / 64U] |= shape.mask();
    }
    kinds_ |= 1U << static_cast<unsigned>(test.kind);
    tests_.push_back(test);
  }
}

ElementTests::Kind ElementTests::kind_of(html::Name attribute, html::Name tag) {
  switch (attribute) {
    case html::Name::class_: return Kind::class_word;
    case html::Name::id: return Kind::id;
    case html::Name::role: return Kind::role;
    case html::Name::itemprop: return Kind::item;
    case html::Name::src: return tag == html::Name::script ? Kind::file : Kind::tag;
    case html::Name::href: return tag == html::Name::link ? Kind::file : Kind::tag;
    default: return Kind::tag;
  }
}

std::size_t ElementTests::find(Kind kind, std::string_view value, html::Name tag) const {
  if (value.empty()) return kNone;
  const ShapeBit shape(value);
  if ((shapes_[shape.place / 64U] & shape.mask()) == 0) return kNone;
  const std::uint64_t hash = text::hash_text(value);
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    const Test& test = tests_[i];
    if (test.hash == hash && test.kind == kind && (test.tag == html::Name::none || test.tag == tag)) return i;
  }
  return kNone;
}

std::size_t ElementTests::find_value(Kind kind, std::string_view value, html::Name tag) const {
  if (kind == Kind::file) return find(kind, file_name(value), tag);
  std::size_t first = kNone;
  value = value.substr(0, kLongestValue);
  for (std::string_view word = text::take_word(value); !word.empty(); word = text::take_word(value))
    first = std::min(first, find(kind, word, tag));
  return first;
}

std::size_t ElementTests::first_passed(const html::Document& document, html::NodeId element) const {
  const html::Name tag = document.name(element);
  std::size_t first = kNone;
  constexpr unsigned kTagBit = 1U << static_cast<unsigned>(Kind::tag);
  if ((kinds_ & kTagBit) != 0)
    for (std::size_t i = 0; i < tests_.size() && first == kNone; ++i)
      if (tests_[i].kind == Kind::tag && tests_[i].tag == tag) first = i;
  for (const html::Attribute& attribute : document.attributes(element)) {
    const Kind kind = kind_of(attribute.name, tag);
    const bool is_asked = kind != Kind::tag && (kinds_ & (1U << static_cast<unsigned>(kind))) != 0;
    if (is_asked) first = std::min(first, find_value(kind, document.value(attribute), tag));
  }
  return first;
}

}  // namespace sheaf::extract
