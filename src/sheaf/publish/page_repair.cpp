#include "sheaf/publish/page_repair.h"

#include "sheaf/base/time.h"
#include "sheaf/model/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace sheaf::publish {
namespace {

constexpr std::string_view kUndetermined = "und";  // BCP 47

/// For messages: in quotes, cut between two characters where it is long.
std::string quote(std::string_view text) {
  constexpr std::size_t kMost = 100;
  std::size_t end = std::min(text.size(), kMost);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("\"{}\"", text.substr(0, end));
}

void repair_language(model::Page& page, base::Arena& memory, std::vector<std::string>& repairs) {
  if (model::is_language_tag(page.language)) return;
  std::string tag = model::normal_language_tag(page.language);
  if (tag.empty()) tag = kUndetermined;
  repairs.push_back(fmt::format("language {} is not a BCP 47 tag; written as {}", quote(page.language), tag));
  page.language = memory.copy(tag);
}

void repair_published(model::Page& page, base::Arena& memory) {
  if (!page.published) return;
  const auto time = base::parse_time(*page.published);
  // The decoder has reported it.
  if (time && time->offset == base::Offset::missing)
    page.published = memory.copy(base::format_time(time->instant));
}

bool is_unknown(const model::Block& block) { return std::holds_alternative<model::UnknownBlock>(block.kind); }

void drop_unknown_blocks(model::Page& page, base::Arena& memory, std::vector<std::string>& repairs) {
  if (std::ranges::none_of(page.content, is_unknown)) return;
  std::vector<model::Block> kept;
  for (const model::Block& block : page.content) {
    if (is_unknown(block)) {
      repairs.push_back(
          fmt::format("block type {} is not known; the block was dropped", quote(model::type_name(block))));
    } else {
      kept.push_back(block);
    }
  }
  page.content = memory.copy(std::span<const model::Block>(kept));
}

}  // namespace

bool is_repaired_by_reading(format::Code code) {
  switch (format::level_of(code)) {
    case format::Level::fatal:
    case format::Level::page: return false;
    case format::Level::block: return true;
    case format::Level::warning:
      // repair_page() reports the first two, and a page without content is not published.
      return code != format::Code::unknown_block && code != format::Code::invalid_language &&
             code != format::Code::empty_content;
  }
  return false;
}

void repair_page(model::Page& page, base::Arena& memory, std::vector<std::string>& repairs) {
  repair_language(page, memory, repairs);
  repair_published(page, memory);
  drop_unknown_blocks(page, memory, repairs);
}

}  // namespace sheaf::publish
