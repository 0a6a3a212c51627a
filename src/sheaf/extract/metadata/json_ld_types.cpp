#include "sheaf/extract/metadata/json_ld_types.h"

#include <algorithm>
#include <iterator>

namespace sheaf::extract {
namespace {

struct RankedType {
  std::string_view name;
  Rank rank;
};
constexpr RankedType kTypes[] = {
    {"BreadcrumbList", Rank::trail},
    {"ListItem", Rank::trail},
    {"SearchAction", Rank::trail},
    {"ReadAction", Rank::trail},
    {"WPHeader", Rank::trail},
    {"WPFooter", Rank::trail},
    {"WPSideBar", Rank::trail},
    {"SiteNavigationElement", Rank::trail},
    {"ImageObject", Rank::trail},
    {"Rating", Rank::trail},
    {"AggregateRating", Rank::trail},
    {"WebSite", Rank::site},
    {"ItemList", Rank::site},
    {"Brand", Rank::site},
    {"Organization", Rank::organization},
    {"NewsMediaOrganization", Rank::organization},
    {"Corporation", Rank::organization},
    {"Person", Rank::organization},
    {"PostalAddress", Rank::site},
    {"VideoObject", Rank::media},
    {"AudioObject", Rank::media},
    {"Report", Rank::work},
    {"Recipe", Rank::work},
    {"Product", Rank::work},
    {"ProductGroup", Rank::work},
    {"Event", Rank::work},
    {"Book", Rank::work},
    {"Movie", Rank::work},
    {"TVSeries", Rank::work},
    {"TVEpisode", Rank::work},
    {"PodcastEpisode", Rank::work},
    {"Course", Rank::work},
    {"JobPosting", Rank::work},
    {"HowTo", Rank::work},
    {"Review", Rank::work},
    {"ClaimReview", Rank::work},
    {"Dataset", Rank::work},
    {"SoftwareApplication", Rank::work},
    {"MobileApplication", Rank::work},
    {"WebApplication", Rank::work},
    {"VideoGame", Rank::work},
    {"MusicRecording", Rank::work},
    {"MusicAlbum", Rank::work},
};

}  // namespace

std::string_view short_type(std::string_view type) {
  const std::size_t cut = type.find_last_of("/#:");
  return cut == std::string_view::npos ? type : type.substr(cut + 1);
}

Rank rank_of_type(std::string_view type) {
  type = short_type(type);
  const auto* const row = std::ranges::find(kTypes, type, &RankedType::name);
  if (row != std::end(kTypes)) return row->rank;
  if (type.ends_with("Article") || type.ends_with("Posting") || type.ends_with("Event")) return Rank::work;
  if (type.ends_with("Page")) return Rank::page;
  if (type.ends_with("Organization") || type.ends_with("Business")) return Rank::organization;
  return Rank::other;
}

}  // namespace sheaf::extract
