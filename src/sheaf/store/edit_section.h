#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/store_core.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

/// What an edit holds until it is committed.
struct PendingEdit {
  struct Page {
    std::string modified;
    std::string json;
    base::Instant learnt;
  };
  struct NoteChange {
    std::string name;
    std::optional<std::string> value;  ///< nothing: it is removed
    bool whole_prefix = false;
  };

  std::string site;
  std::string section;
  std::map<std::string, std::optional<Page>, std::less<>> pages;  ///< by URL; nothing: it is removed
  std::vector<NoteChange> notes;                                  ///< in the order of the calls
  std::size_t bytes = 0;
};

/// PageStore::commit.
base::Result<PageStore::EditSummary> commit_edit(StoreCore& core, const PendingEdit& edit);

/// PageStore::drop_section.
base::Result<std::uint64_t> drop_section(StoreCore& core, std::string_view site, std::string_view section,
                                         base::Instant now);

}  // namespace sheaf::store
