#pragma once

#include "sheaf/base/error.h"

#include <filesystem>
#include <string_view>

namespace sheaf::base {

/// A folder among the system's temporary ones that goes, with all that is in it, when this does.
class ScratchFolder {
 public:
  /// `what` is part of its name, for whoever finds one that a killed program left.
  static Result<ScratchFolder> make(std::string_view what);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path);

  std::filesystem::path path_;
};

}  // namespace sheaf::base
