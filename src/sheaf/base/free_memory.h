#pragma once

namespace sheaf::base {

/// Returns freed memory to the system. By itself the allocator keeps freed blocks that lie between used ones:
/// for a process that runs on for weeks, whatever it needed at its start would count forever.
void return_free_memory();

}  // namespace sheaf::base
