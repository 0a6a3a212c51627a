#pragma once

#include "sheaf/base/error.h"

#include <filesystem>
#include <string_view>

namespace sheaf::base {

/// A temporary folder, removed with its contents by the destructor.
class ScratchFolder {
 public:
  /// `what` is part of its name, so that a folder left by a killed process can be recognised.
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
