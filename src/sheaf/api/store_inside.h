#pragma once

#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"
#include <sheaf/store.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

namespace sheaf {

class Store::Impl {
 public:
  Impl(std::filesystem::path path, std::unique_ptr<store::PageStore> pages)
      : folder(std::move(path)), store(std::move(pages)) {}

  std::filesystem::path folder;
  std::unique_ptr<store::PageStore> store;
  std::mutex index_lock;
  std::unique_ptr<search::SearchIndex> index;  ///< opened by the first search
};

/// What pull and export need of a Store.
class StoreInside {
 public:
  static store::PageStore& pages(Store& store) { return *store.impl_->store; }
  static const store::PageStore& pages(const Store& store) { return *store.impl_->store; }
  static const std::filesystem::path& folder(const Store& store) { return store.impl_->folder; }
};

}  // namespace sheaf
