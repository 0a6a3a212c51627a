#pragma once

#include "sheaf/text/scan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::text {

enum class LetterCase : std::uint8_t { exact, ignore_ascii };

/// Finds a short text in much text. It compares two of its bytes with 16 or 32 positions at a time, the two
/// that are rarest in English, and looks closer only where both fit: several gigabytes per second, where
/// std::string_view::find, which looks for the first byte, stops at every 't' of "the".
class TextFinder {
 public:
  /// An empty needle is found everywhere. `level` is for tests.
  explicit TextFinder(std::string_view needle, LetterCase letters = LetterCase::exact,
                      scan::Level level = scan::best_level());

  /// The first occurrence that begins at `from` or later; npos if there is none.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const;

  [[nodiscard]] const std::string& needle() const { return needle_; }

 private:
  /// A byte of the needle, and the bit that is ignored when it is compared.
  struct Probe {
    std::size_t offset = 0;
    char byte = 0;
    char ignored = 0;
  };

  [[nodiscard]] Probe probe_at(std::size_t offset) const;
  [[nodiscard]] bool is_at(const char* p) const;
  [[nodiscard]] const char* find_narrow(const char* p, const char* last) const;
  [[nodiscard]] const char* find_sse2(const char* p, const char* last) const;
  [[nodiscard]] const char* find_avx2(const char* p, const char* last) const;

  std::string needle_;  ///< in lower case if case is ignored
  LetterCase letters_;
  scan::Level level_;
  Probe first_;
  Probe second_;
};

}  // namespace sheaf::text
