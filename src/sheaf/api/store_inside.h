#pragma once

#include "sheaf/store/page_store.h"
#include <sheaf/store.h>

#include <filesystem>
#include <memory>
#include <utility>

namespace sheaf {

class Store::Impl {
 public:
  Impl(std::filesystem::path path, std::unique_ptr<store::PageStore> pages)
      : folder(std::move(path)), store(std::move(pages)) {}

  std::filesystem::path folder;
  std::unique_ptr<store::PageStore> store;
};

/// What pull and export need of a Store.
class StoreInside {
 public:
  static store::PageStore& pages(Store& store) { return *store.impl_->store; }
  static const store::PageStore& pages(const Store& store) { return *store.impl_->store; }
  static const std::filesystem::path& folder(const Store& store) { return store.impl_->folder; }
};

}  // namespace sheaf
