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

/// Returns texts of which every match of a pattern contains at least one. The JSON of a page has them
/// unchanged, except for \u escapes. Empty if the pattern does not require any such text, or if it is too
/// unusual to tell.
///
/// These texts make searching fast: a page without any of them cannot match, and its JSON need not be parsed
/// to see that.
std::vector<std::string> required_texts(std::string_view pattern, text::LetterCase letters);

/// Like required_texts(), for a literal text.
std::vector<std::string> required_texts_of_literal(std::string_view literal, text::LetterCase letters);

struct PatternOptions {
  std::string text;
  bool is_fixed = false;  ///< `text` is a literal text, not a regular expression
  bool ignores_case = false;
};

/// A regular expression that matches within lines: it never matches a line feed, and ^ and $ match at the
/// ends of a line. Searching takes linear time: RE2, because patterns may come from strangers, and PCRE2
/// takes exponential time for `(a+)+$`. Not thread-safe.
class LinePattern {
 public:
  /// Fails with Errc::invalid_argument and a message that says what is wrong with the pattern.
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
  /// Texts of which every match contains at least one; empty if none are known.
  [[nodiscard]] std::vector<std::string> required() const;
  [[nodiscard]] text::LetterCase letters() const;

 private:
  struct Impl;
  explicit LinePattern(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::grep
