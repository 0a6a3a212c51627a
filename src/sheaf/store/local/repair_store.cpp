#include "sheaf/base/external_sort.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/local/maintenance.h"
#include "sheaf/store/local/page_cursor.h"
#include "sheaf/store/local/section_change.h"
#include "sheaf/store/local/section_index.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

/// Finds the unreadable pages of one section and deletes them.
class SectionRepair {
 public:
  SectionRepair(StoreCore& core, const NamedSection& section)
      : core_(core), section_(section), view_(core.view()), pages_(kSortMemory, core.folder()) {}

  Result<void> run(RepairSummary& summary) {
    SHEAF_TRY(read_index());
    SHEAF_TRY(pages_.sort());
    SHEAF_TRY(read_pages(summary));
    if (damaged_.empty()) return {};
    summary.damaged += damaged_.size();
    ++summary.sections;
    return remove_damaged();
  }

 private:
  /// Sets the totals in the record to those of the readable entries.
  Result<void> read_index() {
    SectionRecord& record = section_.record;
    record.pages = record.bytes = 0;
    format::StateDigest state;
    auto cursor = view_.view().scan(index_prefix(record.id));
    for (; cursor.valid(); cursor.next()) {
      const auto url = url_of_index_key(cursor.key());
      const auto entry = decode_entry(cursor.value());
      if (!url || !entry) {
        damaged_.emplace(cursor.key());
        continue;
      }
      ++record.pages;
      record.bytes += entry->json_bytes;
      state.add(entry->url, entry->modified);
      SHEAF_TRY(pages_.add({entry->place, *url, entry->json_bytes}));
    }
    record.state = state.sum();
    return cursor.check();
  }

  Result<void> read_pages(RepairSummary& summary) {
    PageCursor cursor(view_.view());
    format::StoredPageDecoder decoder(format::Detail::checks);
    UrlHasher hash;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto page, pages_.next());
      if (!page) return {};
      const auto data = cursor.read(page->place, page->json_bytes);
      const bool good = data && hash(data->url) == page->url && cursor.decode(*data, decoder);
      if (good) ++summary.pages;
      if (!good) damaged_.insert(index_key(section_.record.id, page->url));
    }
  }

  Result<void> remove_damaged() {
    std::unique_lock lock(core_.commit_mutex());
    SectionRecord record = section_.record;
    // Resets the section as if nothing had been applied yet, so that the next pull can apply a snapshot of
    // any age.
    record.generated = {};
    record.snapshot.reset();
    SectionChange change(core_, section_.site, section_.name, record);
    for (const std::string& key : damaged_) {
      const auto url = url_of_index_key(key);
      const auto bytes = view_.view().get(key);
      if (!bytes) return std::unexpected(bytes.error());
      const auto entry = *bytes ? decode_entry(**bytes) : std::nullopt;
      SHEAF_TRY(url && entry ? change.remove(*url, *entry) : change.forget(key));
    }
    SHEAF_TRY(change.commit());
    lock.unlock();
    return change.delete_old_data();
  }

  StoreCore& core_;
  NamedSection section_;
  StoreView view_;
  base::ExternalSort<PlacedPage> pages_;
  std::set<std::string> damaged_;  ///< keys of the index, sorted
};

}  // namespace

Result<RepairSummary> repair_store(StoreCore& core, std::string_view site) {
  SHEAF_TRY(core.check_writable(site, ""));
  SHEAF_TRY_ASSIGN(const auto sections, core.view().sections(site));
  RepairSummary summary;
  for (const NamedSection& section : sections) {
    const auto lock = core.lock_section(section.site, section.name);
    SHEAF_TRY_ASSIGN(const auto record, core.view().section(section.site, section.name));
    if (record) SHEAF_TRY(SectionRepair(core, {section.site, section.name, *record}).run(summary));
  }
  return summary;
}

}  // namespace sheaf::store::local
