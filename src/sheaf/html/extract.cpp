#include "sheaf/html/extract.h"

#include "sheaf/base/arena.h"
#include "sheaf/base/url.h"
#include "sheaf/html/content_select.h"
#include "sheaf/html/metadata.h"
#include "sheaf/html/page_fields.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/text_compare.h"

#include <string>

namespace sheaf::html {
namespace {

/// The charset parameter of a Content-Type; empty if there is none.
std::string_view charset_of(std::string_view content_type) {
  constexpr std::string_view kKey = "charset=";
  for (std::size_t at = 0; at + kKey.size() <= content_type.size(); ++at) {
    if (!equal_text(content_type.substr(at, kKey.size()), kKey, TextCase::ignore)) continue;
    std::string_view value = content_type.substr(at + kKey.size());
    value = value.substr(0, value.find(';'));
    while (!value.empty() && (is_space(value.front()) || value.front() == '"')) value.remove_prefix(1);
    while (!value.empty() && (is_space(value.back()) || value.back() == '"')) value.remove_suffix(1);
    return value;
  }
  return {};
}

}  // namespace

struct Extractor::State {
  Decoder decoder;
  std::string decoded;
  Document document;
  ContentSelector selector;
  BlockBuilder builder;
  base::Arena arena;
  Extraction result;
};

Extractor::Extractor() : state_(std::make_unique<State>()) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&& other) noexcept = default;
Extractor& Extractor::operator=(Extractor&& other) noexcept = default;

const Extraction& Extractor::extract(std::string_view bytes, const ExtractOptions& options) {
  State& state = *state_;
  state.arena.clear();
  state.result = {};
  Extraction& result = state.result;

  const Decoded decoded =
      state.decoder.decode(bytes, state.decoded,
                           {.transport_charset = charset_of(options.content_type), .trust_valid_utf8 = true});
  result.encoding = decoded.encoding;
  result.encoding_source = decoded.source;
  result.malformed_bytes = decoded.had_errors;
  ParseOptions parse_options;
  parse_options.limits = options.limits;
  result.limits = parse(decoded.text, parse_options, state.document).limits;

  const std::optional<base::Url> url = base::Url::parse(options.url);
  const Metadata metadata = read_metadata(
      state.document, {.url = url ? &*url : nullptr, .robots_header = options.robots_header}, state.arena);
  const ContentMap& content = state.selector.select(state.document, {});
  const BuiltBlocks built =
      state.builder.build(state.document, content, metadata,
                          {.base = url ? &*url : nullptr, .links = options.links}, state.arena);
  result.merged_blocks = built.merged;

  model::Page& page = result.page;
  page.url = url ? state.arena.copy(url->href()) : metadata.canonical.value_or("");
  page.title = metadata.title.value_or("");
  page.description = metadata.description.value_or("");
  page.author = metadata.author;
  if (metadata.published) page.published = state.arena.copy(base::format_time(*metadata.published));
  std::optional<base::Instant> modified = metadata.modified;
  if (!modified) modified = metadata.published;
  if (!modified) modified = options.fallback_modified;
  if (modified) {
    page.modified_at = *modified;
    page.modified = state.arena.copy(base::format_time(*modified));
  }
  page.language = metadata.language.value_or("");
  page.canonical = metadata.canonical;
  page.schema = metadata.schema;
  page.robots = metadata.robots;
  page.content = built.blocks;
  fill_required_fields(page, url ? &*url : nullptr, state.arena);
  return result;
}

}  // namespace sheaf::html
