#include "sheaf/extract/content/content.h"

#include "sheaf/extract/outline/page_outline.h"

namespace sheaf::extract {

void ContentMap::set_by_place(const PageOutline& outline, const std::uint8_t* nowhere) {
  const auto places = outline.places();
  answers_.resize(places.size());
  for (std::size_t node = 0; node < places.size(); ++node) answers_[node] = nowhere[places[node]];
}

}  // namespace sheaf::extract
