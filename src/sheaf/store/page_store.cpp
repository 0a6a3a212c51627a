#include "sheaf/store/page_store.h"

#include "sheaf/store/page_ranges.h"

#include <utility>

namespace sheaf::store {

std::string_view to_string(Origin origin) { return origin == Origin::html ? "html" : "collections"; }

base::Result<std::vector<std::optional<std::string>>> PageStore::notes(std::span<const std::string> sites,
                                                                       std::string_view name) const {
  std::vector<std::optional<std::string>> values;
  values.reserve(sites.size());
  for (const std::string& site : sites) {
    SHEAF_TRY_ASSIGN(auto value, note(site, name));
    values.push_back(std::move(value));
  }
  return values;
}

std::unique_ptr<PageRanges> PageStore::page_ranges(const PageFilter& filter, unsigned /*threads*/) const {
  return section_ranges(*this, filter);
}

std::string_view to_string(ApplyOutcome outcome) {
  switch (outcome) {
    case ApplyOutcome::applied: return "applied";
    case ApplyOutcome::older: return "older";
    case ApplyOutcome::gap: return "gap";
    case ApplyOutcome::shrink_held: return "shrink-held";
    case ApplyOutcome::out_of_order: return "out-of-order";
  }
  return "";
}

}  // namespace sheaf::store
