#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SHEAF_SANITIZER_ALLOCATES 1
#endif
#endif

#ifdef SHEAF_SANITIZER_ALLOCATES
#include <sanitizer/allocator_interface.h>
#else
#include <malloc.h>
#endif

namespace sheaf::test {

/// How many bytes the process has allocated and not freed.
inline std::size_t allocated_bytes() {
#ifdef SHEAF_SANITIZER_ALLOCATES
  return __sanitizer_get_current_allocated_bytes();
#else
  const auto used = mallinfo2();
  return used.uordblks + used.hblkhd;
#endif
}

}  // namespace sheaf::test
