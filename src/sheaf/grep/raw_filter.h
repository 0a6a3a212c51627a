#pragma once

#include "sheaf/text/text_finder.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::grep {

/// Finds the places in JSON text where a page may contain one of some texts (required_text.h): where a text
/// stands as it is, or a \u escape of one of its characters. Much of the JSON in the world has such escapes,
/// of other characters.
class RawFilter {
 public:
  /// No texts: everything passes.
  RawFilter(const std::vector<std::string>& texts, text::LetterCase letters);

  [[nodiscard]] bool passes_everything() const { return finders_.empty(); }

  /// Looks for the places in one text, from its beginning to its end. Both must outlive it.
  class Scan {
   public:
    Scan(const RawFilter& filter, std::string_view json);
    /// The first place that is not before `from`, which must not decrease; npos if there is none.
    std::size_t next(std::size_t from);

   private:
    const RawFilter* filter_;
    std::string_view json_;
    std::vector<std::size_t> places_;  ///< the next one of each finder; of the escapes the last
  };

  [[nodiscard]] bool passes(std::string_view json) const;

 private:
  void note_characters(std::string_view text);
  /// The first escape of one of the characters.
  [[nodiscard]] std::size_t find_escape(std::string_view json, std::size_t from) const;
  [[nodiscard]] bool is_escape_of_ours(std::string_view escape) const;

  text::LetterCase letters_;
  std::vector<text::TextFinder> finders_;
  text::TextFinder escape_{"\\u"};
  std::vector<char16_t> units_;  ///< UTF-16 units of the texts, sorted
};

}  // namespace sheaf::grep
