#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/index_writer.h"
#include "sheaf/search/search_index.h"

#include <memory>
#include <string>

namespace sheaf::search {

/// The functions of search/shared/, which is in the same component as shared stores.
struct SharedIndexes {
  base::Result<std::unique_ptr<SearchIndex>> (*open)(const std::string& url);
  base::Result<std::unique_ptr<IndexWriter>> (*open_writer)(const std::string& url, IndexWriter::Start start);
};

/// The component. Fails if it is not installed.
base::Result<const SharedIndexes*> shared_indexes();

}  // namespace sheaf::search
