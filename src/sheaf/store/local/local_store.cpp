#include "sheaf/store/local/local_store.h"

#include "sheaf/store/apply_collection.h"
#include "sheaf/store/local/local_section_writer.h"
#include "sheaf/store/local/maintenance.h"
#include "sheaf/store/local/page_lookup.h"
#include "sheaf/store/local/page_walk.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/section_writer.h"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Errc;
using base::fail;
using base::Result;

struct SectionPage {
  NamedSection section;
  PageEntry entry;
};

/// The page in this section; nullopt if the section or the page does not exist.
Result<std::optional<SectionPage>> find_in_section(const StoreView& view, std::string_view site,
                                                   std::string_view section, std::string_view url) {
  SHEAF_TRY_ASSIGN(const auto record, view.section(site, section));
  if (!record) return std::nullopt;
  SHEAF_TRY_ASSIGN(auto entry, view.entry(record->id, UrlHasher()(url)));
  if (!entry) return std::nullopt;
  return SectionPage{{std::string(site), std::string(section), *record}, std::move(*entry)};
}

StoredPage without_json(const NamedSection& section, PageEntry entry) {
  return {section.site, section.name, std::move(entry.url), std::move(entry.modified), entry.as_of, {}};
}

Result<std::optional<StoredPage>> load(const StoreView& view, const NamedSection& section, PageEntry entry) {
  SHEAF_TRY_ASSIGN(auto json, view.json(entry));
  StoredPage page = without_json(section, std::move(entry));
  page.json = std::move(json);
  return page;
}

class LocalStore final : public PageStore {
 public:
  explicit LocalStore(std::unique_ptr<StoreCore> core) : core_(std::move(core)) {}

  [[nodiscard]] Result<std::vector<SectionState>> sections(std::string_view site) const override;
  [[nodiscard]] Result<std::optional<SectionState>> section(std::string_view site,
                                                            std::string_view section) const override;
  [[nodiscard]] Result<std::optional<StoredPage>> get(std::string_view url,
                                                      std::string_view site) const override;
  [[nodiscard]] Result<std::optional<StoredPage>> find(std::string_view url,
                                                       std::string_view site) const override;
  [[nodiscard]] Result<std::optional<StoredPage>> get(std::string_view site, std::string_view section,
                                                      std::string_view url) const override;
  [[nodiscard]] Result<std::optional<StoredPage>> find(std::string_view site, std::string_view section,
                                                       std::string_view url) const override;
  Result<void> get_many(const PageRequests& requests, const FoundPageUse& use) const override {
    return local::get_many(*core_, requests, use);
  }
  Result<void> each_page(const PageFilter& filter,
                         const std::function<Result<bool>(const StoredPage&)>& use) const override {
    return walk_pages(*core_, filter, use);
  }
  [[nodiscard]] std::unique_ptr<PageRanges> page_ranges(const PageFilter& filter,
                                                        unsigned threads) const override {
    return local::page_ranges(*core_, filter, threads);
  }

  [[nodiscard]] Result<FeedCursor> newest_change() const override;
  Result<void> changes(const FeedCursor& since,
                       const std::function<Result<bool>(const StoreChange&)>& use) const override;
  Result<void> refresh() override { return core_->refresh(); }

  Result<ApplySummary> apply(std::string_view site, std::string_view section,
                             std::unique_ptr<base::ByteSource> collection,
                             const ApplyOptions& options) override;
  Result<void> settle(std::string_view site, std::string_view section) override;
  Result<PageChanges> commit(SectionEdit& edit) override;
  Result<std::uint64_t> drop_section(std::string_view site, std::string_view section, Instant now) override;

  [[nodiscard]] Result<std::optional<std::string>> note(std::string_view site,
                                                        std::string_view name) const override;
  Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<Result<bool>(std::string_view name, std::string_view value)>& use) const override;

  [[nodiscard]] Result<std::optional<SectionRecord>> section_record(std::string_view site,
                                                                    std::string_view section) const override {
    return core_->view().section(site, section);
  }
  Result<std::unique_ptr<SectionWriter>> write_section(std::string_view site,
                                                       std::string_view section) override {
    SHEAF_TRY(core_->check_writable(site, section));
    return std::make_unique<LocalSectionWriter>(*core_, site, section);
  }

  Result<GcSummary> gc(const GcOptions& options) override { return collect_garbage(*core_, options); }
  Result<bool> pack(std::uint64_t worth, unsigned threads, const StoreProgressSink& progress) override {
    return pack_pages(*core_, worth, threads, progress);
  }
  Result<RepairSummary> repair(std::string_view site) override { return repair_store(*core_, site); }
  Result<VerifySummary> verify(unsigned threads, const StoreProgressSink& progress) const override {
    return verify_store(*core_, threads, progress);
  }
  [[nodiscard]] Result<std::uint64_t> disk_bytes() const override { return core_->database().disk_bytes(); }

 private:
  std::unique_ptr<StoreCore> core_;
};

Result<std::vector<SectionState>> LocalStore::sections(std::string_view site) const {
  SHEAF_TRY_ASSIGN(const auto named, core_->view().sections(site));
  std::vector<SectionState> states;
  states.reserve(named.size());
  for (const NamedSection& section : named) states.push_back(to_state(section));
  return states;
}

Result<std::optional<SectionState>> LocalStore::section(std::string_view site,
                                                        std::string_view section) const {
  SHEAF_TRY_ASSIGN(const auto record, core_->view().section(site, section));
  if (!record) return std::nullopt;
  return to_state({std::string(site), std::string(section), *record});
}

Result<std::optional<StoredPage>> LocalStore::get(std::string_view url, std::string_view site) const {
  const StoreView view = core_->view();
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(site));
  SHEAF_TRY_ASSIGN(auto found, find_page(view, sections, url, site));
  if (!found) return std::nullopt;
  return load(view, *found->section, std::move(found->entry));
}

Result<std::optional<StoredPage>> LocalStore::find(std::string_view url, std::string_view site) const {
  const StoreView view = core_->view();
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(site));
  SHEAF_TRY_ASSIGN(auto found, find_page(view, sections, url, site));
  if (!found) return std::nullopt;
  return without_json(*found->section, std::move(found->entry));
}

Result<std::optional<StoredPage>> LocalStore::get(std::string_view site, std::string_view section,
                                                  std::string_view url) const {
  const StoreView view = core_->view();
  SHEAF_TRY_ASSIGN(auto found, find_in_section(view, site, section, url));
  if (!found) return std::nullopt;
  return load(view, found->section, std::move(found->entry));
}

Result<std::optional<StoredPage>> LocalStore::find(std::string_view site, std::string_view section,
                                                   std::string_view url) const {
  SHEAF_TRY_ASSIGN(auto found, find_in_section(core_->view(), site, section, url));
  if (!found) return std::nullopt;
  return without_json(found->section, std::move(found->entry));
}

Result<FeedCursor> LocalStore::newest_change() const {
  SHEAF_TRY_ASSIGN(const Meta meta, core_->view().meta());
  return meta.last_sequence;
}

Result<void> LocalStore::changes(const FeedCursor& after,
                                 const std::function<Result<bool>(const StoreChange&)>& use) const {
  if (after.parts() != 1 && !after.is_start())
    return fail(
        Errc::refused,
        "that is a position in the feed of a shared store; a local store expects the number of a change");
  const std::uint64_t since = after.total();
  const StoreView view = core_->view();
  SHEAF_TRY_ASSIGN(const Meta meta, view.meta());
  if (since == meta.last_sequence) return {};
  if (since > meta.last_sequence)
    return fail(Errc::refused, fmt::format("there is no change {}: the newest of this store is {}; if the "
                                           "store was created again, read all pages, then continue from {}",
                                           since, meta.last_sequence, meta.last_sequence));
  if (since + 1 < meta.first_sequence)
    return fail(Errc::refused, fmt::format("the change feed begins with {}: earlier changes were deleted by "
                                           "gc, so {} is too far back; read all pages, then continue from {}",
                                           meta.first_sequence, since, meta.last_sequence));
  auto cursor = view.view().scan(kFeed);
  for (cursor.seek(feed_key(since + 1)); cursor.valid(); cursor.next()) {
    const auto change = decode_change(cursor.key(), cursor.value());
    if (!change) return std::unexpected(view.damaged("an entry of the change feed cannot be read"));
    SHEAF_TRY_ASSIGN(const bool more, use(*change));
    if (!more) return {};
  }
  return cursor.check();
}

Result<ApplySummary> LocalStore::apply(std::string_view site, std::string_view section,
                                       std::unique_ptr<base::ByteSource> collection,
                                       const ApplyOptions& options) {
  SHEAF_TRY(core_->check_writable(site, section));
  LocalSectionWriter writer(*core_, site, section, {.pack_threads = options.pack_threads});
  return apply_collection(writer, site, section, std::move(collection), options, core_->folder());
}

Result<void> LocalStore::settle(std::string_view site, std::string_view section) {
  SHEAF_TRY(core_->check_writable(site, section));
  LocalSectionWriter writer(*core_, site, section);
  return settle_section(writer);
}

Result<PageChanges> LocalStore::commit(SectionEdit& edit) {
  SHEAF_TRY(core_->check_writable(edit.site(), edit.section()));
  LocalSectionWriter writer(*core_, edit.site(), edit.section(), {}, SectionChange::Memory::unbounded);
  SHEAF_TRY_ASSIGN(const PageChanges summary, commit_edit(writer, edit));
  edit.clear();
  return summary;
}

Result<std::uint64_t> LocalStore::drop_section(std::string_view site, std::string_view section, Instant now) {
  SHEAF_TRY(core_->check_writable(site, section));
  LocalSectionWriter writer(*core_, site, section);
  return store::drop_section(writer, section, now);
}

Result<std::optional<std::string>> LocalStore::note(std::string_view site, std::string_view name) const {
  return core_->database().get(note_key(site, name));
}

Result<void> LocalStore::each_note(
    std::string_view site, std::string_view prefix,
    const std::function<Result<bool>(std::string_view name, std::string_view value)>& use) const {
  const std::size_t before_name = note_key(site, "").size();
  auto cursor = std::as_const(*core_).database().scan(note_key(site, prefix));
  for (; cursor.valid(); cursor.next()) {
    SHEAF_TRY_ASSIGN(const bool more, use(cursor.key().substr(before_name), cursor.value()));
    if (!more) return {};
  }
  return cursor.check();
}

}  // namespace

Result<std::unique_ptr<PageStore>> open_local_store(const std::filesystem::path& folder, StoreAccess access) {
  SHEAF_TRY_ASSIGN(auto core, StoreCore::open(folder, access));
  return std::make_unique<LocalStore>(std::move(core));
}

Result<std::string> local_store_identity(const std::filesystem::path& folder) {
  // RocksDB writes this file when it creates a database.
  const std::filesystem::path file = folder / "pages" / "IDENTITY";
  std::ifstream input(file);
  std::string identity;
  if (input >> identity) return identity;
  return fail(Errc::io, fmt::format("cannot read {}", file.string()));
}

}  // namespace sheaf::store::local
