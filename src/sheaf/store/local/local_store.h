#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <filesystem>
#include <memory>
#include <string>

// A store in a local folder, based on RocksDB (docs/store.md describes the files).
//
// There are two tables. The main table has small records that change: sections, an index from URL to page for
// each section, the change feed, and notes. The data table has the pages. They are written once, under
// increasing numbers, so that a walk reads the table sequentially and packing compresses similar pages
// together. An operation first writes pages that nothing refers to yet (DataWriter), then makes everything
// visible with one write to the main table (SectionChange). Pages of an interrupted operation are deleted
// when the store is opened next.
namespace sheaf::store::local {

/// See store::open_store.
base::Result<std::unique_ptr<PageStore>> open_local_store(const std::filesystem::path& folder,
                                                          StoreAccess access);

/// See store::store_identity.
base::Result<std::string> local_store_identity(const std::filesystem::path& folder);

}  // namespace sheaf::store::local
