#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <filesystem>
#include <memory>

// A store in a folder of this machine, on RocksDB (docs/store.md describes the files).
//
// Two tables. The main table has small records that change: sections, an index from URL to page for each
// section, the change feed, notes. The data table has the pages, written once under ever higher numbers, so
// that a walk reads them from end to end and packing compresses like with like. An operation first writes
// pages that nothing refers to yet (DataWriter), then makes everything visible with one write to the main
// table (SectionChange); an operation that is interrupted leaves pages that the next opening deletes.
namespace sheaf::store::local {

/// See store::open_store.
base::Result<std::unique_ptr<PageStore>> open_local_store(const std::filesystem::path& folder, Access access);

}  // namespace sheaf::store::local
