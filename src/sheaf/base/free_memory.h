#pragma once

namespace sheaf::base {

/// Empties a string or container and frees its memory. `container = {}` looks like it but only empties it: it
/// assigns an empty list of elements.
template <class Container>
void free_storage(Container& container) {
  Container().swap(container);
}

/// Returns freed memory to the system. By itself the allocator keeps freed blocks that lie between used ones:
/// for a process that runs on for weeks, whatever it needed at its start would count forever.
void return_free_memory();

}  // namespace sheaf::base
