#pragma once

#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

/// A page to be read. Reading is fastest in the order of places.
struct PlacedPage {
  Place place;
  UrlKey url{};
  std::uint64_t json_bytes = 0;
  friend bool operator<(const PlacedPage& a, const PlacedPage& b) { return a.place < b.place; }
};

/// The entries of a section that pass a filter. The constructor's arguments must outlive it.
class SectionIndex {
 public:
  using EntryUse = std::function<base::Result<bool>(const UrlKey&, PageEntry&)>;

  SectionIndex(const StoreView& view, const NamedSection& section, const PageFilter& filter)
      : view_(view), section_(section), filter_(filter) {}

  [[nodiscard]] bool is_wanted(const PageEntry& entry) const;

  /// Calls `use` with each wanted entry, sorted by hash. Returns false if `use` ended the scan.
  base::Result<bool> scan(const EntryUse& use) const;
  /// Like scan(), but only for entries whose hash begins with this byte, so that several threads can divide
  /// the work.
  base::Result<bool> scan_part(std::uint8_t first_byte, const EntryUse& use) const;

  /// Reports unreadable data to PageFilter::on_damage. Without it, returns an error.
  [[nodiscard]] base::Result<void> pass_over(const std::string& sentence) const;
  /// A sentence about a page; `what` is what is wrong with it, such as "is missing".
  [[nodiscard]] std::string describe(const UrlKey& url, std::string_view what) const;

  /// A page with only the names of site and section.
  [[nodiscard]] StoredPage page_of_section() const;

 private:
  base::Result<bool> scan_keys(const std::string& prefix, const EntryUse& use) const;

  const StoreView& view_;
  const NamedSection& section_;
  const PageFilter& filter_;
};

const StoredPage& fill(StoredPage& page, PageEntry entry);
const StoredPage& fill(StoredPage& page, const PageData& data);

/// Reads pages from the data table, fastest in the order of their places.
class PageCursor {
 public:
  explicit PageCursor(const Database::View& view) : cursor_(view.scan("", Table::data)) {}

  /// The page at `place`, assembled from its parts; valid until the next call. The message of an error
  /// describes the page: "is missing". Other pages can still be read after an error.
  base::Result<PageData> read(const Place& place, std::uint64_t json_bytes);
  /// The page of the last read(), decoded; valid until the next read. A large JSON text is not copied.
  std::expected<const Page*, std::string> decode(const PageData& page,
                                                 format::StoredPageDecoder& decoder) const;

 private:
  base::Result<PageData> read_record(const Place& place);

  Database::Cursor cursor_;
  std::string url_;
  std::string modified_;
  std::string json_;  ///< of a page in several parts, followed by format::kLinePadding bytes
};

struct FoundPage {
  const NamedSection* section;
  PageEntry entry;
};

/// The page with this URL; if several sections have it, the newest version. Without a site, the site of the
/// URL's origin is searched first.
base::Result<std::optional<FoundPage>> find_page(const StoreView& view,
                                                 const std::vector<NamedSection>& sections,
                                                 std::string_view url, std::string_view site);

/// Implements PageStore::get_many().
base::Result<void> get_many(const StoreCore& core, const PageRequests& requests, const FoundPageUse& use);

}  // namespace sheaf::store::local
