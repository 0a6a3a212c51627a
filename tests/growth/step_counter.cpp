// The library is compiled so that it calls __sanitizer_cov_trace_pc_guard for each branch taken
// (SHEAF_STEPS).
//
// Copying and searching bytes happens in the C library, which is not compiled so. Therefore this program has
// its own versions of these functions; the dynamic linker gives them to the libraries that it loads, too.
#include "step_counter.h"

#include <atomic>
#include <cstddef>

namespace {

std::atomic<std::uint64_t> g_steps;  // threads of the library count too

void count_bytes(std::size_t bytes) { g_steps.fetch_add(1 + bytes / 8, std::memory_order_relaxed); }

using Byte = unsigned char;

}  // namespace

std::uint64_t sheaf::growth::steps() { return g_steps.load(std::memory_order_relaxed); }

extern "C" {

void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* /*start*/, std::uint32_t* /*stop*/) {}
void __sanitizer_cov_trace_pc_guard(std::uint32_t* /*guard*/) {
  g_steps.fetch_add(1, std::memory_order_relaxed);
}

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t count) {
  count_bytes(count);
  auto* target = static_cast<Byte*>(to);
  const auto* source = static_cast<const Byte*>(from);
  for (std::size_t i = 0; i < count; ++i) target[i] = source[i];
  return to;
}

void* memmove(void* to, const void* from, std::size_t count) {
  count_bytes(count);
  auto* target = static_cast<Byte*>(to);
  const auto* source = static_cast<const Byte*>(from);
  if (target < source) {
    for (std::size_t i = 0; i < count; ++i) target[i] = source[i];
  } else {
    for (std::size_t i = count; i-- > 0;) target[i] = source[i];
  }
  return to;
}

void* memset(void* to, int value, std::size_t count) {
  count_bytes(count);
  auto* target = static_cast<Byte*>(to);
  for (std::size_t i = 0; i < count; ++i) target[i] = static_cast<Byte>(value);
  return to;
}

int memcmp(const void* one, const void* other, std::size_t count) {
  const auto* a = static_cast<const Byte*>(one);
  const auto* b = static_cast<const Byte*>(other);
  std::size_t i = 0;
  while (i < count && a[i] == b[i]) ++i;
  count_bytes(i);
  return i == count ? 0 : a[i] - b[i];
}

void* memchr(const void* in, int value, std::size_t count) {
  const auto* bytes = static_cast<const Byte*>(in);
  std::size_t i = 0;
  while (i < count && bytes[i] != static_cast<Byte>(value)) ++i;
  count_bytes(i);
  return i == count ? nullptr : const_cast<Byte*>(bytes + i);
}

std::size_t strlen(const char* text) {
  std::size_t count = 0;
  while (text[count] != '\0') ++count;
  count_bytes(count);
  return count;
}

}  // extern "C"
