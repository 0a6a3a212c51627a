#include "sheaf/browse/block_html.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/browse/code_colours.h"
#include "sheaf/browse/inline_html.h"

#include <algorithm>
#include <string>
#include <variant>

namespace sheaf::browse {
namespace {

constexpr std::size_t kContentsTextBytes = 160;

void open_heading(markup::HtmlWriter& out, int level, std::string_view id) {
  // The title of the page is the h1.
  switch (std::clamp(level, 1, 5)) {
    case 1: out.open("h2", {{"id", id}, {"dir", "auto"}}); break;
    case 2: out.open("h3", {{"id", id}, {"dir", "auto"}}); break;
    case 3: out.open("h4", {{"id", id}, {"dir", "auto"}}); break;
    case 4: out.open("h5", {{"id", id}, {"dir", "auto"}}); break;
    default: out.open("h6", {{"id", id}, {"dir", "auto"}}); break;
  }
}

void write_rest(markup::HtmlWriter& out, std::uint64_t count, std::string_view singular,
                std::string_view plural) {
  out.element("p", "and " + base::counted(count, singular, plural) + " more, which are not shown here",
              {{"class", "rest"}});
}

std::string_view cut(std::string_view text) { return base::cut_utf8(text, kMaxShownText); }

/// Many pages begin with their title, which is shown above already.
bool is_title(const Page& page, std::size_t number) {
  const auto* heading = std::get_if<HeadingBlock>(&page.content[number].kind);
  return number == 0 && heading != nullptr && !page.title.empty() && heading->text == page.title;
}

/// How deep an entry of a list is: two spaces for each level (docs/format.md).
std::size_t depth_of(std::string_view item) {
  std::size_t spaces = 0;
  while (spaces < item.size() && item[spaces] == ' ') ++spaces;
  return std::min<std::size_t>(spaces / 2, 6);
}

class BlockHtml {
 public:
  BlockHtml(markup::HtmlWriter& out, const Block& block, std::size_t number)
      : out_(out), block_(block), number_(number) {}

  void operator()(const TextBlock& block) const {
    out_.open("p", {{"dir", "auto"}});
    write_inline(out_, block.text, inlines(0));
    out_.close();
  }
  void operator()(const HeadingBlock& block) const {
    open_heading(out_, block.level, "h" + std::to_string(number_));
    write_inline(out_, block.text, inlines(0));
    out_.close();
  }
  void operator()(const LinkBlock& block) const {
    out_.open("p", {{"class", "link"}, {"dir", "auto"}});
    out_.web_link(block.url, cut(block.text.empty() ? block.url : block.text)).close();
  }
  void operator()(const ImageBlock& block) const {
    out_.open("p", {{"class", "media"}, {"dir", "auto"}}).element("span", "image", {{"class", "kind"}});
    out_.text(" ").web_link(block.url, cut(block.alt.empty() ? block.url : block.alt)).close();
  }
  void operator()(const CodeBlock& block) const {
    const std::string_view language = block.language.value_or("");
    out_.open("pre", {{"tabindex", "0"}, {"data-language", language.substr(0, 30)}}).open("code");
    write_code(out_, cut(block.code), language);
    out_.close().close();
    note_cut(block.code);
  }
  void operator()(const QuoteBlock& block) const {
    out_.open("blockquote", {{"dir", "auto"}}).open("p");
    write_inline(out_, block.text, inlines(0));
    out_.close();
    if (block.citation) out_.element("footer", cut(*block.citation));
    out_.close();
  }
  void operator()(const ListBlock& block) const;
  void operator()(const TableBlock& block) const;
  void operator()(const VideoBlock& block) const { write_media("video", *block.media); }
  void operator()(const AudioBlock& block) const { write_media("audio", *block.media); }
  void operator()(const StructuredBlock& block) const { write_raw(block.format, block.data); }
  void operator()(const UnknownBlock& block) const { write_raw(block.type, block.json); }

 private:
  [[nodiscard]] List<Inline> inlines(std::size_t i) const {
    return i < block_.inlines.size() ? block_.inlines[i] : List<Inline>();
  }
  void write_media(std::string_view kind, const Media& media) const;
  void write_raw(std::string_view kind, std::string_view json) const {
    out_.open("details").element("summary", kind.empty() ? "data" : kind.substr(0, 100));
    out_.open("pre", {{"tabindex", "0"}}).element("code", cut(json)).close().close();
  }
  void note_cut(std::string_view text) const {
    if (text.size() > kMaxShownText) write_rest(out_, text.size() - cut(text).size(), "byte", "bytes");
  }

  markup::HtmlWriter& out_;
  const Block& block_;
  std::size_t number_;
};

void BlockHtml::operator()(const ListBlock& block) const {
  const std::string start = std::to_string(block.start);
  if (block.ordered)
    out_.open("ol", {{"start", start}});
  else
    out_.open("ul");
  const std::size_t before = out_.size();
  std::size_t shown = 0;
  for (const Text item : block.items) {
    if (out_.size() - before > kMaxShownText) break;
    const std::size_t depth = depth_of(item);
    const std::string classes = depth == 0 ? std::string() : "in" + std::to_string(depth);
    if (depth == 0)
      out_.open("li", {{"dir", "auto"}});
    else
      out_.open("li", {{"dir", "auto"}, {"class", classes}});
    write_inline(out_, item, inlines(shown));
    out_.close();
    ++shown;
  }
  out_.close();
  if (shown < block.items.size()) write_rest(out_, block.items.size() - shown, "item", "items");
}

void BlockHtml::operator()(const TableBlock& block) const {
  out_.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Table"}})
      .open("table");
  std::size_t cells = 0;
  std::size_t rows = 0;
  const std::size_t before = out_.size();
  for (const auto& row : block.rows) {
    if (cells + row.size() > kMaxShownCells || out_.size() - before > kMaxShownText) break;
    out_.open("tr");
    for (const Text cell : row) {
      if (rows == 0)
        out_.open("th", {{"scope", "col"}, {"dir", "auto"}});
      else
        out_.open("td", {{"dir", "auto"}});
      write_inline(out_, cut(cell), cell.size() > kMaxShownText ? List<Inline>() : inlines(cells));
      out_.close();
      ++cells;
    }
    out_.close();
    ++rows;
  }
  out_.close().close();
  if (rows < block.rows.size()) write_rest(out_, block.rows.size() - rows, "row", "rows");
}

void BlockHtml::write_media(std::string_view kind, const Media& media) const {
  constexpr std::size_t kMaxLinks = 20;
  out_.open("div", {{"class", "media"}})
      .open("p", {{"dir", "auto"}})
      .element("span", kind, {{"class", "kind"}});
  out_.text(" ");
  if (const auto* one = std::get_if<Text>(&media.url)) {
    out_.web_link(*one, cut(media.name.empty() ? *one : media.name));
  } else {
    out_.text(cut(media.name));
    const auto& links = std::get<List<MediaLink>>(media.url);
    for (const MediaLink& link : links.first(std::min(links.size(), kMaxLinks)))
      out_.text(" ").web_link(link.href, link.media_type.empty() ? link.href : link.media_type);
  }
  if (media.duration) out_.text(" ").element("span", cut(*media.duration), {{"class", "muted"}});
  out_.close();
  if (media.summary) out_.element("p", cut(*media.summary), {{"dir", "auto"}});
  if (media.transcript) {
    out_.open("details").element("summary", "Transcript");
    out_.element("p", cut(*media.transcript), {{"dir", "auto"}}).close();
  }
  out_.close();
}

}  // namespace

void write_contents(markup::HtmlWriter& out, const Page& page) {
  std::size_t headings = 0;
  for (std::size_t i = 0; i < page.content.size(); ++i)
    headings += std::holds_alternative<HeadingBlock>(page.content[i].kind) && !is_title(page, i) ? 1 : 0;
  if (headings < 2) return;
  out.open("nav", {{"class", "contents"}, {"aria-label", "Contents of the page"}});
  out.open("details", {{"open"}}).element("summary", "Contents").open("ol");
  std::size_t shown = 0;
  for (std::size_t i = 0; i < std::min(page.content.size(), kMaxShownBlocks) && shown < kMaxContents; ++i) {
    const auto* heading = std::get_if<HeadingBlock>(&page.content[i].kind);
    if (heading == nullptr || is_title(page, i)) continue;
    ++shown;
    const std::string classes = "in" + std::to_string(std::clamp(heading->level, 1, 6) - 1);
    out.open("li", {{"class", classes}});
    out.link(markup::OwnPath("").at("h", i), base::cut_utf8(heading->text, kContentsTextBytes),
             {{"dir", "auto"}})
        .close();
  }
  out.close();
  if (shown < headings) write_rest(out, headings - shown, "heading", "headings");
  out.close().close();
}

void write_blocks(markup::HtmlWriter& out, const Page& page) {
  const std::size_t before = out.size();
  std::size_t number = 0;
  for (const Block& block : page.content) {
    if (number >= kMaxShownBlocks || out.size() - before > kMaxShownHtml) break;
    if (!is_title(page, number)) std::visit(BlockHtml(out, block, number), block.kind);
    ++number;
  }
  if (number < page.content.size()) write_rest(out, page.content.size() - number, "block", "blocks");
}

}  // namespace sheaf::browse
