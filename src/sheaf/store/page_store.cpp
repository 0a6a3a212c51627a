#include "sheaf/store/page_store.h"

#include "sheaf/base/url.h"
#include "sheaf/store/apply_collection.h"
#include "sheaf/store/edit_section.h"
#include "sheaf/store/page_walk.h"
#include "sheaf/store/store_care.h"
#include "sheaf/store/store_core.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::store {
namespace {

using base::Errc;
using base::fail;
using base::Result;

struct FoundPage {
  const NamedSection* section;
  PageEntry entry;
};

/// The newest of those that these sections have, of sites that pass.
template <class Passes>
Result<std::optional<FoundPage>> find_newest(const StoreView& view, const std::vector<NamedSection>& sections,
                                             const UrlKey& url, Passes passes) {
  std::optional<FoundPage> found;
  for (const NamedSection& section : sections) {
    if (!passes(section.site)) continue;
    SHEAF_TRY_ASSIGN(auto entry, view.entry(section.record.id, url));
    if (entry && (!found || entry->modified_at > found->entry.modified_at))
      found = FoundPage{&section, std::move(*entry)};
  }
  return found;
}

StoredPage without_json(const NamedSection& section, PageEntry entry) {
  return {section.site, section.name, std::move(entry.url), std::move(entry.modified), entry.learnt, {}};
}

Result<std::optional<StoredPage>> load(const StoreView& view, const NamedSection& section, PageEntry entry) {
  SHEAF_TRY_ASSIGN(auto json, view.json(entry));
  StoredPage page = without_json(section, std::move(entry));
  page.json = std::move(json);
  return page;
}

/// Where several sections have the page, the newest; the address's own site is asked first.
Result<std::optional<FoundPage>> find_page(const StoreView& view, const std::vector<NamedSection>& sections,
                                           std::string_view url, std::string_view site) {
  const UrlKey key = UrlHasher()(url);
  std::string first(site);
  if (first.empty())
    if (const auto parsed = base::Url::parse(url)) first = parsed->origin();
  SHEAF_TRY_ASSIGN(auto found,
                   find_newest(view, sections, key, [&](const std::string& of) { return of == first; }));
  if (found || !site.empty()) return found;
  return find_newest(view, sections, key, [&](const std::string& of) { return of != first; });
}

}  // namespace

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

class PageStore::Impl {
 public:
  explicit Impl(std::unique_ptr<StoreCore> opened) : core(std::move(opened)) {}
  std::unique_ptr<StoreCore> core;
};

PageStore::PageStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PageStore::~PageStore() = default;
PageStore::PageStore(PageStore&&) noexcept = default;
PageStore& PageStore::operator=(PageStore&&) noexcept = default;

Result<PageStore> PageStore::open(const std::filesystem::path& folder, Access access) {
  SHEAF_TRY_ASSIGN(auto core, StoreCore::open(folder, access));
  return PageStore(std::make_unique<Impl>(std::move(core)));
}

Result<std::vector<SectionState>> PageStore::sections(std::string_view site) const {
  SHEAF_TRY_ASSIGN(const auto named, impl_->core->view().sections(site));
  std::vector<SectionState> states;
  states.reserve(named.size());
  for (const NamedSection& section : named) states.push_back(to_state(section));
  return states;
}

Result<std::optional<SectionState>> PageStore::section(std::string_view site,
                                                       std::string_view section) const {
  SHEAF_TRY_ASSIGN(const auto record, impl_->core->view().section(site, section));
  if (!record) return std::nullopt;
  return to_state({std::string(site), std::string(section), *record});
}

Result<std::optional<StoredPage>> PageStore::get(std::string_view url, std::string_view site) const {
  const StoreView view = impl_->core->view();
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(site));
  SHEAF_TRY_ASSIGN(auto found, find_page(view, sections, url, site));
  if (!found) return std::nullopt;
  return load(view, *found->section, std::move(found->entry));
}

Result<std::optional<StoredPage>> PageStore::find(std::string_view url, std::string_view site) const {
  const StoreView view = impl_->core->view();
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(site));
  SHEAF_TRY_ASSIGN(auto found, find_page(view, sections, url, site));
  if (!found) return std::nullopt;
  return without_json(*found->section, std::move(found->entry));
}

Result<std::optional<StoredPage>> PageStore::get(std::string_view site, std::string_view section,
                                                 std::string_view url) const {
  const StoreView view = impl_->core->view();
  SHEAF_TRY_ASSIGN(const auto record, view.section(site, section));
  if (!record) return std::nullopt;
  SHEAF_TRY_ASSIGN(auto entry, view.entry(record->id, UrlHasher()(url)));
  if (!entry) return std::nullopt;
  return load(view, {std::string(site), std::string(section), *record}, std::move(*entry));
}

Result<std::optional<StoredPage>> PageStore::find(std::string_view site, std::string_view section,
                                                  std::string_view url) const {
  const StoreView view = impl_->core->view();
  SHEAF_TRY_ASSIGN(const auto record, view.section(site, section));
  if (!record) return std::nullopt;
  SHEAF_TRY_ASSIGN(auto entry, view.entry(record->id, UrlHasher()(url)));
  if (!entry) return std::nullopt;
  return without_json({std::string(site), std::string(section), *record}, std::move(*entry));
}

Result<void> PageStore::each_page(const PageFilter& filter,
                                  const std::function<Result<bool>(const StoredPage&)>& use) const {
  return walk_pages(*impl_->core, filter, use);
}

Result<std::uint64_t> PageStore::last_sequence() const {
  SHEAF_TRY_ASSIGN(const Meta meta, impl_->core->view().meta());
  return meta.last_sequence;
}

Result<void> PageStore::changes(std::uint64_t since, const std::function<bool(const Change&)>& use) const {
  const StoreView view = impl_->core->view();
  SHEAF_TRY_ASSIGN(const Meta meta, view.meta());
  if (since == meta.last_sequence) return {};
  if (since > meta.last_sequence)
    return fail(
        Errc::refused,
        fmt::format("there is no change {}: the newest of this store is {}; if the store was made anew, "
                    "read all pages, then go on from {}",
                    since, meta.last_sequence, meta.last_sequence));
  if (since + 1 < meta.first_sequence)
    return fail(Errc::refused,
                fmt::format("the change feed begins with {}: what came before was taken away by gc, so {} is "
                            "too far back; read all pages, then go on from {}",
                            meta.first_sequence, since, meta.last_sequence));
  auto cursor = view.view().scan(kFeed);
  for (cursor.seek(feed_key(since + 1)); cursor.valid(); cursor.next()) {
    const auto change = decode_change(cursor.key(), cursor.value());
    if (!change) return std::unexpected(view.damaged("an entry of the change feed cannot be read"));
    if (!use(*change)) return {};
  }
  return cursor.check();
}

Result<void> PageStore::refresh() { return impl_->core->refresh(); }

Result<ApplySummary> PageStore::apply(std::string_view site, std::string_view section,
                                      std::unique_ptr<base::ByteSource> collection,
                                      const ApplyOptions& options) {
  return apply_collection(*impl_->core, site, section, std::move(collection), options);
}

Result<void> PageStore::settle(std::string_view site, std::string_view section) {
  return settle_section(*impl_->core, site, section);
}

struct PageStore::Edit::Impl {
  PendingEdit pending;
};

PageStore::Edit::Edit(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PageStore::Edit::~Edit() = default;
PageStore::Edit::Edit(Edit&&) noexcept = default;
PageStore::Edit& PageStore::Edit::operator=(Edit&&) noexcept = default;

PageStore::Edit PageStore::edit(std::string_view site, std::string_view section) {
  auto impl = std::make_unique<Edit::Impl>();
  impl->pending.site = site;
  impl->pending.section = section;
  return Edit(std::move(impl));
}

void PageStore::Edit::put_page(std::string_view url, std::string_view modified, std::string_view json,
                               base::Instant learnt) {
  impl_->pending.bytes += url.size() + modified.size() + json.size();
  impl_->pending.pages.insert_or_assign(std::string(url),
                                        PendingEdit::Page{std::string(modified), std::string(json), learnt});
}

void PageStore::Edit::remove_page(std::string_view url) {
  impl_->pending.bytes += url.size();
  impl_->pending.pages.insert_or_assign(std::string(url), std::nullopt);
}

void PageStore::Edit::put_note(std::string_view name, std::string_view value) {
  impl_->pending.bytes += name.size() + value.size();
  impl_->pending.notes.push_back({std::string(name), std::string(value), false});
}

void PageStore::Edit::remove_note(std::string_view name) {
  impl_->pending.bytes += name.size();
  impl_->pending.notes.push_back({std::string(name), std::nullopt, false});
}

void PageStore::Edit::remove_notes(std::string_view prefix) {
  impl_->pending.bytes += prefix.size();
  impl_->pending.notes.push_back({std::string(prefix), std::nullopt, true});
}

std::size_t PageStore::Edit::bytes() const { return impl_->pending.bytes; }

Result<PageStore::EditSummary> PageStore::commit(Edit& edit) {
  PendingEdit& pending = edit.impl_->pending;
  SHEAF_TRY_ASSIGN(const EditSummary summary, commit_edit(*impl_->core, pending));
  pending.pages.clear();
  pending.notes.clear();
  pending.bytes = 0;
  return summary;
}

Result<std::uint64_t> PageStore::drop_section(std::string_view site, std::string_view section,
                                              base::Instant now) {
  return store::drop_section(*impl_->core, site, section, now);
}

Result<std::optional<std::string>> PageStore::note(std::string_view site, std::string_view name) const {
  return impl_->core->database().get(note_key(site, name));
}

Result<void> PageStore::each_note(
    std::string_view site, std::string_view prefix,
    const std::function<bool(std::string_view name, std::string_view value)>& use) const {
  const std::size_t before_name = note_key(site, "").size();
  auto cursor = std::as_const(*impl_->core).database().scan(note_key(site, prefix));
  for (; cursor.valid(); cursor.next())
    if (!use(cursor.key().substr(before_name), cursor.value())) return {};
  return cursor.check();
}

Result<PageStore::GcSummary> PageStore::gc(const GcOptions& options) {
  return collect_garbage(*impl_->core, options);
}

Result<bool> PageStore::pack(std::uint64_t worth, const StoreProgressSink& progress) {
  return pack_pages(*impl_->core, worth, progress);
}

Result<PageStore::RepairSummary> PageStore::repair(std::string_view site) {
  return repair_store(*impl_->core, site);
}

Result<PageStore::VerifySummary> PageStore::verify(const StoreProgressSink& progress) const {
  return verify_store(*impl_->core, progress);
}

Result<std::uint64_t> PageStore::disk_bytes() const { return impl_->core->database().disk_bytes(); }

}  // namespace sheaf::store
