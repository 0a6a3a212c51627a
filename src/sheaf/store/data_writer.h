#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/database.h"
#include "sheaf/store/section_change.h"
#include "sheaf/store/store_core.h"
#include "sheaf/store/store_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::store {

/// Writes the pages of one run before anything refers to them. A few are held in memory and go along with the
/// change that makes them visible; more go to the database in sorted files, under a mark that says so, and
/// are taken away again if nothing comes of it.
class DataWriter {
 public:
  explicit DataWriter(StoreCore& core) : core_(core), run_(core.new_run()) {}
  ~DataWriter();
  DataWriter(const DataWriter&) = delete;
  DataWriter& operator=(const DataWriter&) = delete;

  /// Where it will be.
  base::Result<Place> add(const PageData& data);

  /// Everything is in the database or goes along with the change, which must be committed next. With the
  /// commit mutex held, as for the change.
  base::Result<void> hand_over(SectionChange& change);
  /// The change was committed: the pages stay.
  void keep() { kept_ = true; }

 private:
  base::Result<void> spill();  ///< with the commit mutex
  base::Result<void> open_file();
  base::Result<void> write(std::string_view key, std::string_view value);
  base::Result<void> close_file();

  StoreCore& core_;
  std::uint64_t run_;
  std::uint64_t count_ = 0;
  std::vector<std::pair<std::string, std::string>> held_;
  std::size_t held_bytes_ = 0;
  std::optional<Database::SortedFile> file_;
  bool marked_ = false;
  bool kept_ = false;
  std::string value_;
};

}  // namespace sheaf::store
