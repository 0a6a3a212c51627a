#pragma once

#include <span>
#include <string_view>

namespace sheaf::extract {

/// What is known of the pages of one site generator, content management system or forum, in the language of
/// ElementTests. It goes by the markup of its templates alone, never by the site's host.
struct Generator {
  std::string_view name = {};
  /// How its `<meta name=generator>` begins, in lower case, alternatives parted by "|"; empty if it has none.
  std::string_view meta = {};
  /// Elements near the beginning of its pages, one of which is enough to know it by.
  std::string_view marks = {};
  /// The content: lists parted by "|", of which the first counts whose first test some element passes. If
  /// there is none, the page is judged like any other, less the chrome.
  std::string_view content = {};
  /// What is inside the content and is not part of it.
  std::string_view chrome = {};
  /// Content beyond doubt, wherever it stands on a page that is judged like any other: the headings of a list
  /// of posts.
  std::string_view sure = {};
  /// What stands before a post and belongs to it, such as its picture: "<lead> | <body> | <after>". A lead
  /// counts before the first body, in the same `article` or `main`; what is after that body is chrome.
  std::string_view lead = {};
  /// The element that shows the page's title, where that is not the first h1 of the content.
  std::string_view title = {};
};

std::span<const Generator> known_generators();

}  // namespace sheaf::extract
