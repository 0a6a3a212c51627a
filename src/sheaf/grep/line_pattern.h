#pragma once

#include "sheaf/base/error.h"
#include "sheaf/text/text_finder.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::grep {

struct PatternOptions {
  std::string text;
  bool is_fixed = false;  ///< a text to be found as it is, not a regular expression
  bool ignores_case = false;
};

/// A regular expression that is searched for within lines, in time that is linear in the text: it never
/// matches a line feed, and ^ and $ are the ends of a line. One thread at a time; copies are independent.
class LinePattern {
 public:
  /// Errors: invalid_argument, with what is wrong with the pattern.
  static base::Result<LinePattern> compile(const PatternOptions& options);
  ~LinePattern();
  LinePattern(LinePattern&&) noexcept;
  LinePattern& operator=(LinePattern&&) noexcept;

  struct Found {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// The first match in `text`, which may have many lines, that begins at `from` or later. `from` must be 0
  /// or the beginning of a line.
  [[nodiscard]] std::optional<Found> find(std::string_view text, std::size_t from) const;

  [[nodiscard]] const PatternOptions& options() const;
  /// One of these is in every match (required_text.h); empty if nothing is known.
  [[nodiscard]] std::vector<std::string> required() const;
  [[nodiscard]] text::LetterCase letters() const;

 private:
  struct Impl;
  explicit LinePattern(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::grep
