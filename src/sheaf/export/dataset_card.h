#pragma once

#include "sheaf/export/parquet_shards.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sheaf::exporting {

/// The figures in a dataset card, counted while the pages are written.
class DatasetFacts {
 public:
  void add(std::string_view site, std::string_view language);

  TableCounts counts;
  TableColumns columns;
  std::uint64_t files = 0;
  std::uint64_t file_bytes = 0;

  [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>>& languages() const {
    return languages_;
  }
  [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>>& sites() const { return sites_; }

 private:
  std::map<std::string, std::uint64_t, std::less<>> languages_;
  std::map<std::string, std::uint64_t, std::less<>> sites_;
};

/// Returns the README.md of a dataset in Hugging Face's layout. Its top is for their tools (configuration,
/// features, splits, sizes); the rest tells people where the pages come from.
std::string dataset_card(const DatasetFacts& facts);

}  // namespace sheaf::exporting
