#include "sheaf/search/page_texts.h"

#include "sheaf/base/code_points.h"

#include <variant>

namespace sheaf::search {
namespace {

class TextWalk {
 public:
  explicit TextWalk(const std::function<bool(const PageText&)>& use) : use_(use) {}

  bool text(std::string_view text, TextRole role = TextRole::body, int level = 0) {
    if (text.empty()) return true;
    const std::string_view part = base::cut_utf8(text, left_);
    left_ -= part.size();
    if (!part.empty() && !use_({part, role, level})) return false;
    return part.size() == text.size();
  }
  bool text(const OptionalText& optional) { return !optional || text(*optional); }

  bool block(const TextBlock& block) { return text(block.text); }
  bool block(const HeadingBlock& block) { return text(block.text, TextRole::heading, block.level); }
  bool block(const LinkBlock& block) { return text(block.text); }
  bool block(const ImageBlock& block) { return text(block.alt); }
  bool block(const CodeBlock& block) { return text(block.code, TextRole::code); }
  bool block(const QuoteBlock& block) { return text(block.text) && text(block.citation); }
  bool block(const VideoBlock& block) { return media(*block.media); }
  bool block(const AudioBlock& block) { return media(*block.media); }
  bool block(const StructuredBlock& /*block*/) { return true; }
  bool block(const UnknownBlock& /*block*/) { return true; }
  bool block(const ListBlock& block) {
    for (const Text& item : block.items)
      if (!text(item)) return false;
    return true;
  }
  bool block(const TableBlock& block) {
    for (const auto& row : block.rows)
      for (const Text& cell : row)
        if (!text(cell)) return false;
    return true;
  }

 private:
  bool media(const Media& media) {
    if (!text(media.name) || !text(media.summary) || !text(media.attributed_to)) return false;
    if (!media.chapters) return true;
    for (const Chapter& chapter : *media.chapters)
      if (!text(chapter.title)) return false;
    return true;
  }

  const std::function<bool(const PageText&)>& use_;
  std::size_t left_ = kMaxPageText;
};

}  // namespace

void each_page_text(const Page& page, const std::function<bool(const PageText&)>& use) {
  TextWalk walk(use);
  if (!walk.text(page.title, TextRole::title)) return;
  if (!walk.text(page.description, TextRole::description)) return;
  for (const Block& block : page.content)
    if (!std::visit([&](const auto& kind) { return walk.block(kind); }, block.kind)) return;
}

}  // namespace sheaf::search
