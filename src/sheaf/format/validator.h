#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/format/collection_reader.h"
#include "sheaf/format/finding.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::format {

struct ValidateOptions {
  Limits limits;
  unsigned threads = 1;
  HeadRule head = HeadRule::required;
  /// Findings kept in full, for each code; all are counted. What a hostile file can make us hold is bounded
  /// by this.
  std::size_t findings_per_code = 100;
  /// Called now and then with the bytes read so far (compressed) and the pages.
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
};

/// What a validator says of one file.
struct ValidationReport {
  std::string file;
  std::optional<Finding> fatal;
  std::optional<model::CollectionHead> head;
  std::uint64_t pages = 0;  ///< after duplicates are resolved
  ChecksumVerdict checksum = ChecksumVerdict::unchecked;
  ReaderStatistics statistics;
  std::vector<Finding> findings;                   ///< in the order of the file
  std::array<std::uint64_t, kCodeCount> counts{};  ///< of every code, also where not every finding was kept

  /// The bytes could not be had, so nothing can be said of the file.
  [[nodiscard]] bool is_unreadable() const { return fatal && fatal->code == Code::read_failed; }
  [[nodiscard]] bool is_valid() const { return !fatal; }
  /// Valid, and no page was skipped, no block dropped and nothing warned of.
  [[nodiscard]] bool is_strictly_valid() const;
};

ValidationReport validate(std::unique_ptr<base::ByteSource> source, const ValidateOptions& options);

}  // namespace sheaf::format
