#pragma once

#include "sheaf/search/index_writer.h"

#include <xapian.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::search {

struct XapianPage final : PreparedPage {
  std::string key;  ///< the term that only this page has
  Xapian::Document document;
  std::uint64_t terms = 0;
  std::vector<std::string> new_words;
};

/// Makes documents from pages. `folder` is the folder of the index, for error messages.
std::unique_ptr<PagePreparer> make_document_preparer(std::filesystem::path folder);

}  // namespace sheaf::search
