// How often the hot paths allocate. A program of its own, because it replaces the global operator new.
#include "sheaf/base/url.h"
#include "sheaf/time.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace {

std::size_t allocation_count = 0;

void* try_to_allocate(std::size_t size) noexcept {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size) {
  if (void* memory = try_to_allocate(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
// All forms come from one allocator, or memory of one would be released by the other.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return try_to_allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return try_to_allocate(size); }
// NOLINTBEGIN(clang-analyzer-cplusplus.NewDelete): the analyzer takes the free() for a second release.
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(clang-analyzer-cplusplus.NewDelete)

namespace sheaf::base {
namespace {

constexpr std::string_view kPlain =
    "https://www.example.com/articles/2024/a-long-enough-title?page=2&lang=en#top";

template <class Function>
std::size_t count_allocations(Function function) {
  const std::size_t before = allocation_count;
  function();
  return allocation_count - before;
}

TEST(SheafOnlyUrlAllocations, TheCounterCounts) {
  std::string text;
  EXPECT_EQ(count_allocations([&] { text.reserve(100); }), 1U);
}

TEST(SheafOnlyUrlAllocations, JudgingAllocatesNothing) {
  for (const std::string_view url :
       {kPlain, std::string_view("http://user:pw@[2001:db8::1]:8080/?q"),
        std::string_view("http://caf\xC3\xA9.example/"), std::string_view("ftp://x")}) {
    EXPECT_EQ(count_allocations([&] { static_cast<void>(is_http_url(url)); }), 0U) << url;
  }
}

TEST(SheafOnlyTimeAllocations, ParsingATimeAllocatesNothing) {
  for (const std::string_view time :
       {std::string_view("2026-01-15T00:00:00Z"), std::string_view("2026-01-15t00:00:00.123456789+05:30"),
        std::string_view("2026-01-15T23:59:60Z"), std::string_view("yesterday"), std::string_view()}) {
    EXPECT_EQ(count_allocations([&] { static_cast<void>(parse_time(time)); }), 0U) << time;
  }
}

TEST(SheafOnlyUrlAllocations, ParsingANormalUrlAllocatesOnce) {
  for (const std::string_view text : {kPlain, std::string_view("https://www.example.com:8443/a/b/../c/"),
                                      std::string_view("https://WWW.Example.COM/some/where"),
                                      std::string_view("https://user:password@www.example.com")}) {
    std::optional<Url> url;
    EXPECT_EQ(count_allocations([&] { url = Url::parse(text); }), 1U) << text;
    EXPECT_TRUE(url);
  }
}

TEST(SheafOnlyUrlAllocations, ResolvingAllocatesOnce) {
  const std::optional<Url> base = Url::parse(kPlain);
  ASSERT_TRUE(base);
  for (const std::string_view reference : {"other", "../up/one", "/root", "?q=1", "#part", ""}) {
    EXPECT_EQ(count_allocations([&] { static_cast<void>(Url::parse(reference, &*base)); }), 1U) << reference;
  }
}

}  // namespace
}  // namespace sheaf::base
