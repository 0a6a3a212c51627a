// Any page becomes blocks, whichever of its nodes are kept, and what comes out holds together:
// - the drafts' rules for blocks: levels, texts that say something, http(s) addresses, media with a name;
// - never more blocks than asked for, and the work is linear in the document;
// - the same page gives the same blocks again, from memory used before.
// The first byte chooses the limit and the links, the second which nodes are kept.
#include "fuzz_support.h"
#include "sheaf/extract/blocks/block_merge.h"
#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/html/parser.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace {

using sheaf::fuzz::require;
using namespace sheaf;
using namespace sheaf::html;
using namespace sheaf::extract;

void require_text(Text text) { require(!trim_blank(text).empty(), "a text says nothing"); }
void require_url(Text url) { require(base::is_http_url(url), "an address is not http(s)"); }

void check_media(const Media& media) {
  require_text(media.name);
  const auto& links = std::get<List<MediaLink>>(media.url);
  require(!links.empty(), "media without an address");
  for (const MediaLink& link : links) require_url(link.href);
  if (media.icon_url) require_url(*media.icon_url);
  if (media.captions)
    for (const Caption& caption : *media.captions) require_url(caption.url);
}

struct Check {
  void operator()(const TextBlock& block) const { require_text(block.text); }
  void operator()(const HeadingBlock& block) const {
    require_text(block.text);
    require(block.level >= 1 && block.level <= 6, "a heading of no level");
    require(block.text.find('\n') == Text::npos, "a heading of two lines");
  }
  void operator()(const LinkBlock& block) const {
    require_text(block.text);
    require_url(block.url);
  }
  void operator()(const ImageBlock& block) const { require_url(block.url); }
  void operator()(const ListBlock& block) const {
    require(!block.items.empty(), "a list without items");
    for (const Text item : block.items) require_text(item);
  }
  void operator()(const CodeBlock& block) const {
    require_text(block.code);
    require(!block.language || !block.language->empty(), "an empty language");
  }
  void operator()(const TableBlock& block) const {
    require(!block.rows.empty(), "a table without rows");
    for (const auto& row : block.rows) require(!row.empty(), "a row without cells");
  }
  void operator()(const QuoteBlock& block) const {
    require_text(block.text);
    if (block.citation) require_text(*block.citation);
  }
  void operator()(const VideoBlock& block) const { check_media(*block.media); }
  void operator()(const AudioBlock& block) const { check_media(*block.media); }
  void operator()(const StructuredBlock&) const { require(false, "a structured block"); }
  void operator()(const UnknownBlock&) const { require(false, "an unknown block"); }
};

std::string plain(const BuiltBlocks& built) {
  std::string text;
  for (const Block& block : built.blocks) append_plain_text(block, text += '\n');
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view html(reinterpret_cast<const char*>(data) + 2, size - 2);
  static const auto url = base::Url::parse("https://example.org/a/b");
  static Document document;
  static BlockBuilder builder;
  Arena arena;
  parse(html, {}, document);

  ContentMap content;
  content.reset(document.size(), true);
  // A pattern over the nodes: every node, or those the bits of the byte name in turn.
  for (NodeId node = 0; data[1] != 0 && node < document.size(); ++node)
    content.set(node, ((data[1] >> (node % 8)) & 1) == 0);

  BlockOptions options;
  options.base = (data[0] & 64) != 0 ? nullptr : &*url;
  options.links = (data[0] & 128) != 0 ? LinkBlocks::all : LinkBlocks::content;
  options.inline_structure = (data[1] & 1) != 0 ? InlineStructure::keep : InlineStructure::leave_out;
  options.max_blocks = data[0] & 63;
  const BuiltBlocks built = builder.build(document, content, {}, options, arena);
  require(built.blocks.size() <= std::max<std::size_t>(options.max_blocks, 1), "too many blocks");
  require(built.steps <= 3 * document.size(), "more steps than nodes allow");
  for (const Block& block : built.blocks) std::visit(Check{}, block.kind);

  BlockBuilder fresh;
  require(plain(built) == plain(fresh.build(document, content, {}, options, arena)), "another page again");
  return 0;
}
