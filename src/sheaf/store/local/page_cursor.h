#pragma once

#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"

#include <cstdint>
#include <expected>
#include <string>

namespace sheaf::store::local {

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

}  // namespace sheaf::store::local
