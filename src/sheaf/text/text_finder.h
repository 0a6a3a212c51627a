#pragma once

#include "sheaf/text/scan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::text {

enum class LetterCase : std::uint8_t { exact, ignore_ascii };

/// Finds a short text (the needle) in a large text at several gigabytes per second. It takes the two bytes of
/// the needle that are rarest in English, compares them at 16 or 32 positions at a time, and compares the
/// whole needle only where both match. std::string_view::find looks for the first byte, so it would stop at
/// every 't' of "the".
class TextFinder {
 public:
  /// An empty needle matches at every position. `level` is for tests.
  explicit TextFinder(std::string_view needle, LetterCase letters = LetterCase::exact,
                      scan::Level level = scan::best_level());

  /// The first occurrence that begins at `from` or later; npos if there is none.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const;

  [[nodiscard]] const std::string& needle() const { return needle_; }

 private:
  /// A byte of the needle, and the case bit if the comparison ignores it, else 0.
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
