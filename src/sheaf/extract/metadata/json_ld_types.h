#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// How likely an entity of some type is what the page is about, and not just something on the page.
enum class Rank : std::uint8_t {
  trail,         ///< breadcrumbs, search boxes: never what the page is about
  site,          ///< the site and its parts
  organization,  ///< publishers and people; a page about one has them too
  page,          ///< the page itself
  other,         ///< an unknown type; such entities are seldom on every page of a site
  media,         ///< a video or recording; part of an article if there is one
  work,          ///< articles, products, recipes, events
};

/// The name of a type: "NewsArticle" for "http://schema.org/NewsArticle" and "schema:NewsArticle".
std::string_view short_type(std::string_view type);

Rank rank_of_type(std::string_view type);

}  // namespace sheaf::extract
