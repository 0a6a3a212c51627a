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

/// Records that do not fit in memory: appended one by one, then read in order or by position. Up to a
/// megabyte stays in memory; a file is made for more.
class RecordSpool {
 public:
  /// `folder`: as for base::SpoolFile.
  explicit RecordSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Returns the position of the record, for at().
  base::Result<std::uint64_t> append(std::string_view record);
  /// Visits every record in order. An error from `use` ends the visit.
  base::Result<void> each(const std::function<base::Result<void>(std::string_view)>& use) const;
  base::Result<std::string> at(std::uint64_t place) const;
  [[nodiscard]] std::uint64_t records() const { return records_; }

 private:
  base::Result<void> flush();
  base::Result<void> read(std::uint64_t place, std::string& out, std::size_t size) const;
  [[nodiscard]] std::uint64_t end() const { return flushed_ + buffer_.size(); }

  std::filesystem::path folder_;
  std::optional<base::SpoolFile> file_;
  std::string buffer_;         ///< what is not in the file yet
  std::uint64_t flushed_ = 0;  ///< bytes in the file
  std::uint64_t records_ = 0;
};

}  // namespace sheaf::quality
