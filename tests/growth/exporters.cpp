#include "exporters.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/page_chunks.h"
#include "sheaf/export/parquet_shards.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/deltas/page_diff.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/markup/html_writer.h"
#include "sheaf/model/plain_text.h"
#include "sheaf/quality/page_quality.h"
#include "sheaf/warc/warc_reader.h"
#include "sheaf/warc/warc_record.h"
#include "sheaf/warc/warc_writer.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sheaf::growth {
namespace {

/// A page that has the text in one place or another.
struct MadePage {
  std::string url = "https://example.com/a";
  Arena arena;
  std::vector<Block> blocks;
  Page page;
};

std::vector<Text> cut(std::string_view text, std::size_t size) {
  std::vector<Text> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + size, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

void one_text(MadePage& made, std::string_view text) { made.blocks.push_back({TextBlock{text}, {}}); }
void one_code(MadePage& made, std::string_view text) { made.blocks.push_back({CodeBlock{{}, text}, {}}); }
void long_title(MadePage& made, std::string_view text) {
  made.page.title = text.substr(0, text.size() / 2);
  made.page.language = "en";
  one_text(made, text.substr(text.size() / 2));
}
void long_heading(MadePage& made, std::string_view text) {
  made.blocks.push_back({HeadingBlock{2, text.substr(0, text.size() / 2)}, {}});
  one_text(made, text.substr(text.size() / 2));
}
void long_url(MadePage& made, std::string_view text) {
  made.url += std::string(text.size() / 2, 'a');
  made.page.url = made.url;
  one_text(made, text.substr(text.size() / 2));
}
void many_blocks(MadePage& made, std::string_view text) {
  for (const Text piece : cut(text, 16)) one_text(made, piece);
}
void many_headings(MadePage& made, std::string_view text) {
  int level = 0;
  for (const Text piece : cut(text, 16)) {
    made.blocks.push_back({HeadingBlock{level++ % 6 + 1, piece}, {}});
    one_text(made, "a");
  }
}
void one_list(MadePage& made, std::string_view text) {
  ListBlock list;
  list.items = made.arena.copy(std::span<const Text>(cut(text, 4)));
  made.blocks.push_back({list, {}});
}
void one_table(MadePage& made, std::string_view text) {
  std::vector<List<Text>> rows;
  for (const Text line : cut(text, 32)) rows.push_back(made.arena.copy(std::span<const Text>(cut(line, 8))));
  made.blocks.push_back({TableBlock{made.arena.copy(std::span<const List<Text>>(rows))}, {}});
}
void wide_table(MadePage& made, std::string_view text) {
  std::vector<List<Text>> rows(text.size() / 16 + 1);
  rows.front() = made.arena.copy(std::span<const Text>(cut(text, 16)));
  made.blocks.push_back({TableBlock{made.arena.copy(std::span<const List<Text>>(rows))}, {}});
}
/// Ranges within one another, over many lines.
void many_inlines(MadePage& made, std::string_view text) {
  std::string lines(text.size(), 'a');
  for (std::size_t i = 15; i < lines.size(); i += 16) lines[i] = '\n';
  made.blocks.push_back({TextBlock{made.arena.copy(lines)}, {}});
  std::vector<Inline> ranges;
  const auto end = static_cast<std::uint32_t>(text.size());
  for (std::uint32_t i = 0; i < end / 2; i += 8) ranges.push_back({i, end - i, InlineKind::strong, {}});
  const List<Inline> lists[] = {made.arena.copy(std::span<const Inline>(ranges))};
  made.blocks.back().inlines = made.arena.copy(std::span<const List<Inline>>(lists));
}

struct Place {
  const char* name;
  void (*make)(MadePage& made, std::string_view text);
};
constexpr std::array kPlaces = {Place{"one text", one_text},           Place{"one code", one_code},
                                Place{"long title", long_title},       Place{"long heading", long_heading},
                                Place{"long URL", long_url},           Place{"many blocks", many_blocks},
                                Place{"many headings", many_headings}, Place{"one list", one_list},
                                Place{"one table", one_table},         Place{"wide table", wide_table},
                                Place{"many inlines", many_inlines}};

void to_chunks(const Page& page, const exporting::ChunkRules& rules) {
  std::string out;
  for (const exporting::PageChunk& chunk : exporting::chunk_page("https://example.com", page, rules))
    exporting::append_chunk_json(out, chunk, {"https://example.com", "all"}, page, rules);
}
void chunks(const Page& page) { to_chunks(page, {}); }
void chunks_with_overlap(const Page& page) { to_chunks(page, {.max_chars = 200, .overlap = 50}); }
void chunks_of_blocks(const Page& page) { to_chunks(page, {.unit = exporting::ChunkRules::Unit::blocks}); }
void markdown(const Page& page) { static_cast<void>(markdown::page_markdown(page)); }
void text(const Page& page) {
  std::string out;
  model::append_page_text(out, page);
  static_cast<void>(model::count_words(out));
}
void warc_text(const Page& page) {
  std::string block;
  model::append_page_text(block, page);
  std::string out;
  static_cast<void>(warc::append_record(out, {.type = warc::RecordType::conversion, .url = page.url}, block,
                                        warc::RecordCoding::plain));
}
void parquet(const Page& page) {
  std::string json;
  format::encode_page(page, json);
  exporting::PageTable table({.json = true}, {.threads = 0},
                             [](std::string_view) { return base::Result<void>(); });
  static_cast<void>(table.add({"https://example.com", "all", page.url, "collections", json}, page));
  static_cast<void>(table.finish());
}
void line(const Page& page) {
  store::StoredPage stored{"https://example.com",      "all", std::string(page.url),
                           std::string(page.modified), {},    {}};
  format::encode_page(page, stored.json);
  std::string out;
  exporting::append_page_line(out, stored);
}
void collection(const Page& page) {
  model::CollectionHead head;
  head.id = head.section = "a";
  head.set_generated(Instant{1'770'000'000, 0});
  auto writer = format::CollectionWriter::create_checker(head, format::Codec::zstd, {});
  if (writer) static_cast<void>(writer->add(page));
}
void html(const Page& page) {
  markup::HtmlWriter out;
  browse::write_contents(out, page);
  browse::write_blocks(out, page);
  static_cast<void>(std::move(out).take());
}
void diff(const Page& page) {
  std::vector<Block> newer(page.content.begin(), page.content.end());
  std::ranges::reverse(newer);
  static_cast<void>(format::diff_blocks(page.content, std::span<const Block>(newer)));
}
void measures(const Page& page) { static_cast<void>(quality::measure_page(page)); }

template <void (*write)(const Page&), std::size_t place>
void run(std::string_view bytes) {
  MadePage made;
  made.page.url = made.url;
  made.page.title = made.page.description = "t";
  made.page.modified = "2026-01-01T00:00:00Z";
  made.page.language = "en";
  kPlaces[place].make(made, bytes);
  made.page.content = std::span<const Block>(made.blocks);
  write(made.page);
}

template <void (*write)(const Page&), std::size_t... places>
void add(std::vector<Subject>& subjects, const std::string& name, std::index_sequence<places...> /*all*/) {
  (subjects.push_back({name + ", " + kPlaces[places].name, run<write, places>}), ...);
}

template <void (*write)(const Page&)>
void add(std::vector<Subject>& subjects, const std::string& name) {
  add<write>(subjects, name, std::make_index_sequence<kPlaces.size()>());
}

/// The fuzz target has a limit of 8 KiB for heads.
void warc_default(std::string_view bytes) {
  const auto source = base::buffer_source(bytes);
  warc::WarcReader reader(*source, [](const warc::WarcFault&) {});
  while (true) {
    const auto head = reader.next();
    if (!head || *head == nullptr) return;
    const auto block = reader.block();
    if (!block) return;
    if (const auto response = warc::parse_response(**head, block->bytes))
      static_cast<void>(warc::decode_body(*response, std::size_t{1} << 20U));
  }
}

}  // namespace

std::vector<Subject> exporters() {
  std::vector<Subject> subjects = {{"warc_default", warc_default}};
  add<chunks>(subjects, "chunks");
  add<chunks_with_overlap>(subjects, "chunks with overlap");
  add<chunks_of_blocks>(subjects, "chunks of blocks");
  add<markdown>(subjects, "Markdown");
  add<text>(subjects, "text");
  add<warc_text>(subjects, "WARC");
  add<parquet>(subjects, "Parquet");
  add<line>(subjects, "JSON lines");
  add<collection>(subjects, "collection");
  add<html>(subjects, "HTML");
  add<diff>(subjects, "diff");
  add<measures>(subjects, "quality");
  return subjects;
}

}  // namespace sheaf::growth
