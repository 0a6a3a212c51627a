#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace sheaf::base {

/// Takes away what AtomicFiles left in a folder when their process was killed, of files whose names `is_ours`
/// accepts, and spools that still had a name; gives how many there were. Only for whoever knows that nobody
/// else is writing them. What cannot be taken away stays: it does no harm but take room.
std::uint64_t remove_leftover_files(const std::filesystem::path& folder,
                                    const std::function<bool(std::string_view name)>& is_ours);

}  // namespace sheaf::base
