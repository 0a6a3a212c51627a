#include "sheaf/store/page_store.h"

namespace sheaf::store {

std::string_view to_string(Origin origin) { return origin == Origin::html ? "html" : "collections"; }

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
