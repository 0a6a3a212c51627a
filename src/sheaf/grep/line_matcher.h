#pragma once

#include "sheaf/grep/line_pattern.h"
#include "sheaf/text/text_finder.h"
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::grep {

/// Which blocks of a page are searched.
enum class SearchedBlocks : std::uint8_t { all, text, code };

/// How much is reported about a page that matches.
enum class MatchDetail : std::uint8_t { lines, count, page };

/// A text that matches share: many lines are under one heading, which may be long.
using SharedText = std::shared_ptr<const std::string>;

/// A line that matches.
struct MatchedLine {
  std::vector<SharedText> headings;  ///< headings above the line, from the outermost
  std::string_view type;             ///< type of its block: "text", "code", ...
  std::uint32_t block = 0;           ///< number of its block in the page, from 0
  std::uint32_t line = 0;            ///< number of the line in the block, from 1
  std::string text;                  ///< the whole line
  std::size_t begin = 0;             ///< start of the first match in the line, in bytes
  std::size_t end = 0;
};

struct PageMatches {
  std::string site;     ///< empty for a page of a file
  std::string section;  ///< empty for a page of a file without a metadata line
  std::string url;
  std::string title;
  std::uint64_t count = 0;         ///< matching lines; 1 with MatchDetail::page
  std::vector<MatchedLine> lines;  ///< empty unless MatchDetail::lines was requested
};

/// Searches pages line by line: a paragraph, an item of a list, a row of a table (cells with tabs between
/// them) and a line of code are lines (model/plain_text.h).
class LineMatcher {
 public:
  LineMatcher(LinePattern pattern, SearchedBlocks blocks, MatchDetail detail)
      : pattern_(std::move(pattern)), blocks_(blocks), detail_(detail) {}

  /// Adds URL, title and matches of a page to `matches`; returns false if nothing in the page matches.
  bool match(const Page& page, PageMatches& matches);

 private:
  /// A searched block, and where its lines begin in `text_`.
  struct Place {
    std::size_t begin;
    std::uint32_t block;
  };

  struct Heading {
    int level;
    SharedText text;
  };

  void assemble(const Page& page);
  void find_place(std::size_t line_begin);
  [[nodiscard]] bool is_searched(const Block& block) const;
  void add_line(const Page& page, std::string_view line, const LinePattern::Found& found,
                PageMatches& matches);
  void pass_headings(const Page& page, std::uint32_t block);

  LinePattern pattern_;
  SearchedBlocks blocks_;
  MatchDetail detail_;
  std::string text_;  ///< text of the searched blocks, each followed by a line feed
  std::vector<Place> places_;
  // Position of the last match: its index in `places_`, its line in the block, and where that line begins in
  // `text_`.
  std::size_t place_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::uint32_t headings_until_ = 0;  ///< `headings_` has the headings above this block
  std::vector<Heading> headings_;
};

/// Finds the places in JSON text where a page may contain one of several texts (line_pattern.h): the text
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
