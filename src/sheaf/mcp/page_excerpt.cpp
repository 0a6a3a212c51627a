#include "sheaf/mcp/page_excerpt.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"

#include <algorithm>
#include <variant>

namespace sheaf::mcp {
namespace {

constexpr std::size_t kMaxHeadingLength = 200;

/// For comparison: lower case of ASCII, one space between words.
std::string comparable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!base::is_space_or_control(c))
      out += base::lower_ascii(c);
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

const HeadingBlock* heading_of(const Block& block) { return std::get_if<HeadingBlock>(&block.kind); }

std::optional<std::size_t> find_heading(const Page& page, std::string_view wanted) {
  const std::string name = comparable(wanted);
  std::optional<std::size_t> partial;
  for (std::size_t i = 0; i < page.content.size(); ++i) {
    const HeadingBlock* heading = heading_of(page.content[i]);
    if (heading == nullptr) continue;
    const std::string text = comparable(heading->text);
    if (text == name) return i;
    if (!partial && !name.empty() && text.find(name) != std::string::npos) partial = i;
  }
  return partial;
}

}  // namespace

std::optional<List<Block>> blocks_below(const Page& page, std::string_view heading) {
  const auto begin = find_heading(page, heading);
  if (!begin) return std::nullopt;
  const int level = heading_of(page.content[*begin])->level;
  std::size_t end = *begin + 1;
  for (; end < page.content.size(); ++end) {
    const HeadingBlock* next = heading_of(page.content[end]);
    if (next != nullptr && next->level <= level) break;
  }
  return List<Block>(std::span<const Block>(page.content).subspan(*begin, end - *begin));
}

std::string heading_list(const Page& page, std::size_t most) {
  std::string list;
  std::size_t listed = 0;
  for (const Block& block : page.content) {
    const HeadingBlock* heading = heading_of(block);
    if (heading == nullptr) continue;
    if (++listed > most) {
      list += "...\n";
      break;
    }
    list.append(static_cast<std::size_t>(std::clamp(heading->level, 1, 6) - 1) * 2, ' ');
    list.append(base::cut_utf8(heading->text, kMaxHeadingLength)).append("\n");
  }
  return list;
}

TextPart part_of(std::string_view text, std::size_t offset, std::size_t size) {
  // A client may request any offset: it is moved to the start of its character.
  offset = base::cut_utf8(text, std::min(offset, text.size())).size();
  const std::string_view rest = text.substr(offset);
  std::string_view part = base::cut_utf8(rest, size);
  if (part.size() < rest.size()) {
    const std::size_t line = part.rfind('\n');
    if (line != std::string_view::npos && line + 1 > part.size() / 2) part = part.substr(0, line + 1);
    // A character that does not fit is returned anyway, so that the next part makes progress.
    if (part.empty()) part = base::cut_utf8(rest, 4);
  }
  return {part, offset, offset + part.size()};
}

}  // namespace sheaf::mcp
