#include "sheaf/search/shared_indexes.h"

#include "sheaf/base/component.h"

extern "C" [[gnu::weak]] const sheaf::search::SharedIndexes* sheaf_shared_indexes();

namespace sheaf::search {

base::Result<const SharedIndexes*> shared_indexes() {
  constexpr base::Component kComponent{"libsheaf_shared_store.so", "sheaf-shared-store",
                                       "sheaf::shared_store", "the index of a shared store"};
  SHEAF_TRY_ASSIGN(auto* const get,
                   base::find_component(sheaf_shared_indexes, kComponent, "sheaf_shared_indexes"));
  return get();
}

}  // namespace sheaf::search
