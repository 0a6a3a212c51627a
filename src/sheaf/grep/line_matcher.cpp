#include "sheaf/grep/line_matcher.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/hex.h"
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

namespace {

constexpr std::size_t kEscapeBytes = 6;  // \u0041

}  // namespace

RawFilter::RawFilter(const std::vector<std::string>& texts, text::LetterCase letters) : letters_(letters) {
  for (const std::string& each : texts) {
    finders_.emplace_back(each, letters);
    note_characters(each);
  }
  std::ranges::sort(units_);
}

void RawFilter::note_characters(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = base::take_code_point(text);
    if (c >= 0x10000) {
      units_.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10U)));
      continue;
    }
    units_.push_back(static_cast<char16_t>(c));
    if (c < 0x80 && letters_ == text::LetterCase::ignore_ascii && base::is_letter(static_cast<char>(c)))
      units_.push_back(static_cast<char16_t>(c ^ 0x20U));
  }
}

/// Invalid escapes do not count: the page is invalid.
bool RawFilter::is_escape_of_ours(std::string_view escape) const {
  if (escape.size() < kEscapeBytes) return false;
  unsigned unit = 0;
  for (std::size_t i = 2; i < kEscapeBytes; ++i) {
    const int digit = base::hex_value(escape[i]);
    if (digit < 0) return false;
    unit = unit * 16 + static_cast<unsigned>(digit);
  }
  return std::ranges::binary_search(units_, static_cast<char16_t>(unit));
}

std::size_t RawFilter::find_escape(std::string_view json, std::size_t from) const {
  for (std::size_t at = escape_.find(json, from); at != std::string_view::npos;
       at = escape_.find(json, at + 2))
    if (is_escape_of_ours(json.substr(at, kEscapeBytes))) return at;
  return std::string_view::npos;
}

bool RawFilter::passes(std::string_view json) const {
  const auto is_in = [json](const text::TextFinder& finder) {
    return finder.find(json) != std::string_view::npos;
  };
  return passes_everything() || std::ranges::any_of(finders_, is_in) ||
         find_escape(json, 0) != std::string_view::npos;
}

RawFilter::Scan::Scan(const RawFilter& filter, std::string_view json) : filter_(&filter), json_(json) {
  for (const text::TextFinder& finder : filter.finders_) places_.push_back(finder.find(json));
  places_.push_back(filter.find_escape(json, 0));
}

std::size_t RawFilter::Scan::next(std::size_t from) {
  if (filter_->passes_everything()) return from < json_.size() ? from : std::string_view::npos;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] >= from) continue;
    places_[i] = i < filter_->finders_.size() ? filter_->finders_[i].find(json_, from)
                                              : filter_->find_escape(json_, from);
  }
  return std::ranges::min(places_);
}

}  // namespace sheaf::grep
