#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sheaf::test {

/// Random pages as JSON text: every kind of block, Unicode, escapes, unknown members; no finding in any of
/// them but unknown-block. The same seed gives the same pages everywhere.
class PageGenerator {
 public:
  enum class UnknownBlocks : std::uint8_t { some, none };
  explicit PageGenerator(std::uint64_t seed, UnknownBlocks unknown = UnknownBlocks::some)
      : random_(seed), unknown_(unknown) {}

  /// A page of that URL and time.
  std::string page(const std::string& url, const std::string& modified);
  std::string page();

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool chance(std::uint64_t percent) { return below(100) < percent; }

 private:
  std::string text();
  std::string string();  ///< as JSON, escaped in one of the ways JSON allows
  std::string url();
  std::string json(int depth);
  std::string unknown_members();
  std::string block();
  std::string media_members(bool video);
  std::string array(const std::vector<std::string>& elements);
  std::string strings();

  std::mt19937_64 random_;
  UnknownBlocks unknown_;
  std::uint64_t pages_ = 0;
};

/// "2026-01-15T00:00:00Z" plus that many seconds.
std::string time_text(std::int64_t seconds);

}  // namespace sheaf::test
