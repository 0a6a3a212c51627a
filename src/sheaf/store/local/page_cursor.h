#pragma once

#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/stored_page_decoder.h"

#include <cstdint>
#include <expected>
#include <string>

namespace sheaf::store::local {

/// Reads pages from the data table, quickest in the order of their places.
class PageCursor {
 public:
  explicit PageCursor(const Database::View& view) : cursor_(view.scan("", Table::data)) {}

  /// The page at that place, its parts put together. It lives until the next call. An error's message is what
  /// to say of the page: "is missing". Other pages can still be read after one.
  base::Result<PageData> read(const Place& place, std::uint64_t json_bytes);
  /// The page of the last read(), decoded without a copy of its JSON where that is large; until the next
  /// read.
  std::expected<const Page*, std::string> decode(const PageData& page, StoredPageDecoder& decoder) const;

 private:
  base::Result<PageData> read_record(const Place& place);

  Database::Cursor cursor_;
  std::string url_;
  std::string modified_;
  std::string json_;  ///< of a page in several parts, with format::kLinePadding bytes behind it
};

}  // namespace sheaf::store::local
