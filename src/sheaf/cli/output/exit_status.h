#pragma once

namespace sheaf::cli {

/// 0 yes, 1 no (invalid, refused), 2 could not tell (wrong usage, or reading or writing failed).
enum class ExitStatus : int { yes = 0, no = 1, unknown = 2 };

}  // namespace sheaf::cli
