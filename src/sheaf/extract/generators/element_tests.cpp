#include "sheaf/extract/generators/element_tests.h"

#include "sheaf/html/name_table.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::string_view kTestSigns = ".#@%/";
constexpr std::size_t kMaxValueLength = 1024;  // bytes; longer class lists are not written by people

html::Name tag_named(std::string_view text) {
  static const html::NameTable kNames;
  return kNames.find(text);
}

/// The last part of a URL's path. One plain loop, because the URLs of scripts are long and a page has many.
std::string_view file_name(std::string_view address) {
  std::size_t begin = 0;
  std::size_t end = 0;
  for (; end < address.size() && address[end] != '?' && address[end] != '#'; ++end)
    if (address[end] == '/') begin = end + 1;
  return address.substr(begin, end - begin);
}

}  // namespace

ElementTests::ElementTests(std::initializer_list<std::string_view> lists) {
  std::uint8_t list = 0;
  for (std::string_view words : lists) {
    std::uint16_t place = 0;
    for (std::string_view word = text::take_word(words); !word.empty(); word = text::take_word(words))
      add(word, list, place++);
    ++list;
  }
}

void ElementTests::add(std::string_view word, std::uint8_t list, std::uint16_t place) {
  Test test;
  test.list = list;
  test.place = place;
  const std::size_t sign = std::min(word.find_first_of(kTestSigns), word.size());
  if (sign > 0) test.tag = tag_named(word.substr(0, sign));
  std::uint16_t* first = nullptr;
  if (sign < word.size()) {
    const std::string_view value = word.substr(sign + 1);
    test.kind = static_cast<Kind>(kTestSigns.find(word[sign]) + 1);
    has_files_ = has_files_ || test.kind == Kind::file;
    test.hash = text::hash_text(value);
    first = &buckets_[bucket_of(value)];
  } else if (test.tag != html::Name::none && test.tag <= html::kLastKnownElement) {
    first = &tags_[html::index_of(test.tag)];
  } else {
    return;  // the HTML standard has no such element: there is no test, but it keeps its position in the list
  }
  test.next = *first;
  tests_.push_back(test);
  *first = static_cast<std::uint16_t>(tests_.size());
}

void ElementTests::look_up_tag(html::Name tag, Passed& passed) const {
  if (!has_test_of_tag(tag)) return;
  for (std::uint16_t at = tags_[html::index_of(tag)]; at != 0; at = tests_[at - 1U].next) {
    const Test& test = tests_[at - 1U];
    passed[test.list] = std::min(passed[test.list], test.place);
  }
}

void ElementTests::look_up_word(Kind kind, std::string_view word, html::Name tag, Passed& passed) const {
  std::uint16_t at = buckets_[bucket_of(word)];
  const std::uint64_t hash = text::hash_text(word);
  for (; at != 0; at = tests_[at - 1U].next) {
    const Test& test = tests_[at - 1U];
    const bool passes =
        test.hash == hash && test.kind == kind && (test.tag == html::Name::none || test.tag == tag);
    if (passes) passed[test.list] = std::min(passed[test.list], test.place);
  }
}

void ElementTests::look_up_words(Kind kind, text::PaddedText words, html::Name tag, Passed& passed) const {
  words = words.prefix(kMaxValueLength);
  const char* const end = words.end();
  for (const char* at = words.begin(); at < end;) {
    const char* const space = text::scan::find_space(words, at);
    if (space > at && buckets_[bucket_of({at, space})] != 0) look_up_word(kind, {at, space}, tag, passed);
    at = space + 1;
  }
}

bool ElementTests::look_up_all(const html::Document& document, html::NodeId element, Passed& passed) const {
  const html::Name tag = document.name(element);
  look_up_tag(tag, passed);
  for (const html::Attribute& attribute : document.attributes(element)) {
    const std::string_view value = document.value(attribute);
    switch (attribute.name) {
      case html::Name::class_: look_up_words(Kind::class_word, document.padded(value), tag, passed); break;
      case html::Name::id: look_up_words(Kind::id, document.padded(value), tag, passed); break;
      case html::Name::role: look_up_words(Kind::role, document.padded(value), tag, passed); break;
      case html::Name::itemprop: look_up_words(Kind::item, document.padded(value), tag, passed); break;
      case html::Name::src:
      case html::Name::href:
        if (!has_files_ || tag != (attribute.name == html::Name::src ? html::Name::script : html::Name::link))
          break;
        if (const std::string_view file = file_name(value); !file.empty())
          look_up_word(Kind::file, file, tag, passed);
        break;
      default: break;
    }
  }
  return std::ranges::any_of(passed, [](std::uint16_t place) { return place != kNone; });
}

}  // namespace sheaf::extract
