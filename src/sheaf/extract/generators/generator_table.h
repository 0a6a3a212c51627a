#pragma once

#include <span>
#include <string_view>

namespace sheaf::extract {

/// What is known about the pages of one site generator, content management system or forum, in the language
/// of ElementTests. Describes the markup of its templates only, never the host of a site.
struct Generator {
  std::string_view name = {};
  /// How its `<meta name=generator>` begins, in lowercase; alternatives are separated by "|". Empty if it has
  /// none.
  std::string_view meta = {};
  /// Elements near the beginning of its pages; any one of them identifies the generator.
  std::string_view marks = {};
  /// The content, as lists separated by "|". The first list counts whose first test some element passes. If
  /// none does, the model finds the content, without the chrome.
  std::string_view content = {};
  /// Elements inside the content that are not part of it.
  std::string_view chrome = {};
  /// Elements that are certainly content, anywhere on a page whose content the model finds: the headings of a
  /// list of posts.
  std::string_view sure = {};
  /// Elements that precede a post and belong to it, such as its image: "<lead> | <body> | <after>". A lead
  /// counts if it precedes the first body in the same `article` or `main`; `after` elements that follow that
  /// body are chrome.
  std::string_view lead = {};
  /// The element that shows the page's title, if that is not the first h1 of the content.
  std::string_view title = {};
};

std::span<const Generator> known_generators();

}  // namespace sheaf::extract
