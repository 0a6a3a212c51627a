// sheaf/validate.h - check a whole collection
//
// Reads a whole file and reports whether it is valid, and all problems that a reader finds in it. The same as
// `sheaf validate`.
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
// Errors: validate() fails only if the file cannot be read. For an invalid file it returns a report.
//
// Memory: constant, plus at most 16 bytes per page to find duplicate URLs.
//
// Threads: validate() is thread-safe. ValidateOptions::threads makes a single call faster.
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
  /// Maximum number of findings kept per code; all are counted. Bounds the memory that a malicious file
  /// costs.
  std::size_t findings_per_code = 100;
  /// Called repeatedly with the numbers of compressed bytes and of pages read so far.
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
};

/// The result of validating one file.
struct ValidationReport {
  std::string file;
  std::optional<Finding> fatal;  ///< the reason why the file is refused
  std::optional<CollectionHead> head;
  std::uint64_t pages = 0;  ///< after duplicates are resolved
  ChecksumVerdict checksum = ChecksumVerdict::unchecked;
  ReaderStatistics statistics;
  std::vector<Finding> findings;  ///< in file order, without the fatal one
  std::array<std::uint64_t, kFindingCodes>
      counts{};  ///< findings per code, including those that were not kept

  /// The file could not be read, so it was not validated.
  [[nodiscard]] bool is_unreadable() const { return fatal && fatal->code == FindingCode::read_failed; }
  [[nodiscard]] bool is_valid() const { return !fatal; }
  /// Valid and without findings: no page was skipped, no block was dropped and there are no warnings.
  [[nodiscard]] bool is_strictly_valid() const;
};

struct QualitySummary {
  std::uint64_t pages = 0;   ///< measured pages
  std::uint64_t unread = 0;  ///< unchanged pages, which were not read and not measured
  std::uint64_t skipped = 0;
  std::uint64_t near_empty = 0;
  std::uint64_t missing_titles = 0;
  std::uint64_t duplicate_titles = 0;  ///< pages that share their title with another
  std::uint64_t repeated_texts = 0;    ///< texts that occur on at least half of the pages
  std::uint64_t low_share = 0;         ///< pages with an unusually small kept share
  std::uint64_t high_share = 0;        ///< pages with an unusually large kept share

  [[nodiscard]] bool has_findings() const {
    return near_empty + missing_titles + duplicate_titles + repeated_texts + low_share + high_share > 0;
  }
};

/// Reads the file to its end; "-" is standard input.
Result<ValidationReport> validate(const std::filesystem::path& file, const ValidateOptions& options = {});

}  // namespace sheaf
