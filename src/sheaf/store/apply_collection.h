#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace sheaf::store {

/// Implements PageStore::apply(). Temporary files go to `folder`, or to the system's temporary folder if it
/// is empty.
base::Result<ApplySummary> apply_collection(SectionWriter& writer, std::string_view site,
                                            std::string_view section,
                                            std::unique_ptr<base::ByteSource> collection,
                                            const ApplyOptions& options, const std::filesystem::path& folder);

/// Implements PageStore::settle().
base::Result<void> settle_section(SectionWriter& writer);

}  // namespace sheaf::store
