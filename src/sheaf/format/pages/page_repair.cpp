#include "sheaf/format/pages/page_repair.h"

#include "sheaf/model/language.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <variant>

namespace sheaf::format {
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

/// The time in UTC if it has no offset. The decoder has reported this.
Text with_offset(Text text, Arena& memory) {
  const auto time = parse_time(text);
  return time && time->offset == Offset::missing ? memory.copy(format_time(time->instant)) : text;
}

/// The reason to drop a block; empty if it stays.
std::string reason_to_drop(const Block& block, StructuredBlocks structured) {
  if (std::holds_alternative<UnknownBlock>(block.kind))
    return fmt::format("block type {} is not known; the block was dropped", quote(sheaf::type_name(block)));
  if (structured == StructuredBlocks::drop && std::holds_alternative<StructuredBlock>(block.kind))
    return "a structured block was dropped: draft 3 does not have them; `structured = true` in the source "
           "keeps them";
  return {};
}

void drop_blocks(Page& page, StructuredBlocks structured, Arena& memory, std::vector<std::string>& repairs) {
  const auto stays = [&](const Block& block) { return reason_to_drop(block, structured).empty(); };
  if (std::ranges::all_of(page.content, stays)) return;
  std::vector<Block> kept;
  for (const Block& block : page.content) {
    std::string reason = reason_to_drop(block, structured);
    if (reason.empty()) {
      kept.push_back(block);
    } else if (repairs.empty() || repairs.back() != reason) {
      repairs.push_back(std::move(reason));
    }
  }
  page.content = memory.copy(std::span<const Block>(kept));
}

}  // namespace

bool is_repaired_by_reading(Code code) {
  switch (level_of(code)) {
    case Level::fatal:
    case Level::page: return false;
    case Level::block: return true;
    case Level::warning:
      // repair_page() reports the first two, and pages without content are not published.
      return code != Code::unknown_block && code != Code::invalid_language && code != Code::empty_content;
  }
  return false;
}

void repair_page(Page& page, StructuredBlocks structured, Arena& memory, std::vector<std::string>& repairs) {
  repair_language(page, memory, repairs);
  page.modified = with_offset(page.modified, memory);
  if (page.published) page.published = with_offset(*page.published, memory);
  drop_blocks(page, structured, memory, repairs);
}

void repair_head(model::CollectionHead& head) {
  const auto repair = [](std::string& text, Instant instant) {
    if (const auto time = parse_time(text); time && time->offset == Offset::missing)
      text = format_time(instant);
  };
  repair(head.generated, head.generated_at);
  if (head.since && head.since_at) repair(*head.since, *head.since_at);
}

}  // namespace sheaf::format
