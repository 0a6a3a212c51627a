#include "sheaf/base/url.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/json/unsafe_url.h"
#include "sheaf/format/pages/block_decoder_internal.h"
#include "sheaf/model/inline_names.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace sheaf::format {

namespace {

constexpr KeySet kMediaKeys = key_set(Key::type, Key::name, Key::url, Key::duration, Key::icon, Key::summary,
                                      Key::chapters, Key::transcript);
constexpr KeySet kVideoKeys = kMediaKeys | key_set(Key::width, Key::height, Key::captions);
constexpr KeySet kAudioKeys = kMediaKeys | key_set(Key::attributed_to, Key::part_of);
constexpr std::array kStringOrObject = {Key::attributed_to, Key::part_of};
constexpr KeySet kLegacyKeys = key_set(Key::sources, Key::title, Key::description, Key::embed);

/// The members each kind has in the drafts, in the order of Kind.
constexpr std::array<KeySet, 14> kKeysOfKind = {
    key_set(Key::type, Key::text, Key::inline_),
    key_set(Key::type, Key::level, Key::text, Key::inline_),
    key_set(Key::type, Key::url, Key::text, Key::rel),
    key_set(Key::type, Key::url, Key::alt),
    key_set(Key::type, Key::ordered, Key::items, Key::start, Key::inline_),
    key_set(Key::type, Key::language, Key::code),
    key_set(Key::type, Key::rows, Key::inline_),
    key_set(Key::type, Key::text, Key::citation, Key::inline_),
    kVideoKeys,
    kAudioKeys,
    key_set(Key::type, Key::format, Key::data),
    kVideoKeys | kLegacyKeys | key_set(Key::poster),
    kAudioKeys | kLegacyKeys | key_set(Key::cover_art, Key::artist, Key::album),
    0,
};

constexpr KeySet keys_of(Kind kind) { return kKeysOfKind[static_cast<std::size_t>(kind)]; }

/// A fast path for exactly {"type":"text","text":...}, which is over half of all blocks of real pages. If
/// only texts are needed, `inline` may follow.
bool is_plain_text(dom::object object, Detail detail, TextBlock& block) {
  auto member = object.begin();
  std::string_view type;
  if (!(member != object.end()) || member.key() != "type" ||
      member.value().get_string().get(type) != simdjson::SUCCESS || type != "text")
    return false;
  ++member;
  if (!(member != object.end()) || member.key() != "text" ||
      member.value().get_string().get(block.text) != simdjson::SUCCESS)
    return false;
  ++member;
  if (detail == Detail::texts && member != object.end() && member.key() == "inline") ++member;
  return !(member != object.end());
}

Kind find_kind(std::string_view type, const Fields& fields) {
  constexpr std::array<std::string_view, 11> kTypes = {
      "text", "heading", "link", "image", "list", "code", "table", "quote", "video", "audio", "structured"};
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (type != kTypes[i]) continue;
    const Kind kind = static_cast<Kind>(i);
    const bool legacy = fields.has(Key::sources) && !(fields.has(Key::url) && fields.has(Key::name));
    if (legacy && kind == Kind::video) return Kind::legacy_video;
    if (legacy && kind == Kind::audio) return Kind::legacy_audio;
    return kind;
  }
  return Kind::unknown;
}

}  // namespace

std::optional<std::int64_t> whole_number(dom::element element) {
  std::int64_t integer = 0;
  if (element.get_int64().get(integer) == simdjson::SUCCESS) return integer;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (element.is_uint64()) return kMax;
  double value = 0;
  if (!element.is_double() || element.get_double().get(value) != simdjson::SUCCESS ||
      value != std::floor(value))
    return std::nullopt;
  if (std::abs(value) < 9e18) return static_cast<std::int64_t>(value);
  return value > 0 ? kMax : -kMax;
}

std::size_t element_count(dom::array array) {
  constexpr std::size_t kSaturated = 0xffffff;  // simdjson's tape stops counting there
  if (const std::size_t count = array.size(); count < kSaturated) return count;
  return static_cast<std::size_t>(std::distance(array.begin(), array.end()));
}

std::string_view raw_value(dom::object object, std::string_view raw, std::string_view key) {
  if (raw.empty()) return {};
  RawObject members(raw);
  RawMember member;
  std::string_view found;
  for (const auto [name, value] : object) {
    if (!members.next(member)) break;
    if (name == key) found = member.value;  // the last one counts
  }
  return found;
}

bool BlockDecoder::drop(Code code, std::string_view what) {
  context_.change(code, fmt::format("block {}: {}; the block was dropped", number_, what));
  return false;
}

void BlockDecoder::drop_field(std::string_view name, std::string_view why) {
  context_.change(Code::invalid_field,
                  fmt::format("block {}: {} {}; the field was dropped", number_, name, why));
}

/// Members kept as raw JSON: those that the drafts do not name for this kind of block, and attributedTo and
/// partOf if they are objects instead of strings.
Members BlockDecoder::others(const Fields& fields, std::string_view raw, KeySet known) {
  std::vector<Member> found;
  for (const Key key : kStringOrObject)
    if (const dom::element* value = fields.find(key); value != nullptr && value->is_object())
      keep(key_name(key), *value, {key_name(key), raw_value(fields.object(), raw, key_name(key))}, found);
  if (!fields.has_unknown()) return arena_.copy(std::span<const Member>(found));
  RawObject members(raw.empty() ? std::string_view("{}") : raw);
  for (const auto [name, value] : fields.object()) {
    RawMember member;
    members.next(member);
    const Key key = find_key(name);
    if (key == Key::unknown || (known & key_set(key)) == 0)
      keep(name, value, {member.key, member.value}, found);
  }
  return arena_.copy(std::span<const Member>(found));
}

/// Adds a member that is kept as it came, unless its JSON text is not needed and empty.
void BlockDecoder::keep(std::string_view name, dom::element value, const Member& member,
                        std::vector<Member>& kept) const {
  report_unsafe_url(name, value);
  if (!member.value.empty()) kept.push_back(member);
}

/// Reports an unsafe URL in a value that is kept as it came.
void BlockDecoder::report_unsafe_url(std::string_view name, dom::element value) const {
  if (has_unsafe_url(name, value))
    context_.report(Code::unsafe_url_kept,
                    unsafe_url_message(fmt::format("block {}: {}", number_, excerpt(name))));
}

bool BlockDecoder::required_string(const Fields& fields, Key key, std::string_view& value) {
  const dom::element* element = fields.find(key);
  if (element != nullptr && element->get_string().get(value) == simdjson::SUCCESS) return true;
  drop(Code::malformed_block,
       element == nullptr ? fmt::format("{} is missing", key_name(key))
                          : fmt::format("{} must be a string, found {}", key_name(key), describe(*element)));
  return false;
}

bool BlockDecoder::required_url(const Fields& fields, Key key, std::string_view& value) {
  if (!required_string(fields, key, value)) return false;
  if (base::is_http_url(value)) return true;
  drop(Code::unsafe_url, fmt::format("{} {} is not an http or https URL", key_name(key), excerpt(value)));
  return false;
}

OptionalText BlockDecoder::optional_string(const Fields& fields, Key key) {
  const dom::element* element = fields.find(key);
  if (element == nullptr) return std::nullopt;
  std::string_view value;
  if (element->get_string().get(value) == simdjson::SUCCESS) return value;
  drop_field(key_name(key), fmt::format("must be a string, found {}", describe(*element)));
  return std::nullopt;
}

OptionalText BlockDecoder::string_or_object(const Fields& fields, Key key) {
  const dom::element* element = fields.find(key);
  if (element != nullptr && element->is_object()) return std::nullopt;
  return name_text(fields, key);
}

OptionalText BlockDecoder::name_text(const Fields& fields, Key key) {
  const OptionalText text = optional_string(fields, key);
  if (!text || !is_unsafe_url(key_name(key), *text)) return text;
  drop_field(key_name(key), fmt::format("{} is a URL that is not safe to follow", excerpt(*text)));
  return std::nullopt;
}

std::optional<std::uint64_t> BlockDecoder::optional_count(const Fields& fields, Key key) {
  const dom::element* element = fields.find(key);
  if (element == nullptr) return std::nullopt;
  const auto value = whole_number(*element);
  if (value && *value >= 0) return static_cast<std::uint64_t>(*value);
  drop_field(key_name(key), "must be a whole number of at least 0");
  return std::nullopt;
}

/// An array of strings in the arena; nullopt when it is anything else.
std::optional<List<Text>> BlockDecoder::strings(dom::element element) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS) return std::nullopt;
  const auto texts = arena_.array<Text>(element_count(values));
  std::size_t i = 0;
  for (const auto value : values)
    if (value.get_string().get(texts[i++]) != simdjson::SUCCESS) return std::nullopt;
  return List<Text>(texts);
}

bool BlockDecoder::wants_raw(dom::element element) {
  dom::object object;
  if (element.get_object().get(object) != simdjson::SUCCESS) return false;
  Fields fields(object);
  const dom::element* type = fields.find(Key::type);
  std::string_view name;
  if (type == nullptr || type->get_string().get(name) != simdjson::SUCCESS) return false;
  const Kind kind = find_kind(name, fields);
  if (kind >= Kind::video) return true;
  fields.keep_only(keys_of(kind));
  return fields.has_unknown();
}

bool BlockDecoder::decode(dom::element element, std::string_view raw, Block& block) {
  dom::object object;
  if (element.get_object().get(object) != simdjson::SUCCESS)
    return drop(Code::malformed_block, fmt::format("a block must be an object, found {}", describe(element)));
  if (is_plain_text(object, context_.detail(), std::get<TextBlock>(block.kind))) return true;
  Fields fields(object);
  const dom::element* type = fields.find(Key::type);
  std::string_view name;
  if (type == nullptr) return drop(Code::malformed_block, "type is missing");
  if (type->get_string().get(name) != simdjson::SUCCESS)
    return drop(Code::malformed_block, fmt::format("type must be a string, found {}", describe(*type)));
  const Kind kind = find_kind(name, fields);
  if (kind == Kind::unknown) {
    context_.report(Code::unknown_block,
                    fmt::format("block {}: type {} is unknown; kept unchanged", number_, excerpt(name)));
    block.kind = UnknownBlock{name, raw};
    return true;
  }
  fields.keep_only(keys_of(kind));
  if (fields.has_repeated())
    context_.change(Code::invalid_field,
                    fmt::format("block {}: a field appears twice; the last one counts", number_));
  if (!decode_kind(kind, fields, raw, block.kind)) return false;
  const dom::element* ranges = context_.detail() == Detail::texts ? nullptr : fields.find(Key::inline_);
  if (ranges != nullptr) read_inlines(*ranges, block);
  if (fields.has_unknown() || fields.has_any(key_set(Key::attributed_to, Key::part_of)))
    block.extra = others(fields, raw, keys_of(kind));
  return true;
}

bool BlockDecoder::decode_kind(Kind kind, const Fields& fields, std::string_view raw, BlockKind& out) {
  switch (kind) {
    case Kind::text: return text(fields, out.emplace<TextBlock>());
    case Kind::heading: return heading(fields, out.emplace<HeadingBlock>());
    case Kind::link: return link(fields, out);
    case Kind::image: return image(fields, out.emplace<ImageBlock>());
    case Kind::list: return list(fields, out.emplace<ListBlock>());
    case Kind::code: return code(fields, out.emplace<CodeBlock>());
    case Kind::table: return table(fields, out.emplace<TableBlock>());
    case Kind::quote: return quote(fields, out.emplace<QuoteBlock>());
    case Kind::structured: return structured(fields, raw, out.emplace<StructuredBlock>());
    case Kind::video: return media(modern_media(fields, raw), out.emplace<VideoBlock>());
    case Kind::audio: return media(modern_media(fields, raw), out.emplace<AudioBlock>());
    case Kind::legacy_video: return media(legacy_media(fields, raw, "video"), out.emplace<VideoBlock>());
    case Kind::legacy_audio: return media(legacy_media(fields, raw, "audio"), out.emplace<AudioBlock>());
    case Kind::unknown: break;
  }
  return false;
}

bool BlockDecoder::text(const Fields& fields, TextBlock& block) {
  return required_string(fields, Key::text, block.text);
}

bool BlockDecoder::heading(const Fields& fields, HeadingBlock& block) {
  if (!required_string(fields, Key::text, block.text)) return false;
  const dom::element* level = fields.find(Key::level);
  if (level == nullptr) return drop(Code::malformed_block, "level is missing");
  const auto number = whole_number(*level);
  if (!number)
    return drop(Code::malformed_block,
                fmt::format("level must be a whole number, found {}", describe(*level)));
  block.level = static_cast<int>(std::clamp<std::int64_t>(*number, 1, 6));
  if (block.level != *number)
    context_.change(Code::heading_clamped,
                    fmt::format("block {}: heading level {} is outside 1 to 6; read as {}", number_, *number,
                                block.level));
  return true;
}

/// Turns a link that is not http(s), such as a mailto link, into a text block: its text is content.
bool BlockDecoder::keep_text_of_link(const Fields& fields, BlockKind& out) {
  const dom::element* url = fields.find(Key::url);
  const dom::element* text = fields.find(Key::text);
  if (url == nullptr || text == nullptr) return false;
  std::string_view target;
  std::string_view words;
  if (url->get_string().get(target) != simdjson::SUCCESS || base::is_http_url(target)) return false;
  if (text->get_string().get(words) != simdjson::SUCCESS || words.empty()) return false;
  context_.change(
      Code::unsafe_url,
      fmt::format("block {}: url {} is not an http or https URL; only the text of the link was kept", number_,
                  excerpt(target)));
  out.emplace<TextBlock>().text = words;
  return true;
}

bool BlockDecoder::link(const Fields& fields, BlockKind& out) {
  if (unsafe_link_ == UnsafeLink::keep_text && keep_text_of_link(fields, out)) return true;
  auto& block = out.emplace<LinkBlock>();
  if (!required_string(fields, Key::text, block.text) || !required_url(fields, Key::url, block.url))
    return false;
  if (const dom::element* rel = fields.find(Key::rel)) {
    block.rel = strings(*rel);
    if (!block.rel) drop_field("rel", "must be an array of strings");
  }
  return true;
}

bool BlockDecoder::image(const Fields& fields, ImageBlock& block) {
  if (!required_string(fields, Key::alt, block.alt) || !required_url(fields, Key::url, block.url))
    return false;
  return true;
}

bool BlockDecoder::list(const Fields& fields, ListBlock& block) {
  const dom::element* ordered = fields.find(Key::ordered);
  const dom::element* items = fields.find(Key::items);
  if (ordered == nullptr || items == nullptr)
    return drop(Code::malformed_block, ordered == nullptr ? "ordered is missing" : "items is missing");
  if (ordered->get_bool().get(block.ordered) != simdjson::SUCCESS)
    return drop(Code::malformed_block,
                fmt::format("ordered must be true or false, found {}", describe(*ordered)));
  const auto texts = strings(*items);
  if (!texts) return drop(Code::malformed_block, "items must be an array of strings");
  block.items = *texts;
  if (const dom::element* start = fields.find(Key::start)) {
    const auto number = whole_number(*start);
    if (number) block.start = *number;
    if (!number) drop_field("start", "must be a whole number");
  }
  return true;
}

bool BlockDecoder::code(const Fields& fields, CodeBlock& block) {
  if (!required_string(fields, Key::code, block.code)) return false;
  block.language = optional_string(fields, Key::language);
  return true;
}

bool BlockDecoder::table(const Fields& fields, TableBlock& block) {
  const dom::element* element = fields.find(Key::rows);
  dom::array rows;
  if (element == nullptr) return drop(Code::malformed_block, "rows is missing");
  if (element->get_array().get(rows) != simdjson::SUCCESS)
    return drop(Code::malformed_block, fmt::format("rows must be an array, found {}", describe(*element)));
  const auto texts = arena_.array<List<Text>>(element_count(rows));
  std::size_t i = 0;
  for (const auto row : rows) {
    const auto cells = strings(row);
    if (!cells) return drop(Code::malformed_block, fmt::format("row {} must be an array of strings", i + 1));
    texts[i++] = *cells;
  }
  block.rows = List<List<Text>>(texts);
  return true;
}

bool BlockDecoder::quote(const Fields& fields, QuoteBlock& block) {
  if (!required_string(fields, Key::text, block.text)) return false;
  block.citation = optional_string(fields, Key::citation);
  return true;
}

bool BlockDecoder::structured(const Fields& fields, std::string_view raw, StructuredBlock& block) {
  if (!required_string(fields, Key::format, block.format)) return false;
  const dom::element* data = fields.find(Key::data);
  if (data == nullptr) return drop(Code::malformed_block, "data is missing");
  if (!data->is_object())
    return drop(Code::malformed_block, fmt::format("data must be an object, found {}", describe(*data)));
  report_unsafe_url("data", *data);
  block.data = raw_value(fields.object(), raw, "data");
  return true;
}

namespace {

/// One range as written; nullopt if something is missing or wrong.
std::optional<Inline> read_range(dom::element element) {
  dom::object object;
  dom::element from;
  dom::element to;
  std::string_view kind;
  if (element.get_object().get(object) != simdjson::SUCCESS ||
      object["from"].get(from) != simdjson::SUCCESS || object["to"].get(to) != simdjson::SUCCESS ||
      object["kind"].get(kind) != simdjson::SUCCESS)
    return std::nullopt;
  const auto begin = whole_number(from);
  const auto end = whole_number(to);
  const auto named = model::find_inline_kind(kind);
  constexpr std::int64_t kMax = std::numeric_limits<std::uint32_t>::max();
  if (!begin || !end || !named || *begin < 0 || *end <= *begin || *end > kMax) return std::nullopt;
  Inline range{static_cast<std::uint32_t>(*begin), static_cast<std::uint32_t>(*end), *named, {}};
  if (*named != InlineKind::link) return range;
  if (object["url"].get(range.url) != simdjson::SUCCESS || !base::is_http_url(range.url)) return std::nullopt;
  return range;
}

/// Sorts ranges, and removes those that exceed the text or partly overlap another.
void remove_invalid_ranges(Text text, std::vector<Inline>& ranges) {
  std::vector<std::uint32_t> places;
  for (const Inline& range : ranges) places.insert(places.end(), {range.from, range.to});
  const std::vector<std::size_t> bytes = model::byte_offsets(text, places);
  std::size_t index = 0;
  std::erase_if(ranges, [&](const Inline&) {
    const std::size_t i = 2 * index++;
    return bytes[i] == model::kNoOffset || bytes[i + 1] == model::kNoOffset;
  });
  std::ranges::stable_sort(ranges, [](const Inline& a, const Inline& b) {
    return a.from != b.from ? a.from < b.from : a.to > b.to;
  });
  std::vector<std::uint32_t> open;  // ends of the enclosing ranges
  std::erase_if(ranges, [&open](const Inline& range) {
    while (!open.empty() && open.back() <= range.from) open.pop_back();
    if (!open.empty() && range.to > open.back()) return true;
    open.push_back(range.to);
    return false;
  });
}

}  // namespace

/// The ranges of one text. A value that is not an array counts as one bad range.
List<Inline> BlockDecoder::inline_ranges(dom::element element, Text text, std::size_t& invalid) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS) {
    ++invalid;
    return {};
  }
  std::vector<Inline> ranges;
  const std::size_t count = element_count(values);
  ranges.reserve(count);
  for (const dom::element value : values)
    if (const auto range = read_range(value)) ranges.push_back(*range);
  remove_invalid_ranges(text, ranges);
  invalid += count - ranges.size();
  return arena_.copy(std::span<const Inline>(ranges));
}

/// Reads one list of ranges for each text. Returns false if the number of lists differs from that of texts.
bool BlockDecoder::inline_lists(dom::element element, List<Text> texts, std::vector<List<Inline>>& out,
                                std::size_t& invalid) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS || element_count(values) != texts.size())
    return false;
  std::size_t i = 0;
  for (const dom::element value : values) out.push_back(inline_ranges(value, texts[i++], invalid));
  return true;
}

bool BlockDecoder::inline_cells(dom::element element, const TableBlock& table, std::vector<List<Inline>>& out,
                                std::size_t& invalid) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS || element_count(values) != table.rows.size())
    return false;
  std::size_t i = 0;
  for (const dom::element row : values)
    if (!inline_lists(row, table.rows[i++], out, invalid)) return false;
  return true;
}

void BlockDecoder::read_inlines(dom::element element, Block& block) {
  std::vector<List<Inline>> lists;
  std::size_t invalid = 0;
  bool fits = true;
  if (const auto* list = std::get_if<ListBlock>(&block.kind)) {
    fits = inline_lists(element, list->items, lists, invalid);
  } else if (const auto* table = std::get_if<TableBlock>(&block.kind)) {
    fits = inline_cells(element, *table, lists, invalid);
  } else if (const auto* text = std::get_if<TextBlock>(&block.kind)) {
    lists.push_back(inline_ranges(element, text->text, invalid));
  } else if (const auto* heading = std::get_if<HeadingBlock>(&block.kind)) {
    lists.push_back(inline_ranges(element, heading->text, invalid));
  } else if (const auto* quote = std::get_if<QuoteBlock>(&block.kind)) {
    lists.push_back(inline_ranges(element, quote->text, invalid));
  }
  if (!fits) return drop_field("inline", "must be an array with one entry for each item or cell");
  if (invalid > 0)
    context_.change(
        Code::invalid_field,
        fmt::format("block {}: {} of the ranges of inline are invalid; they were dropped", number_, invalid));
  if (std::ranges::any_of(lists, [](const List<Inline>& list) { return !list.empty(); }))
    block.inlines = arena_.copy(std::span<const List<Inline>>(lists));
}

}  // namespace sheaf::format
