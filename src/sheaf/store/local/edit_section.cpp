#include "sheaf/store/local/edit_section.h"

#include "sheaf/store/local/data_writer.h"
#include "sheaf/store/local/section_change.h"
#include "sheaf/store/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Errc;
using base::fail;
using base::Result;

/// A page must be what readers of the store rely on: one line, valid, with this URL and time.
class PageCheck {
 public:
  Result<Instant> operator()(std::string_view url, const SectionEdit::Page& page) {
    if (page.json.find('\n') != std::string::npos) return refuse(url, "its JSON has a line feed");
    const auto decoded = decoder_(page.json);
    if (!decoded) return refuse(url, decoded.error());
    if ((*decoded)->url != url || (*decoded)->modified != page.modified)
      return refuse(url,
                    fmt::format("its JSON is of {}, modified {}", (*decoded)->url, (*decoded)->modified));
    return (*decoded)->modified_at;
  }

 private:
  static std::unexpected<base::Error> refuse(std::string_view url, std::string_view why) {
    return fail(Errc::invalid_argument, fmt::format("the page {} cannot be stored: {}", url, why));
  }

  StoredPageDecoder decoder_{format::Detail::checks};
};

class EditCommit {
 public:
  EditCommit(StoreCore& core, const SectionEdit& edit) : core_(core), edit_(edit) {}

  Result<PageChanges> run() {
    SHEAF_TRY(check_pages());
    const auto section_lock = core_.lock_section(edit_.site(), edit_.section());
    if (edit_.pages().empty()) {
      SHEAF_TRY(commit_notes());
      return summary_;
    }
    DataWriter data(core_);
    SHEAF_TRY_ASSIGN(const auto before, core_.view().section(edit_.site(), edit_.section()));
    if (before && before->origin != Origin::html)
      return fail(Errc::refused,
                  fmt::format("section {} of {} is filled from collections; single pages cannot be changed",
                              edit_.section(), edit_.site()));
    // Before the commit mutex is taken, which writing the data needs. The section is locked, so nothing
    // changes meanwhile.
    SHEAF_TRY(write_data(before, data));
    std::unique_lock lock(core_.commit_mutex());
    SectionRecord record = before.value_or(SectionRecord{});
    record.origin = Origin::html;
    SectionChange change(core_, edit_.site(), edit_.section(), record, SectionChange::Memory::unbounded);
    SHEAF_TRY(change_pages(change));
    change.record().changed_at = sheaf::now();
    SHEAF_TRY(data.hand_over(change));
    add_notes(change.more());
    SHEAF_TRY(change.commit());
    data.keep();
    lock.unlock();
    SHEAF_TRY(change.delete_old_data());
    return summary_;
  }

 private:
  Result<void> check_pages() {
    PageCheck check;
    for (const auto& [url, page] : edit_.pages()) {
      Item item{.key = hash_(url), .url = &url, .page = page ? &*page : nullptr, .modified_at = {}};
      if (page) {
        SHEAF_TRY_ASSIGN(item.modified_at, check(url, *page));
      }
      items_.push_back(std::move(item));
    }
    std::ranges::sort(items_, {}, &Item::key);
    return {};
  }

  struct Item {
    UrlKey key;
    const std::string* url;
    const SectionEdit::Page* page;  ///< null: it is removed
    Instant modified_at;
    std::optional<PageEntry> stored = {};
    bool same = false;  ///< as the stored page
    Place place = {};   ///< of its data
  };

  Result<void> write_data(const std::optional<SectionRecord>& before, DataWriter& data) {
    const StoreView view = core_.view();
    for (Item& item : items_) {
      if (before) {
        SHEAF_TRY_ASSIGN(item.stored, view.entry(before->id, item.key));
      }
      if (item.page == nullptr) continue;
      SHEAF_TRY_ASSIGN(item.same, is_same(view, item.stored, *item.page));
      SHEAF_TRY_ASSIGN(item.place, data.add({*item.url, item.page->modified, item.page->learnt,
                                             item.page->json, item.page->learnt}));
    }
    return {};
  }

  Result<void> change_pages(SectionChange& change) {
    for (const Item& item : items_) {
      if (item.page != nullptr) {
        SHEAF_TRY(put(change, item));
      } else if (item.stored) {
        ++summary_.removed;
        SHEAF_TRY(change.remove(item.key, *item.stored));
      }
    }
    return {};
  }

  Result<void> put(SectionChange& change, const Item& item) {
    const SectionEdit::Page& page = *item.page;
    const PageEntry entry{*item.url,   page.modified, item.modified_at,
                          page.learnt, item.place,    page.json.size()};
    if (!item.stored) ++summary_.added;
    if (item.stored && !item.same) ++summary_.changed;
    change.record().generated = std::max(change.record().generated, page.learnt);
    return change.put(item.key, item.stored, entry,
                      item.same ? SectionChange::Feed::omit : SectionChange::Feed::report);
  }

  /// An identical page is not reported in the feed, only its time is updated. An unreadable page is replaced
  /// like any other.
  static Result<bool> is_same(const StoreView& view, const std::optional<PageEntry>& stored,
                              const SectionEdit::Page& page) {
    if (!stored || stored->modified != page.modified || stored->json_bytes != page.json.size()) return false;
    const auto json = view.json(*stored);
    if (!json && json.error().code != Errc::invalid_data) return std::unexpected(json.error());
    return json && *json == page.json;
  }

  void add_notes(Database::Batch& batch) const {
    for (const SectionEdit::NoteChange& note : edit_.notes()) {
      const std::string key = note_key(edit_.site(), note.name);
      if (note.whole_prefix) {
        batch.remove_prefix(key);
      } else if (note.value) {
        batch.put(key, *note.value);
      } else {
        batch.remove(key);
      }
    }
  }

  Result<void> commit_notes() {
    const std::lock_guard lock(core_.commit_mutex());
    Database::Batch batch(core_.database());
    add_notes(batch);
    if (batch.empty()) return {};
    Meta meta = core_.meta();
    ++meta.commits;
    batch.put(kMetaKey, encode(meta));
    SHEAF_TRY(core_.database().write(batch, Durability::synced));
    core_.meta() = meta;
    core_.journal().add(meta);
    return {};
  }

  StoreCore& core_;
  const SectionEdit& edit_;
  UrlHasher hash_;
  std::vector<Item> items_;
  PageChanges summary_;
};

/// Whether another section of the site has the page.
Result<bool> is_elsewhere(const StoreView& view, const std::vector<NamedSection>& sections,
                          std::uint32_t except, const UrlKey& url) {
  for (const NamedSection& section : sections) {
    if (section.record.id == except) continue;
    SHEAF_TRY_ASSIGN(const auto entry, view.entry(section.record.id, url));
    if (entry) return true;
  }
  return false;
}

}  // namespace

Result<PageChanges> commit_edit(StoreCore& core, const SectionEdit& edit) {
  SHEAF_TRY(core.check_writable(edit.site(), edit.section()));
  return EditCommit(core, edit).run();
}

Result<std::uint64_t> drop_section(StoreCore& core, std::string_view site, std::string_view section,
                                   Instant now) {
  SHEAF_TRY(core.check_writable(site, section));
  const auto section_lock = core.lock_section(site, section);
  std::unique_lock lock(core.commit_mutex());
  const StoreView view = core.view();
  SHEAF_TRY_ASSIGN(const auto before, view.section(site, section));
  if (!before) return 0;
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(site));
  SectionChange change(core, site, section, *before);
  change.record().changed_at = now;
  auto cursor = view.view().scan(index_prefix(before->id));
  for (; cursor.valid(); cursor.next()) {
    const auto url = url_of_index_key(cursor.key());
    const auto entry = decode_entry(cursor.value());
    if (!url || !entry) {
      // Deleting a damaged section repairs it. gc deletes the page, which is then unreferenced.
      SHEAF_TRY(change.forget(cursor.key()));
      continue;
    }
    SHEAF_TRY_ASSIGN(const bool elsewhere, is_elsewhere(view, sections, before->id, *url));
    SHEAF_TRY(
        change.remove(*url, *entry, elsewhere ? SectionChange::Feed::omit : SectionChange::Feed::report));
  }
  SHEAF_TRY(cursor.check());
  SHEAF_TRY(change.commit(SectionChange::Fate::dropped));
  lock.unlock();
  SHEAF_TRY(change.delete_old_data());
  return before->pages;
}

}  // namespace sheaf::store::local
