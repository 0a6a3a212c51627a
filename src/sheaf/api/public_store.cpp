#include "sheaf/api/store_inside.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/pull/drop_pages.h"
#include "sheaf/store/open/open_store.h"

#include <utility>

namespace sheaf {

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Result<Store> Store::open(const std::filesystem::path& location, StoreAccess access,
                          const StoreEnvironment& environment) {
  SHEAF_TRY_ASSIGN(auto store, store::open_store(location.string(), access, environment));
  return Store(std::make_unique<Impl>(location, std::move(store)));
}

Result<std::vector<SectionState>> Store::sections(std::string_view site) const {
  return impl_->store->sections(site);
}

Result<std::optional<StoredPage>> Store::get(std::string_view url) const { return impl_->store->get(url); }

Result<void> Store::each_page(const PageFilter& filter,
                              const std::function<Result<bool>(const StoredPage&)>& use) const {
  return impl_->store->each_page(filter, use);
}

Result<void> Store::changes(const FeedCursor& since,
                            const std::function<Result<bool>(const StoreChange&)>& use) const {
  return impl_->store->changes(since, use);
}

Result<FeedCursor> Store::position() const { return impl_->store->newest_change(); }

Result<void> Store::refresh() { return impl_->store->refresh(); }

Result<ApplySummary> Store::apply(std::string_view site, std::string_view section,
                                  const std::filesystem::path& collection, Shrink shrink) {
  SHEAF_TRY_ASSIGN(auto source, base::open_source(collection.string()));
  store::ApplyOptions options;
  options.now = now();
  options.shrink = shrink;
  return impl_->store->apply(site, section, std::move(source), options);
}

Result<std::uint64_t> Store::drop(std::string_view site, const std::optional<std::string>& section) {
  store::PageStore& store = *impl_->store;
  SHEAF_TRY_ASSIGN(const pull::DropPlan plan, pull::plan_drop(store, std::string(site), section));
  SHEAF_TRY(pull::drop_pages(store, plan, now()));
  return plan.pages();
}

Result<VerifySummary> Store::verify(unsigned threads, const StoreProgressSink& progress) const {
  return impl_->store->verify(threads, progress);
}

Result<RepairSummary> Store::repair(std::string_view site) { return impl_->store->repair(site); }

Result<GcSummary> Store::gc(const GcOptions& options) { return impl_->store->gc(options); }

// Search (sheaf/search.h).

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
