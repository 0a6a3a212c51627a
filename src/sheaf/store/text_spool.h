#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::store {

/// Texts in a temporary file, which can be read back from any offset. The newest texts stay in memory, so
/// that small collections need no file.
class TextSpool {
 public:
  explicit TextSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends both texts, one after the other, and returns the offset of the first.
  base::Result<std::uint64_t> append(std::string_view a, std::string_view b);

  /// The result is valid until the next call.
  base::Result<std::string_view> read(std::uint64_t at, std::size_t size);

 private:
  base::Result<void> flush();

  std::filesystem::path folder_;
  std::optional<base::SpoolFile> file_;
  std::uint64_t written_ = 0;
  std::string tail_;
  std::string text_;
};

}  // namespace sheaf::store
