#include "sheaf/cli/output/page_text.h"

#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <variant>

namespace sheaf::cli {
namespace {

std::string line(Text text) { return printable(text, Lines::join); }

std::string indented(Text text, std::string_view indent) {
  std::string out;
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::string safe = printable(text, Lines::keep);
  for (std::size_t at = 0; at <= safe.size();) {
    const std::size_t end = std::min(safe.find('\n', at), safe.size());
    out += fmt::format("{}{}\n", indent, std::string_view(safe).substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string media_text(std::string_view kind, const Media& media) {
  const auto* one = std::get_if<Text>(&media.url);
  std::string out =
      fmt::format("[{}: {}] {}\n", kind, line(media.name),
                  line(one != nullptr ? *one : std::get<List<MediaLink>>(media.url).front().href));
  if (media.transcript) out += indented(*media.transcript, "  ");
  return out;
}

struct BlockText {
  std::string operator()(const TextBlock& block) const { return printable(block.text, Lines::keep) + "\n"; }
  std::string operator()(const HeadingBlock& block) const {
    return fmt::format("{} {}\n", std::string(static_cast<std::size_t>(block.level), '#'), line(block.text));
  }
  std::string operator()(const LinkBlock& block) const {
    return fmt::format("[{}] {}\n", line(block.text), line(block.url));
  }
  std::string operator()(const ImageBlock& block) const {
    return fmt::format("[image: {}] {}\n", line(block.alt), line(block.url));
  }
  std::string operator()(const ListBlock& block) const {
    std::string out;
    std::size_t number = 0;
    for (const Text item : block.items) {
      // Items of nested lists begin with a space and get neither bullet nor number.
      const bool inner = item.starts_with(' ');
      const std::string mark = inner ? "" : block.ordered ? fmt::format("{}. ", ++number) : "- ";
      out += fmt::format("{}{}\n", mark, line(item));
    }
    return out;
  }
  std::string operator()(const CodeBlock& block) const { return indented(block.code, "    "); }
  std::string operator()(const TableBlock& block) const {
    std::string out;
    for (const auto& row : block.rows) {
      for (std::size_t i = 0; i < row.size(); ++i)
        out += fmt::format("{}{}", i > 0 ? " | " : "", line(row[i]));
      out += '\n';
    }
    return out;
  }
  std::string operator()(const QuoteBlock& block) const {
    std::string out = indented(block.text, "> ");
    if (block.citation) out += fmt::format("> -- {}\n", line(*block.citation));
    return out;
  }
  std::string operator()(const VideoBlock& block) const { return media_text("video", *block.media); }
  std::string operator()(const AudioBlock& block) const { return media_text("audio", *block.media); }
  std::string operator()(const StructuredBlock& block) const {
    return fmt::format("[structured data, {}]\n", line(block.format));
  }
  std::string operator()(const UnknownBlock& block) const {
    return fmt::format("[unknown block: {}]\n", line(block.type));
  }
};

}  // namespace

std::string page_text(const Page& page) {
  std::string out;
  for (const Block& block : page.content) {
    if (!out.empty()) out += '\n';
    out += std::visit(BlockText{}, block.kind);
  }
  return out;
}

}  // namespace sheaf::cli
