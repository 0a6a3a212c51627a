#include "sheaf/extract/extract.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/url.h"
#include "sheaf/extract/blocks/page_links.h"
#include "sheaf/extract/content/content_explain.h"
#include "sheaf/extract/content/content_select.h"
#include "sheaf/extract/content/declared_text.h"
#include "sheaf/extract/declared_blocks.h"
#include "sheaf/extract/generators/generated_page.h"
#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/extract/outline/hidden_elements.h"
#include "sheaf/extract/outline/parse_page.h"
#include "sheaf/extract/page_fields.h"
#include "sheaf/extract/state/state_text.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/text_value.h"
#include "sheaf/markdown/front_matter.h"
#include "sheaf/markdown/markdown.h"
#include "sheaf/model/robots_directives.h"
#include "sheaf/text/text_compare.h"

#include <fmt/format.h>

#include <sheaf/arena.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace sheaf::extract {
namespace {

/// The charset parameter of a Content-Type; empty if there is none.
std::string_view charset_of(std::string_view content_type) {
  constexpr std::string_view kKey = "charset=";
  for (std::size_t at = 0; at + kKey.size() <= content_type.size(); ++at) {
    if (!text::equal_text(content_type.substr(at, kKey.size()), kKey, text::TextCase::ignore)) continue;
    std::string_view value = content_type.substr(at + kKey.size());
    value = value.substr(0, value.find(';'));
    while (!value.empty() && (text::is_space(value.front()) || value.front() == '"')) value.remove_prefix(1);
    while (!value.empty() && (text::is_space(value.back()) || value.back() == '"')) value.remove_suffix(1);
    return value;
  }
  return {};
}

/// The directives that a page of a collection may have, each once: HTML may have any other, such as
/// max-image-preview.
std::optional<List<Text>> known_directives(const std::optional<List<Text>>& directives, Arena& arena) {
  if (!directives) return std::nullopt;
  std::vector<Text> known;
  for (const Text directive : *directives) {
    // noindex counts in any form, even as an odd value of another directive.
    const auto name = model::says_noindex(directive) ? "noindex" : model::known_directive(directive);
    if (name && std::ranges::find(known, *name) == known.end()) known.push_back(*name);
  }
  if (known.empty()) return std::nullopt;
  return arena.copy(std::span<const Text>(known));
}

/// Whether most of a text, and many of its lines, are as long as prose. Settings and lists of products are
/// not.
bool is_prose(std::string_view text) {
  constexpr std::size_t kLine = 60;  // bytes
  std::size_t prose = 0;
  std::size_t long_lines = 0;
  std::size_t lines = 0;
  for (std::string_view rest = text; !rest.empty(); ++lines) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (line.size() >= kLine) {
      prose += line.size();
      ++long_lines;
    }
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return prose * 10 >= text.size() * 6 && long_lines * 4 >= lines;
}

}  // namespace

struct Extractor::State {
  /// Starts a new page: discards the results of the last one and decodes the bytes.
  encoding::Decoded decode(std::string_view bytes, std::string_view charset) {
    arena.clear();
    result = {};
    judged = false;
    from_state = false;
    const encoding::Decoded page =
        decoder.decode(bytes, decoded, {.transport_charset = charset, .trust_valid_utf8 = true});
    result.encoding = page.encoding;
    result.encoding_source = page.source;
    result.malformed_bytes = page.had_errors;
    return page;
  }

  /// Renders the body of a Markdown page as HTML, parses that as the content of a `div`, and records which
  /// limits were reached.
  void parse_markdown(std::string_view body, html::ParseLimits limits, markdown::Flavour flavour) {
    const bool all_marks = markdown::render_markdown(body, rendered, flavour);
    html::ParseOptions options;
    options.limits = limits;
    options.limits.input_bytes = html::ParseLimits().input_bytes;  // the Markdown has been cut already
    options.fragment = html::FragmentContext{.name = "div"};
    // cmark-gfm cuts a character in two in some malformed footnotes.
    const encoding::Decoded html = decoder.decode(rendered, repaired, {.transport_charset = "utf-8"});
    result.limits = html::parse(html.text, options, document).limits;
    result.limits.emphasis = !all_marks;
  }

  /// Replaces the blocks of a page that shows next to nothing, or only a part of its text, with the text in
  /// the data of its scripts.
  void show_state(const Metadata& metadata, const ExtractOptions& options, BuiltBlocks& built) {
    constexpr std::size_t kShell = 200;  // bytes
    constexpr std::size_t kBeginning = 1500;
    const std::string shown = text_of(built.blocks);
    if (shown.size() > kBeginning) return;
    std::string page_title;
    if (const html::NodeId title = html::find_first(document, document.root(), html::Name::title);
        title != html::kNoNode)
      html::append_text_content(document, title, page_title);
    const auto headline = metadata.headline != html::kNoNode
                              ? html::element_text(document, metadata.headline, kShell, arena)
                              : std::nullopt;
    const std::array<std::string_view, 3> titles = {metadata.title.value_or(""), page_title,
                                                    headline.value_or("")};
    rendered = read_state_text(document, {.titles = titles, .is_shell = shown.size() < kShell});
    if (rendered.empty() || rendered.size() < 2 * shown.size()) return;
    html::ParseOptions parse_options;
    parse_options.limits = options.limits;
    parse_options.fragment = html::FragmentContext{.name = "div"};
    html::parse(rendered, parse_options, state_document);
    const ContentMap& content = selector.keep_all(state_document, {.leave_out = options.leave_out});
    Metadata no_headline = metadata;
    no_headline.headline = html::kNoNode;
    BuiltBlocks hidden = builder.build(
        state_document, content, no_headline,
        {.base = url ? &*url : nullptr, .links = options.links, .inline_structure = options.inline_structure},
        arena);
    const std::string text = text_of(hidden.blocks);
    if (!is_prose(text)) return;
    DeclaredText words;
    words.read(text);
    constexpr float kContained = 0.5F;
    const bool contains = words.share_of(std::string_view(shown)) >= kContained;
    if (text.size() < 2 * shown.size() || (shown.size() >= kShell && !contains)) return;
    built = hidden;
    from_state = true;
  }

  encoding::Decoder decoder;
  std::string decoded;
  std::string closed;    // `decoded` with missing end tags added (parse_page.h)
  std::string rendered;  // a Markdown page as HTML
  std::string repaired;  // `rendered` as valid UTF-8, if it was not
  html::Document document;
  html::Document state_document;  // the text in the data of its scripts
  ContentSelector selector;
  BlockBuilder builder;
  Arena arena;
  bool selected = false;    // the current page was extracted from HTML
  bool judged = false;      // ... and the model has judged its texts
  bool from_state = false;  // the content is from the data of its scripts
  PageOutline outline;
  GeneratedPage generated;
  std::optional<base::Url> url;  // of the current page
  Extraction result;
};

Extractor::Extractor() : state_(std::make_unique<State>()) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&& other) noexcept = default;
Extractor& Extractor::operator=(Extractor&& other) noexcept = default;

namespace {

/// Sets the fields of the page from its metadata, and missing required fields from its content.
void fill_page(const Metadata& metadata, const ExtractOptions& options, const base::Url* url,
               const BuiltBlocks& built, Arena& arena, Extraction& result) {
  result.merged_blocks = built.merged;
  Page& page = result.page;
  page.url = url != nullptr ? html::url_text(url->href(), arena) : metadata.canonical.value_or("");
  page.title = metadata.title.value_or("");
  result.has_own_title = !page.title.empty();
  page.description = metadata.description.value_or("");
  page.author = metadata.author;
  if (metadata.published) page.published = arena.copy(format_time(*metadata.published));
  std::optional<Instant> modified = metadata.modified;
  if (!modified) modified = metadata.published;
  if (!modified) modified = options.fallback_modified;
  if (modified) {
    page.modified_at = *modified;
    page.modified = arena.copy(format_time(*modified));
  }
  page.language = metadata.language.value_or("");
  page.canonical = metadata.canonical;
  page.schema = metadata.schema;
  page.robots = known_directives(metadata.robots, arena);
  for (const Text directive : metadata.robots.value_or(List<Text>())) {
    result.has_end = result.has_end || visibility::has_end(directive);
    if (result.verdict.is_public()) result.verdict = visibility::judge_robots(directive, options.present);
  }
  page.content = built.blocks;
  fill_required_fields(page, url, arena);
}

}  // namespace

const Extraction& Extractor::extract(std::string_view bytes, const ExtractOptions& options) {
  State& state = *state_;
  const encoding::Decoded decoded = state.decode(bytes, charset_of(options.content_type));
  Extraction& result = state.result;
  html::ParseOptions parse_options;
  parse_options.limits = options.limits;
  result.limits = parse_page(decoded.text, parse_options, state.closed, state.document).limits;

  state.url = base::Url::parse(options.url);
  const base::Url* address = state.url ? &*state.url : nullptr;
  // Outline, metadata, content labels, blocks: each step reads the results of the earlier steps and changes
  // none of them.
  state.outline.build(state.document);
  result.shown_chars =
      state.outline.between(0, static_cast<std::uint32_t>(state.outline.runs().size())).chars;
  // A selector given by the user takes precedence over the generator's.
  state.generated = options.content == nullptr ? find_generated(state.document) : GeneratedPage();
  const GeneratedPage& generated = state.generated;
  const Metadata metadata = read_metadata(
      state.document, state.outline,
      {.url = address, .robots_header = options.robots_header, .generated = &generated, .now = options.now},
      state.arena);
  const SelectOptions select{
      .site = options.site,
      .content = options.content,
      .leave_out = options.leave_out,
      .chrome = generated.chrome,
      .hidden = state.outline.hidden(),
      .sure = generated.sure,
      .declared = {.headline = metadata.headline,
                   .text = metadata.declared_text.value_or(""),
                   .page = {.kinds = metadata.kinds,
                            .path = address != nullptr ? address->path() : std::string_view(),
                            .host = address != nullptr ? address->host() : std::string_view(),
                            .site_name = metadata.site_name.value_or(""),
                            .description = metadata.description.value_or("")}}};
  const bool is_known = !generated.content.empty();
  const ContentMap& content = is_known
                                  ? state.selector.keep_elements(state.document, generated.content, select)
                                  : state.selector.select(state.document, state.outline, select);
  state.selected = true;
  state.judged = !is_known && options.content == nullptr;
  BuiltBlocks built = state.builder.build(
      state.document, content, metadata,
      {.base = address, .links = options.links, .inline_structure = options.inline_structure}, state.arena);
  if (options.content == nullptr) state.show_state(metadata, options, built);
  if (options.content == nullptr && !is_known && !state.from_state)
    add_declared_parts(metadata, state.arena, built);
  fill_page(metadata, options, address, built, state.arena, result);
  return result;
}

void Extractor::learn(std::string_view bytes, std::string_view content_type, SiteProfile& site) {
  State& state = *state_;
  state.selected = false;
  const encoding::Decoded decoded = state.decode(bytes, charset_of(content_type));
  parse_page(decoded.text, {}, state.closed, state.document);
  state.outline.build(state.document);
  site.add(state.outline);
}

std::optional<std::vector<FrameText>> Extractor::frame_texts(std::size_t most) const {
  if (!state_->judged) return std::nullopt;
  std::vector<FrameText> texts;
  const auto runs = state_->outline.runs();
  for (std::uint32_t i = 0; i < runs.size() && texts.size() < most; ++i) {
    auto text = as_frame_text(runs[i]);
    if (!text) continue;
    text->is_kept = state_->selector.run_kept(i);
    texts.push_back(*text);
  }
  // If a text occurs more than once, an occurrence that was kept takes precedence.
  std::ranges::sort(texts, [](const FrameText& a, const FrameText& b) {
    return a.key != b.key ? a.key < b.key : a.is_kept > b.is_kept;
  });
  const auto repeated = std::ranges::unique(texts, {}, &FrameText::key);
  texts.erase(repeated.begin(), repeated.end());
  return texts;
}

std::vector<std::string> Extractor::links() const {
  if (!state_->selected) return {};
  const auto& robots = state_->result.page.robots;
  const auto stays = [](Text word) { return word == "nofollow" || word == "none"; };
  if (robots && std::ranges::any_of(*robots, stays)) return {};
  return followable_links(state_->document, state_->url ? &*state_->url : nullptr);
}

std::string Extractor::explain() const {
  if (!state_->selected) return {};
  const GeneratedPage& generated = state_->generated;
  if (state_->from_state) return "content: text in the data of the page's scripts\n";
  if (generated.content.empty()) return explain_content(state_->document, state_->selector);
  return fmt::format("generator: {}\ncontent: {}\nexcluded from the content: {}\n", generated.generator->name,
                     generated.generator->content, generated.generator->chrome);
}

namespace {

/// Cuts a Markdown text so that it has at most `most` line ends and characters that may begin a node: at the
/// end of a line, or within the first line if that has more. This limits the tree beforehand, because
/// cmark-gfm builds all of it before nodes can be counted. `w` is in the table because cmark-gfm ends a text
/// node at every `w`, which may begin a "www." URL.
std::string_view cut_marks(std::string_view text, std::size_t most) {
  constexpr auto kIsMark = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("\n\r*_[]()<>&!`~|\\:#+-@\"'w"))
      table[static_cast<unsigned char>(c)] = true;
    return table;
  }();
  if (text.size() <= most) return text;
  std::size_t marks = 0;
  std::size_t lines_end = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!kIsMark[static_cast<unsigned char>(text[i])]) continue;
    if (++marks > most) return text.substr(0, lines_end > 0 ? lines_end : i);
    if (text[i] == '\n') lines_end = i + 1;
  }
  return text;
}

}  // namespace

const Extraction& Extractor::extract_markdown(std::string_view bytes, const ExtractOptions& options) {
  State& state = *state_;
  state.selected = false;
  // Markdown does not declare its charset; it is UTF-8.
  const std::string_view charset = charset_of(options.content_type);
  const encoding::Decoded decoded = state.decode(bytes, charset.empty() ? "utf-8" : charset);
  Extraction& result = state.result;
  if (charset.empty() && decoded.source == encoding::EncodingSource::transport)
    result.encoding_source =
        decoded.had_errors ? encoding::EncodingSource::fallback : encoding::EncodingSource::utf8_valid;
  const std::string_view text = base::cut_utf8(decoded.text, options.limits.input_bytes);

  const std::optional<base::Url> url = base::Url::parse(options.url);
  const base::Url* address = url ? &*url : nullptr;
  markdown::FrontMatter front = markdown::read_front_matter(
      text, {.url = address, .robots_header = options.robots_header, .now = options.present}, state.arena);
  Metadata& metadata = front.metadata;
  // 2024-05-01-title.md, the convention of some generators.
  if (!metadata.published) metadata.published = find_path_date(options.file_name, PathDate::year_first);

  const std::string_view body = cut_marks(front.body, options.limits.nodes);
  const bool is_mdx = base::lower_text(options.file_name).ends_with(".mdx");
  state.parse_markdown(body, options.limits, is_mdx ? markdown::Flavour::mdx : markdown::Flavour::markdown);
  result.limits.input_bytes = result.limits.input_bytes || text.size() < decoded.text.size();
  result.limits.nodes = result.limits.nodes || body.size() < front.body.size();
  const std::vector<html::NodeId> hidden = find_hidden(state.document);
  const ContentMap& content = state.selector.keep_all(
      state.document, {.content = options.content, .leave_out = options.leave_out, .hidden = hidden});
  const BuiltBlocks built = state.builder.build(
      state.document, content, metadata,
      {.base = address, .links = options.links, .inline_structure = options.inline_structure}, state.arena);

  fill_page(metadata, options, address, built, state.arena, result);
  if (front.permalink)
    if (const auto permalink = base::Url::parse(*front.permalink, address))
      result.permalink = html::url_text(permalink->without_fragment().href(), state.arena);
  Page& page = result.page;
  if (page.url.empty()) page.url = result.permalink;
  if (page.title.empty()) page.title = state.arena.copy(title_from_name(options.file_name));
  if (page.description.empty()) page.description = page.title;
  if (result.verdict.is_public()) result.verdict = front.verdict;
  result.problems = std::move(front.problems);
  return result;
}

}  // namespace sheaf::extract
