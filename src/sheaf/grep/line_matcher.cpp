#include "sheaf/grep/line_matcher.h"

#include "sheaf/model/plain_text.h"

#include <algorithm>
#include <variant>

namespace sheaf::grep {

bool LineMatcher::is_searched(const Block& block) const {
  if (blocks_ == SearchedBlocks::all) return true;
  return std::holds_alternative<CodeBlock>(block.kind) == (blocks_ == SearchedBlocks::code);
}

/// Joins the blocks to one text, so that a single call of the regex engine can tell that nothing on the page
/// matches.
void LineMatcher::assemble(const Page& page) {
  text_.clear();
  places_.clear();
  for (std::uint32_t i = 0; i < page.content.size(); ++i) {
    const Block& block = page.content[i];
    if (!is_searched(block)) continue;
    const std::size_t begin = text_.size();
    model::append_block_text(text_, block);
    if (text_.size() == begin) continue;
    places_.push_back({begin, i});
    text_ += '\n';
  }
}

bool LineMatcher::match(const Page& page, PageMatches& matches) {
  assemble(page);
  place_ = 0;
  line_ = 1;
  line_begin_ = 0;
  headings_until_ = 0;
  headings_.clear();
  std::size_t from = 0;
  while (from < text_.size()) {
    const auto found = pattern_.find(text_, from);
    // A pattern that matches an empty text also matches after the last line.
    if (!found || found->begin == text_.size()) break;
    const std::size_t before = found->begin == 0 ? std::string::npos : text_.rfind('\n', found->begin - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = text_.find('\n', found->begin);
    ++matches.count;
    if (detail_ == MatchDetail::page) break;
    if (detail_ == MatchDetail::lines)
      add_line(page, std::string_view(text_).substr(begin, end - begin), *found, matches);
    from = end + 1;
  }
  if (matches.count == 0) return false;
  matches.url = page.url;
  matches.title = page.title;
  return true;
}

/// Advances from the last match to the line that begins at `line_begin`.
void LineMatcher::find_place(std::size_t line_begin) {
  while (place_ + 1 < places_.size() && places_[place_ + 1].begin <= line_begin) {
    ++place_;
    line_ = 1;
    line_begin_ = places_[place_].begin;
  }
  const std::string_view between = std::string_view(text_).substr(line_begin_, line_begin - line_begin_);
  line_ += static_cast<std::uint32_t>(std::ranges::count(between, '\n'));
  line_begin_ = line_begin;
}

void LineMatcher::add_line(const Page& page, std::string_view line, const LinePattern::Found& found,
                           PageMatches& matches) {
  const auto begin = static_cast<std::size_t>(line.data() - text_.data());
  find_place(begin);
  const std::uint32_t block = places_[place_].block;
  pass_headings(page, block);
  MatchedLine matched;
  for (const Heading& heading : headings_) matched.headings.push_back(heading.text);
  matched.type = type_name(page.content[block]);
  matched.block = block;
  matched.line = line_;
  matched.text = line;
  matched.begin = found.begin - begin;
  matched.end = found.end - begin;
  matches.lines.push_back(std::move(matched));
}

/// Updates `headings_` to the headings above a block. A heading is not above itself.
void LineMatcher::pass_headings(const Page& page, std::uint32_t block) {
  const auto drop_from = [this](int level) {
    while (!headings_.empty() && headings_.back().level >= level) headings_.pop_back();
  };
  for (; headings_until_ < block; ++headings_until_) {
    const auto* heading = std::get_if<HeadingBlock>(&page.content[headings_until_].kind);
    if (heading == nullptr) continue;
    drop_from(heading->level);
    headings_.push_back({heading->level, std::make_shared<const std::string>(heading->text)});
  }
  if (const auto* heading = std::get_if<HeadingBlock>(&page.content[block].kind)) drop_from(heading->level);
}

}  // namespace sheaf::grep
