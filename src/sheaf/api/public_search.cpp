#include "sheaf/api/store_inside.h"

#include <mutex>

namespace sheaf {

Result<SearchResults> Store::search(const SearchRequest& request) const {
  const std::scoped_lock lock(impl_->index_lock);
  if (impl_->index == nullptr) {
    SHEAF_TRY_ASSIGN(impl_->index, search::open_index(impl_->folder.string()));
  }
  return impl_->index->search(*impl_->store, request);
}

Result<IndexUpdate> Store::update_index(const IndexOptions& options) const {
  SHEAF_TRY_ASSIGN(const auto summary, search::update_index(*impl_->store, impl_->folder.string(), options));
  return static_cast<const IndexUpdate&>(summary);
}

}  // namespace sheaf
