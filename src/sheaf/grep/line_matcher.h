#pragma once

#include "sheaf/grep/line_pattern.h"
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

/// How much is told of a page that matches.
enum class MatchDetail : std::uint8_t { lines, count, page };

/// Many lines are under one heading, which may be long.
using SharedText = std::shared_ptr<const std::string>;

/// A line that matches.
struct MatchedLine {
  std::vector<SharedText> headings;  ///< that it is under, from the outermost
  std::string_view type;             ///< of its block: "text", "code", ...
  std::uint32_t block = 0;           ///< in the page, from 0
  std::uint32_t line = 0;            ///< in the block, from 1
  std::string text;                  ///< the whole line
  std::size_t begin = 0;             ///< of the first match in it, in bytes
  std::size_t end = 0;
};

struct PageMatches {
  std::string site;     ///< empty for a page of a file
  std::string section;  ///< empty for a page of a file without a metadata line
  std::string url;
  std::string title;
  std::uint64_t count = 0;         ///< matching lines; 1 if only the page was asked for
  std::vector<MatchedLine> lines;  ///< empty if only counted
};

/// Searches pages line by line: a paragraph, an item of a list, a row of a table (cells with tabs between
/// them) and a line of code are lines (model/plain_text.h).
class LineMatcher {
 public:
  LineMatcher(LinePattern pattern, SearchedBlocks blocks, MatchDetail detail)
      : pattern_(std::move(pattern)), blocks_(blocks), detail_(detail) {}

  /// Adds URL, title and matches of a page to `matches`; false if nothing in it matches.
  bool match(const Page& page, PageMatches& matches);

 private:
  /// A searched block: where its lines begin in `text_`.
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
  std::string text_;  ///< of the searched blocks, each ends with a line feed
  std::vector<Place> places_;
  // Of the last match: its block, its line in the block, and where in `text_` that line begins.
  std::size_t place_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::uint32_t headings_until_ = 0;  ///< the block before which `headings_` is the path
  std::vector<Heading> headings_;
};

}  // namespace sheaf::grep
