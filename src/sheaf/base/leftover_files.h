#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace sheaf::base {

/// Removes temporary files that AtomicFile and SpoolFile left in a folder when their process was killed, and
/// returns their number. `is_selected` selects files of AtomicFile by their final name. The caller must
/// ensure that no other process is writing them. Files that cannot be removed are ignored; they only take
/// space.
std::uint64_t remove_leftover_files(const std::filesystem::path& folder,
                                    const std::function<bool(std::string_view name)>& is_selected);

}  // namespace sheaf::base
