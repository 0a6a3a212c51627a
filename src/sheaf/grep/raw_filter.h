#pragma once

#include "sheaf/text/text_finder.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::grep {

/// Finds the places in JSON text where a page may contain one of several texts (required_text.h): the text
/// itself, or a \u escape of one of its characters. Only these escapes count, because escapes of other
/// characters are common in JSON.
class RawFilter {
 public:
  /// Without texts, everything passes.
  RawFilter(const std::vector<std::string>& texts, text::LetterCase letters);

  [[nodiscard]] bool passes_everything() const { return finders_.empty(); }

  /// Iterates over these places in one JSON text. The filter and the text must outlive it.
  class Scan {
   public:
    Scan(const RawFilter& filter, std::string_view json);
    /// Returns the first place that is not before `from`; npos if there is none. `from` must not decrease
    /// between calls.
    std::size_t next(std::size_t from);

   private:
    const RawFilter* filter_;
    std::string_view json_;
    std::vector<std::size_t> places_;  ///< next place of each finder, then the next escape
  };

  [[nodiscard]] bool passes(std::string_view json) const;

 private:
  void note_characters(std::string_view text);
  /// Returns the first escape of one of the characters.
  [[nodiscard]] std::size_t find_escape(std::string_view json, std::size_t from) const;
  [[nodiscard]] bool is_escape_of_ours(std::string_view escape) const;

  text::LetterCase letters_;
  std::vector<text::TextFinder> finders_;
  text::TextFinder escape_{"\\u"};
  std::vector<char16_t> units_;  ///< UTF-16 units of the texts, sorted
};

}  // namespace sheaf::grep
