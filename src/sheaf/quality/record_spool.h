#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::quality {

/// A list of records that may not fit in memory. Records are appended one by one, then read in order or by
/// position. Up to a megabyte is kept in memory; more is written to a temporary file.
class RecordSpool {
 public:
  /// `folder` is for the temporary file, as in base::SpoolFile::create().
  explicit RecordSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends a record and returns its position, for at().
  base::Result<std::uint64_t> append(std::string_view record);
  /// Calls `use` for each record in order. If `use` fails, each() stops and returns the error.
  base::Result<void> each(const std::function<base::Result<void>(std::string_view)>& use) const;
  base::Result<std::string> at(std::uint64_t place) const;
  [[nodiscard]] std::uint64_t records() const { return records_; }

 private:
  base::Result<void> flush();
  base::Result<void> read(std::uint64_t place, std::string& out, std::size_t size) const;
  [[nodiscard]] std::uint64_t end() const { return flushed_ + buffer_.size(); }

  std::filesystem::path folder_;
  std::optional<base::SpoolFile> file_;
  std::string buffer_;         ///< records that are not in the file yet
  std::uint64_t flushed_ = 0;  ///< number of bytes in the file
  std::uint64_t records_ = 0;
};

}  // namespace sheaf::quality
