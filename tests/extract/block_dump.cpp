#include "extract/block_dump.h"

#include "sheaf/html/parser.h"

#include <variant>

namespace sheaf::extract {
namespace {

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (c == '\n') c = '|';
  return line;
}

template <class T>
std::string joined(const T& texts, std::string_view separator) {
  std::string line;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) line += separator;
    line += one_line(texts[i]);
  }
  return line;
}

std::string optional_part(std::string_view label, const OptionalText& text) {
  return text ? " " + std::string(label) + " " + one_line(*text) : std::string();
}

std::string dump_media(std::string_view kind, const Media& media) {
  std::string line = std::string(kind) + " " + one_line(media.name);
  for (const MediaLink& link : std::get<List<MediaLink>>(media.url))
    line += " " + std::string(link.href) + " " + std::string(link.media_type);
  if (media.width && media.height)
    line += " " + std::to_string(*media.width) + "x" + std::to_string(*media.height);
  line += optional_part("duration", media.duration) + optional_part("icon", media.icon_url) +
          optional_part("summary", media.summary) + optional_part("transcript", media.transcript);
  if (!media.captions) return line;
  line += " captions";
  for (const Caption& caption : *media.captions)
    line += " " + std::string(caption.language) + " " + std::string(caption.label) + " " +
            std::string(caption.url);
  return line;
}

struct Dump {
  std::string operator()(const TextBlock& b) const { return "text " + one_line(b.text); }
  std::string operator()(const HeadingBlock& b) const {
    return "h" + std::to_string(b.level) + " " + one_line(b.text);
  }
  std::string operator()(const LinkBlock& b) const {
    return "link " + std::string(b.url) + " " + one_line(b.text) +
           (b.rel ? " [" + joined(*b.rel, " ") + "]" : std::string());
  }
  std::string operator()(const ImageBlock& b) const {
    return "image " + std::string(b.url) + " " + one_line(b.alt);
  }
  std::string operator()(const ListBlock& b) const {
    return (b.ordered ? "ordered " : "list ") + joined(b.items, " / ");
  }
  std::string operator()(const CodeBlock& b) const {
    return (b.language ? "code(" + std::string(*b.language) + ") " : "code ") + one_line(b.code);
  }
  std::string operator()(const TableBlock& b) const {
    std::string line = "table ";
    for (std::size_t i = 0; i < b.rows.size(); ++i) {
      if (i > 0) line += " / ";
      line += joined(b.rows[i], " ; ");
    }
    return line;
  }
  std::string operator()(const QuoteBlock& b) const {
    return "quote " + one_line(b.text) + optional_part("--", b.citation);
  }
  std::string operator()(const VideoBlock& b) const { return dump_media("video", *b.media); }
  std::string operator()(const AudioBlock& b) const { return dump_media("audio", *b.media); }
  std::string operator()(const StructuredBlock& b) const { return "structured " + one_line(b.data); }
  std::string operator()(const UnknownBlock& b) const { return "unknown " + one_line(b.json); }
};

}  // namespace

std::string dump_block(const Block& block) { return std::visit(Dump{}, block.kind); }

std::string dump_blocks(const List<Block>& blocks) {
  std::string lines;
  for (const Block& block : blocks) lines += dump_block(block) + "\n";
  return lines;
}

std::string dump_blocks(std::string_view html, BlockOptions options, const Metadata& metadata) {
  html::Document document;
  html::parse(html, {}, document);
  ContentMap content;
  content.reset(document.size(), true);
  const auto url = base::Url::parse("https://e.org/dir/page");
  if (options.base == nullptr) options.base = &*url;
  Arena arena;
  BlockBuilder builder;
  return dump_blocks(builder.build(document, content, metadata, options, arena).blocks);
}

}  // namespace sheaf::extract
