#pragma once

namespace sheaf::base {

/// Empties a string or container and frees its memory. `container = {}` would keep the memory, because it
/// assigns an empty initializer list.
template <class Container>
void free_storage(Container& container) {
  Container().swap(container);
}

/// Returns freed memory to the system. glibc's allocator keeps freed blocks that lie between used ones.
/// Without this call, a process that runs for weeks would keep the memory that it needed only at its start.
void return_free_memory();

}  // namespace sheaf::base
