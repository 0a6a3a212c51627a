#include "sheaf/browse/block_html.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/model/plain_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sheaf::browse {
namespace {

constexpr std::size_t kMaxInlineDepth = 8;

void open_inline(markup::HtmlWriter& out, const Inline& range) {
  switch (range.kind) {
    case InlineKind::link: out.open_web_link(range.url); break;
    case InlineKind::code:
    case InlineKind::math: out.open("code"); break;
    case InlineKind::strong: out.open("strong"); break;
    case InlineKind::em: out.open("em"); break;
    case InlineKind::sub: out.open("sub"); break;
    case InlineKind::sup: out.open("sup"); break;
  }
}

}  // namespace

void write_inline(markup::HtmlWriter& out, std::string_view text, const List<Inline>& inlines) {
  text = base::cut_utf8(text, kMaxShownText);
  std::vector<std::uint32_t> units;
  units.reserve(2 * inlines.size());
  for (const Inline& range : inlines) {
    units.push_back(range.from);
    units.push_back(range.to);
  }
  const std::vector<std::size_t> places = model::byte_offsets(text, units);
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  const auto write_to = [&](std::size_t place) {
    if (place > at) out.text(text.substr(at, place - at)), at = place;
  };
  for (std::size_t i = 0; i < inlines.size(); ++i) {
    const std::size_t from = places[2 * i];
    const std::size_t to = places[2 * i + 1];
    if (from == model::kNoOffset || to == model::kNoOffset || from >= to || from < at) continue;
    while (!ends.empty() && ends.back() <= from) write_to(ends.back()), out.close(), ends.pop_back();
    if ((!ends.empty() && to > ends.back()) || ends.size() >= kMaxInlineDepth) continue;
    write_to(from);
    open_inline(out, inlines[i]);
    ends.push_back(to);
  }
  for (; !ends.empty(); ends.pop_back()) write_to(ends.back()), out.close();
  write_to(text.size());
}

namespace {

/// Larger code is shown without colours, because a span for each word would make the document many times as
/// large.
constexpr std::size_t kMaxColoured = 200'000;

/// Sorted. Words that are keywords in several of the common languages.
constexpr std::array<std::string_view, 74> kKeywords = {
    "abstract", "and",      "as",        "async",    "await", "bool",      "break",   "case",   "catch",
    "class",    "const",    "constexpr", "continue", "def",   "default",   "del",     "do",     "done",
    "echo",     "elif",     "else",      "end",      "enum",  "esac",      "except",  "export", "extends",
    "extern",   "false",    "fi",        "finally",  "fn",    "for",       "foreach", "from",   "func",
    "function", "if",       "impl",      "import",   "in",    "interface", "is",      "lambda", "let",
    "match",    "mut",      "namespace", "new",      "nil",   "not",       "null",    "or",     "package",
    "pass",     "private",  "protected", "public",   "raise", "return",    "self",    "static", "struct",
    "switch",   "template", "then",      "this",     "throw", "true",      "try",     "var",    "void",
    "while",    "yield"};
static_assert(std::ranges::is_sorted(kKeywords));

bool is_word_start(char c) { return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_word_part(char c) { return is_word_start(c) || base::is_digit(c); }

/// How comments begin in a language.
struct CommentMarks {
  bool slashes = true;  ///< // and /* */
  bool hash = false;
  bool dashes = false;
  bool markup = false;
};

CommentMarks marks_of(std::string_view language) {
  const std::string name = base::lower_text(language);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_one_of({"python", "py",         "sh",   "bash",   "shell", "console", "zsh",  "ruby",
                 "rb",     "perl",       "yaml", "yml",    "toml",  "ini",     "make", "makefile",
                 "cmake",  "dockerfile", "r",    "elixir", "nix",   "conf",    "nginx"}))
    return {.slashes = false, .hash = true};
  if (is_one_of({"sql", "lua", "haskell", "hs", "ada"})) return {.slashes = false, .dashes = true};
  if (is_one_of({"html", "xml", "svg", "vue", "xhtml"})) return {.slashes = false, .markup = true};
  if (is_one_of({"text", "plain", "plaintext", "txt", "output", "diff", "markdown", "md"}))
    return {.slashes = false};
  return {};
}

class CodePainter {
 public:
  CodePainter(markup::HtmlWriter& out, std::string_view code, CommentMarks marks)
      : out_(out), code_(code), marks_(marks) {}

  void run() {
    while (at_ < code_.size())
      if (!paint_token()) ++at_;
    flush(code_.size());
  }

 private:
  bool paint_token() {
    const std::string_view rest = code_.substr(at_);
    const char c = rest.front();
    if (const std::size_t size = comment_size(rest); size > 0) return paint("c", size);
    if (c == '"' || c == '\'' || c == '`')
      if (const std::size_t size = string_size(rest); size > 0) return paint("s", size);
    if (base::is_digit(c)) return paint("n", run_of(rest));
    if (!is_word_start(c)) return false;
    const std::size_t size = run_of(rest);
    if (std::ranges::binary_search(kKeywords, rest.substr(0, size))) return paint("k", size);
    at_ += size;
    return true;
  }

  static std::size_t run_of(std::string_view rest) {
    std::size_t size = 1;
    while (size < rest.size() && is_word_part(rest[size])) ++size;
    return size;
  }

  [[nodiscard]] std::size_t comment_size(std::string_view rest) const {
    const auto to_end_of = [&](std::string_view mark) {
      const std::size_t end = rest.find(mark);
      return end == std::string_view::npos ? rest.size() : end + (mark == "\n" ? 0 : mark.size());
    };
    const bool is_after_space =
        at_ == 0 || code_[at_ - 1] == '\n' || code_[at_ - 1] == ' ' || code_[at_ - 1] == '\t';
    if (marks_.slashes && rest.starts_with("//") && (at_ == 0 || code_[at_ - 1] != ':'))
      return to_end_of("\n");
    if (marks_.slashes && rest.starts_with("/*")) return to_end_of("*/");
    if (marks_.hash && rest.starts_with('#') && is_after_space) return to_end_of("\n");
    if (marks_.dashes && rest.starts_with("--") && is_after_space) return to_end_of("\n");
    if (marks_.markup && rest.starts_with("<!--")) return to_end_of("-->");
    return 0;
  }

  /// A string ends on its line. An apostrophe in a sentence has no counterpart there, so it does not begin a
  /// string.
  static std::size_t string_size(std::string_view rest) {
    for (std::size_t i = 1; i < rest.size() && rest[i] != '\n'; ++i) {
      if (rest[i] == '\\')
        ++i;
      else if (rest[i] == rest.front())
        return i + 1;
    }
    return 0;
  }

  bool paint(std::string_view kind, std::size_t size) {
    flush(at_);
    out_.element("span", code_.substr(at_, size), {{"class", kind}});
    at_ += size;
    flushed_ = at_;
    return true;
  }

  void flush(std::size_t end) {
    out_.text(code_.substr(flushed_, end - flushed_));
    flushed_ = end;
  }

  markup::HtmlWriter& out_;
  std::string_view code_;
  CommentMarks marks_;
  std::size_t at_ = 0;
  std::size_t flushed_ = 0;
};

}  // namespace

void write_code(markup::HtmlWriter& out, std::string_view code, std::string_view language) {
  if (code.size() > kMaxColoured) {
    out.text(code);
    return;
  }
  CodePainter(out, code, marks_of(language)).run();
}

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
