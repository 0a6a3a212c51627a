#include "sheaf/store/shared_stores.h"

#include "sheaf/base/component.h"

extern "C" [[gnu::weak]] const sheaf::store::shared::SharedStores* sheaf_shared_stores();

namespace sheaf::store::shared {

bool is_postgres_url(std::string_view location) {
  return location.starts_with("postgresql://") || location.starts_with("postgres://");
}

std::string name_of_url(const std::string& url) { return url.substr(0, url.find('?')); }

base::Result<const SharedStores*> shared_stores() {
  constexpr base::Component kComponent{"libsheaf_shared_store.so", "sheaf-shared-store",
                                       "sheaf::shared_store", "a shared store"};
  SHEAF_TRY_ASSIGN(auto* const get,
                   base::find_component(sheaf_shared_stores, kComponent, "sheaf_shared_stores"));
  return get();
}

}  // namespace sheaf::store::shared
