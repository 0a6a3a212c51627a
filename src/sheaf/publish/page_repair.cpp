#include "sheaf/publish/page_repair.h"

#include "sheaf/model/language.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <variant>

namespace sheaf::publish {
namespace {

constexpr std::string_view kUndetermined = "und";  // BCP 47

/// A text for messages: in quotes, and shortened if it is long.
std::string quote(std::string_view text) {
  constexpr std::size_t kMax = 100;
  std::size_t end = std::min(text.size(), kMax);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("\"{}\"", text.substr(0, end));
}

void repair_language(Page& page, Arena& memory, std::vector<std::string>& repairs) {
  if (model::is_language_tag(page.language)) return;
  std::string tag = model::normal_language_tag(page.language);
  if (tag.empty()) tag = kUndetermined;
  repairs.push_back(fmt::format("language {} is not a BCP 47 tag; written as {}", quote(page.language), tag));
  page.language = memory.copy(tag);
}

void repair_published(Page& page, Arena& memory) {
  if (!page.published) return;
  const auto time = parse_time(*page.published);
  // The decoder has reported this.
  if (time && time->offset == Offset::missing) page.published = memory.copy(format_time(time->instant));
}

bool is_unknown(const Block& block) { return std::holds_alternative<UnknownBlock>(block.kind); }

void drop_unknown_blocks(Page& page, Arena& memory, std::vector<std::string>& repairs) {
  if (std::ranges::none_of(page.content, is_unknown)) return;
  std::vector<Block> kept;
  for (const Block& block : page.content) {
    if (is_unknown(block)) {
      repairs.push_back(
          fmt::format("block type {} is not known; the block was dropped", quote(sheaf::type_name(block))));
    } else {
      kept.push_back(block);
    }
  }
  page.content = memory.copy(std::span<const Block>(kept));
}

}  // namespace

bool is_repaired_by_reading(format::Code code) {
  switch (format::level_of(code)) {
    case format::Level::fatal:
    case format::Level::page: return false;
    case format::Level::block: return true;
    case format::Level::warning:
      // repair_page() reports the first two, and pages without content are not published.
      return code != format::Code::unknown_block && code != format::Code::invalid_language &&
             code != format::Code::empty_content;
  }
  return false;
}

void repair_page(Page& page, Arena& memory, std::vector<std::string>& repairs) {
  repair_language(page, memory, repairs);
  repair_published(page, memory);
  drop_unknown_blocks(page, memory, repairs);
}

}  // namespace sheaf::publish
