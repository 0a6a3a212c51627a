#include "sheaf/html/content.h"

#include "sheaf/html/page_outline.h"

namespace sheaf::html {

void ContentMap::set_by_place(const PageOutline& outline, const std::uint8_t* nowhere) {
  outline_ = &outline;
  const auto places = outline.places();
  answers_.resize(places.size());
  for (std::size_t node = 0; node < places.size(); ++node) answers_[node] = nowhere[places[node]];
}

}  // namespace sheaf::html
