#include "sheaf/format/pages/page_repair.h"

#include "sheaf/format/json/unsafe_url.h"
#include "sheaf/model/field_values.h"

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

/// Drops unsafe URLs from everything that the decoder keeps as JSON.
class UrlRepair {
 public:
  explicit UrlRepair(Arena& memory) : memory_(memory) {}

  /// Returns whether there was an unsafe URL.
  bool repair(Page& page) {
    if (page.schema) repair_json("schema", *page.schema);
    repair_members(page.extra);
    if (std::ranges::any_of(page.content, has_json)) repair_list(page.content);
    return has_changed_;
  }

 private:
  static bool has_json(const Block& block) {
    return !block.extra.empty() || std::holds_alternative<VideoBlock>(block.kind) ||
           std::holds_alternative<AudioBlock>(block.kind) ||
           std::holds_alternative<StructuredBlock>(block.kind);
  }

  void repair_json(std::string_view key, Text& json) {
    const auto safe = without_unsafe_urls(key, json);
    if (!safe) return;
    has_changed_ = true;
    json = memory_.copy(*safe);
  }

  void repair_members(Members& members) {
    if (members.empty()) return;
    std::vector<Member> safe(members.begin(), members.end());
    for (Member& member : safe) repair_json(member.key, member.value);
    std::erase_if(safe, [](const Member& member) { return member.value.empty(); });
    if (has_changed_) members = memory_.copy(std::span<const Member>(safe));
  }

  template <class T>
  void repair_list(List<T>& values) {
    std::vector<T> safe(values.begin(), values.end());
    for (T& value : safe) repair_value(value);
    if (has_changed_) values = memory_.copy(std::span<const T>(safe));
  }

  void repair_value(Block& block) {
    repair_members(block.extra);
    if (auto* video = std::get_if<VideoBlock>(&block.kind)) repair_media(video->media);
    if (auto* audio = std::get_if<AudioBlock>(&block.kind)) repair_media(audio->media);
    if (auto* structured = std::get_if<StructuredBlock>(&block.kind)) repair_json("data", structured->data);
  }
  void repair_value(MediaLink& link) { repair_members(link.extra); }
  void repair_value(Caption& caption) { repair_members(caption.extra); }
  void repair_value(Chapter& chapter) { repair_members(chapter.extra); }

  void repair_media(const Media*& media) {
    Media safe = *media;
    if (auto* links = std::get_if<List<MediaLink>>(&safe.url)) repair_list(*links);
    repair_members(safe.icon_extra);
    if (safe.captions) repair_list(*safe.captions);
    if (safe.chapters) repair_list(*safe.chapters);
    if (has_changed_) media = &memory_.make<Media>(safe);
  }

  Arena& memory_;
  bool has_changed_ = false;
};

void repair_urls(Page& page, Arena& memory, std::vector<std::string>& repairs) {
  if (UrlRepair(memory).repair(page))
    repairs.emplace_back("URLs that are not safe to follow, such as javascript: or data:, were dropped");
}

}  // namespace

bool is_repaired_by_reading(Code code) {
  switch (level_of(code)) {
    case Level::fatal:
    case Level::page: return false;
    case Level::block: return true;
    case Level::warning:
      // repair_page() reports the first three, and pages without content are not published.
      return code != Code::unknown_block && code != Code::invalid_language && code != Code::unsafe_url_kept &&
             code != Code::empty_content;
  }
  return false;
}

void repair_page(Page& page, StructuredBlocks structured, Arena& memory, std::vector<std::string>& repairs) {
  repair_language(page, memory, repairs);
  page.modified = with_offset(page.modified, memory);
  if (page.published) page.published = with_offset(*page.published, memory);
  drop_blocks(page, structured, memory, repairs);
  repair_urls(page, memory, repairs);
}

void repair_head(model::CollectionHead& head) {
  const auto repair = [](std::string& text, Instant instant) {
    if (const auto time = parse_time(text); time && time->offset == Offset::missing)
      text = format_time(instant);
  };
  repair(head.generated, head.generated_at);
  if (head.since && head.since_at) repair(*head.since, *head.since_at);
  for (auto& [key, value] : head.extra)
    if (auto json = without_unsafe_urls(key, value)) value = std::move(*json);
  std::erase_if(head.extra, [](const auto& member) { return member.second.empty(); });
}

}  // namespace sheaf::format
