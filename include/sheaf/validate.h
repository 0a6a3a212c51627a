// sheaf/validate.h - check a whole collection
//
// Says of a file what a reader would make of it: whether it is valid, and everything that is wrong with it.
// The same as `sheaf validate`.
//
//     #include <sheaf/validate.h>
//
//     #include <cstdio>
//
//     int main() {
//       const auto report = sheaf::validate("monday.scp");
//       if (!report) return std::fprintf(stderr, "%s\n", report.error().message.c_str()), 2;
//       for (const sheaf::Finding& finding : report->findings)
//         std::printf("line %d: %s\n", static_cast<int>(finding.line), finding.message.c_str());
//       return report->is_valid() ? 0 : 1;
//     }
//
// Errors: only a file that cannot be read is an error. One that breaks the format has a report that says so.
//
// Memory: flat, plus at most 16 bytes per page to find duplicate URLs.
//
// Threads: any number of calls at a time. ValidateOptions::threads speeds up one.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/error.h>
#include <sheaf/reader.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf {

struct ValidateOptions {
  Limits limits;
  unsigned threads = 1;
  HeadRule head = HeadRule::required;
  /// Findings kept in full, for each code; all are counted. Bounds the memory that a hostile file can cost.
  std::size_t findings_per_code = 100;
  /// Called now and then with the bytes read so far (compressed) and the pages.
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
};

/// What a validator says of one file.
struct ValidationReport {
  std::string file;
  std::optional<Finding> fatal;  ///< why the file is refused
  std::optional<CollectionHead> head;
  std::uint64_t pages = 0;  ///< after duplicates are resolved
  ChecksumVerdict checksum = ChecksumVerdict::unchecked;
  ReaderStatistics statistics;
  std::vector<Finding> findings;  ///< in the order of the file, without the fatal one
  std::array<std::uint64_t, kFindingCodes>
      counts{};  ///< of every code, also where not every finding was kept

  /// The file could not be read, so it was not validated.
  [[nodiscard]] bool is_unreadable() const { return fatal && fatal->code == FindingCode::read_failed; }
  [[nodiscard]] bool is_valid() const { return !fatal; }
  /// Valid, and no page was skipped, no block dropped and nothing warned of.
  [[nodiscard]] bool is_strictly_valid() const;
};

/// Reads the file to its end; "-" is standard input.
Result<ValidationReport> validate(const std::filesystem::path& file, const ValidateOptions& options = {});

}  // namespace sheaf
