#include "sheaf/api/store_inside.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/pull/drop_pages.h"
#include "sheaf/store/open/open_store.h"

#include <utility>

namespace sheaf {
namespace {

StoreSection store_section(store::SectionState&& state) {
  StoreSection section;
  section.site = std::move(state.site);
  section.section = std::move(state.section);
  section.from_html = state.origin == store::Origin::html;
  section.generated = state.generated;
  section.pages = state.pages;
  section.bytes = state.bytes;
  section.proven = state.proven;
  return section;
}

StoreEntry store_entry(const store::StoredPage& page) {
  return {page.site, page.section, page.url, page.modified, page.json};
}

FeedEntry feed_entry(const store::StoreChange& change) {
  FeedEntry entry{change.sequence, FeedKind::changed,   change.site,        change.section,
                  change.url,      change.old_modified, change.new_modified};
  if (change.kind == store::ChangeKind::remove) {
    entry.kind = FeedKind::removed;
  } else if (change.old_modified.empty()) {
    entry.kind = FeedKind::added;
  }
  return entry;
}

std::string_view why_not_applied(store::ApplyOutcome outcome) {
  switch (outcome) {
    case store::ApplyOutcome::applied: return "";
    case store::ApplyOutcome::older: return "the section has this state or a newer one already";
    case store::ApplyOutcome::gap: return "the delta begins after the state that the section has";
    case store::ApplyOutcome::losses_held: return "pages would be removed";
    case store::ApplyOutcome::shrink_held: return "all or more than half of the section would be removed";
    case store::ApplyOutcome::out_of_order: return "the section was filled from HTML pages";
    case store::ApplyOutcome::other_checksum: return "the file is not the one that the sitemap describes";
  }
  return "";
}

Result<void> walk_feed(const store::PageStore& store, const store::FeedCursor& since,
                       const std::function<Result<bool>(const FeedEntry&)>& use) {
  Result<void> used;
  SHEAF_TRY(store.changes(since, [&](const store::StoreChange& change) {
    const auto more = use(feed_entry(change));
    if (!more) used = std::unexpected(more.error());
    return more && *more;
  }));
  return used;
}

}  // namespace

std::string_view to_string(FeedKind kind) {
  switch (kind) {
    case FeedKind::added: return "added";
    case FeedKind::changed: return "changed";
    case FeedKind::removed: return "removed";
  }
  return "";
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Result<Store> Store::open(const std::filesystem::path& location, StoreAccess access,
                          const StoreEnvironment& environment) {
  const auto how = access == StoreAccess::write ? store::Access::write : store::Access::read;
  SHEAF_TRY_ASSIGN(auto store, store::open_store(location.string(), how, environment));
  return Store(std::make_unique<Impl>(location, std::move(store)));
}

Result<std::vector<StoreSection>> Store::sections(std::string_view site) const {
  SHEAF_TRY_ASSIGN(auto states, impl_->store->sections(site));
  std::vector<StoreSection> sections;
  for (store::SectionState& state : states) sections.push_back(store_section(std::move(state)));
  return sections;
}

Result<std::optional<StoreEntry>> Store::get(std::string_view url) const {
  SHEAF_TRY_ASSIGN(const auto page, impl_->store->get(url));
  if (!page) return std::nullopt;
  return store_entry(*page);
}

Result<void> Store::each_page(const StoreFilter& filter,
                              const std::function<Result<bool>(const StoreEntry&)>& use) const {
  store::PageFilter inner;
  inner.site = filter.site;
  inner.section = filter.section;
  inner.url = filter.url;
  inner.modified_since = filter.modified_since;
  inner.modified_before = filter.modified_before;
  inner.with_json = filter.with_json;
  return impl_->store->each_page(
      inner, [&](const store::StoredPage& page) -> Result<bool> { return use(store_entry(page)); });
}

Result<void> Store::changes(std::uint64_t since,
                            const std::function<Result<bool>(const FeedEntry&)>& use) const {
  return walk_feed(*impl_->store, since, use);
}

Result<void> Store::changes(std::string_view position,
                            const std::function<Result<bool>(const FeedEntry&)>& use) const {
  SHEAF_TRY_ASSIGN(const auto since, store::FeedCursor::parse(position));
  return walk_feed(*impl_->store, since, use);
}

Result<std::string> Store::position() const {
  SHEAF_TRY_ASSIGN(const auto newest, impl_->store->newest_change());
  return newest.text();
}

Result<std::uint64_t> Store::last_change() const {
  SHEAF_TRY_ASSIGN(const store::FeedCursor newest, impl_->store->newest_change());
  return newest.total();
}
Result<void> Store::refresh() { return impl_->store->refresh(); }

Result<AppliedCollection> Store::apply(std::string_view site, std::string_view section,
                                       const std::filesystem::path& collection, Shrink shrink) {
  SHEAF_TRY_ASSIGN(auto source, base::open_source(collection.string()));
  store::ApplyOptions options;
  options.now = now();
  options.shrink = shrink;
  SHEAF_TRY_ASSIGN(const auto summary, impl_->store->apply(site, section, std::move(source), options));
  AppliedCollection applied;
  applied.applied = summary.outcome == store::ApplyOutcome::applied;
  applied.reason = why_not_applied(summary.outcome);
  static_cast<PageChanges&>(applied) = summary;
  applied.proven = summary.proven;
  return applied;
}

Result<std::uint64_t> Store::drop(std::string_view site, const std::optional<std::string>& section) {
  store::PageStore& store = *impl_->store;
  SHEAF_TRY_ASSIGN(const pull::DropPlan plan, pull::plan_drop(store, std::string(site), section));
  SHEAF_TRY(pull::drop_pages(store, plan, now()));
  return plan.pages();
}

Result<std::vector<std::string>> Store::verify(unsigned threads) const {
  SHEAF_TRY_ASSIGN(auto summary, impl_->store->verify(threads));
  return std::move(summary.faults);
}

}  // namespace sheaf
