#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// How likely a page is about a thing of some type, rather than carrying it along.
enum class Rank : std::uint8_t {
  trail,         ///< the way here, search boxes: never what the page is about
  site,          ///< the site and its parts
  organization,  ///< publishers and people; a page about one has them too
  page,          ///< the page as such
  other,         ///< a type we do not know is seldom put on every page
  media,         ///< a video or recording; part of an article if there is one
  work,          ///< articles, products, recipes, events
};

/// "NewsArticle" of "http://schema.org/NewsArticle" and "schema:NewsArticle".
std::string_view short_type(std::string_view type);

Rank rank_of_type(std::string_view type);

}  // namespace sheaf::extract
