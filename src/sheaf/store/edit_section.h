#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"

#include <cstdint>
#include <string_view>

namespace sheaf::store {

/// Implements PageStore::commit(), except that the edit is not emptied.
base::Result<PageChanges> commit_edit(SectionWriter& writer, const SectionEdit& edit);

/// Implements PageStore::drop_section().
base::Result<std::uint64_t> drop_section(SectionWriter& writer, std::string_view section, Instant now);

}  // namespace sheaf::store
