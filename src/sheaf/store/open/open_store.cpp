#include "sheaf/store/open/open_store.h"

#include "sheaf/store/local/local_store.h"

namespace sheaf::store {

base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access) {
  return local::open_local_store(location, access);
}

}  // namespace sheaf::store
