#include "sheaf/format/pages/page_decoder.h"

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/block_decoder_internal.h"
#include "sheaf/format/pages/line_parser_internal.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/model/field_values.h"
#include "sheaf/model/robots_directives.h"

#include <fmt/format.h>

#include <sheaf/arena.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sheaf::format {
namespace {

enum Field : std::uint8_t {
  url,
  title,
  description,
  modified,
  language,
  content,
  author,
  published,
  canonical,
  schema,
  robots,
  kFieldCount
};
constexpr std::array<std::string_view, kFieldCount> kFieldNames = {
    "url",    "title",     "description", "modified", "language", "content",
    "author", "published", "canonical",   "schema",   "robots"};
constexpr std::size_t kRequiredCount = content + 1;

/// The members of a page by name; the last of equal names counts.
struct PageFields {
  std::array<dom::element, kFieldCount> values;
  std::array<bool, kFieldCount> present{};
  bool repeated = false;
  bool has_unknown = false;

  explicit PageFields(dom::object object) {
    for (const auto [name, value] : object) {
      const auto* found = std::ranges::find(kFieldNames, name);
      if (found == kFieldNames.end()) {
        has_unknown = true;
        continue;
      }
      const auto field = static_cast<std::size_t>(found - kFieldNames.begin());
      repeated |= present[field];
      present[field] = true;
      values[field] = value;
    }
  }

  [[nodiscard]] const dom::element* find(Field field) const {
    return present[field] ? &values[field] : nullptr;
  }
};

/// Whether `robots` says noindex in any form, valid or not: a string, or a list that may have other values.
bool asks_noindex(dom::element robots) {
  std::string_view text;
  if (robots.get_string().get(text) == simdjson::SUCCESS) return model::says_noindex(text);
  dom::array values;
  if (robots.get_array().get(values) != simdjson::SUCCESS) return false;
  return std::any_of(values.begin(), values.end(), [](dom::element value) {
    std::string_view directive;
    return value.get_string().get(directive) == simdjson::SUCCESS && model::says_noindex(directive);
  });
}

}  // namespace

class PageDecoder::Impl {
 public:
  Impl(const Limits& limits, Detail detail, UnsafeLink unsafe_link)
      : limits_(limits), detail_(detail), unsafe_link_(unsafe_link), parser_(limits) {}

  Read<Outcome> decode(const Line& line, const FindingSink& sink) {
    auto parsed = parser_.parse(line, sink);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    if (!*parsed) return Outcome::skipped;
    line_ = line;
    parsed_ = **parsed;
    return decode_page(detail_, sink);
  }

  [[nodiscard]] const Page& page() const { return page_; }

  std::string_view raw() {
    // Only Detail::everything shows whether a rule drops something from `inline`.
    if (detail_ == Detail::texts) decode_everything();
    if (!changed_) return line_.text;
    if (raw_.empty()) {
      // Detail::checks does not look up members that are only kept as raw JSON; the line needs them.
      if (detail_ == Detail::checks) decode_everything();
      encode_page(page_, raw_);
    }
    return raw_;
  }

 private:
  /// Decodes the line again. Its findings were reported the first time.
  void decode_everything() {
    static_cast<void>(decode_page(Detail::everything, [](const Finding&) {}));
  }

  Read<Outcome> decode_page(Detail detail, const FindingSink& sink) {
    arena_.clear();
    blocks_.clear();
    raw_.clear();
    page_ = {};
    const PageFields fields(parsed_.object);
    SHEAF_TRY(required(fields));
    PageContext context(line_, page_.url, sink, detail);
    context.changed = parsed_.repaired;
    if (!is_wanted(fields, context)) return Outcome::skipped;
    if (fields.repeated)
      context.change(Code::invalid_field, "a field of the page appears twice; the last one counts");
    if (!model::is_language_tag(page_.language))
      context.report(
          Code::invalid_language,
          fmt::format("language {} is not a BCP 47 tag like en or zh-Hans; kept", excerpt(page_.language)));
    optional(fields, context);
    const std::string_view raw_content = detail == Detail::everything ? find_raw(fields) : std::string_view();
    decode_blocks(fields.values[content].get_array().value_unsafe(), raw_content, context);
    changed_ = context.changed;
    return Outcome::page;
  }

  /// The six required fields: a missing or mistyped one is fatal for the file.
  Read<void> required(const PageFields& fields) {
    const std::array<std::string_view*, 5> texts = {&page_.url, &page_.title, &page_.description,
                                                    &page_.modified, &page_.language};
    // The URL first, so that all other findings can name the page.
    for (std::size_t i = 0; i < kRequiredCount; ++i) {
      const auto field = static_cast<Field>(i);
      const dom::element* value = fields.find(field);
      if (value == nullptr)
        return stop(Code::missing_field, fmt::format("the page has no {}", kFieldNames[i]));
      const bool right =
          field == content ? value->is_array() : value->get_string().get(*texts[i]) == simdjson::SUCCESS;
      if (!right)
        return stop(Code::wrong_type,
                    fmt::format("{} must be {}, found {}", kFieldNames[i],
                                field == content ? "an array" : "a string", describe(*value)));
    }
    return {};
  }

  [[nodiscard]] std::unexpected<Finding> stop(Code code, std::string message) const {
    return std::unexpected(
        Finding{code, line_.number, line_.offset, std::string(page_.url), std::move(message)});
  }

  /// The rules that skip a whole page.
  bool is_wanted(const PageFields& fields, const PageContext& context) {
    if (const dom::element* value = fields.find(robots); value != nullptr && asks_noindex(*value)) {
      context.report(Code::noindex, "robots has noindex; the page was skipped");
      return false;
    }
    if (!base::is_http_url(page_.url)) {
      context.report(Code::invalid_url,
                     fmt::format("url {} is not an absolute http or https URL; the page was skipped",
                                 excerpt(page_.url)));
      return false;
    }
    const auto time = parse_time(page_.modified);
    if (!time) {
      context.report(
          Code::invalid_modified,
          fmt::format("modified {} is not an RFC 3339 time like 2026-01-15T00:00:00Z; the page was skipped",
                      excerpt(page_.modified)));
      return false;
    }
    page_.modified_at = time->instant;
    const std::size_t count = element_count(fields.values[content].get_array().value_unsafe());
    if (count > limits_.blocks) {
      context.report(
          Code::too_many_blocks,
          fmt::format("{} content blocks, the limit is {}; the page was skipped", count, limits_.blocks));
      return false;
    }
    if (time->offset == Offset::missing) report_naive(context, "modified", page_.modified);
    return true;
  }

  static void report_naive(const PageContext& context, std::string_view name, std::string_view value) {
    context.report(Code::naive_time,
                   fmt::format("{} {} has no offset from UTC; read as UTC", name, excerpt(value)));
  }

  void optional(const PageFields& fields, PageContext& context) {
    page_.author = optional_string(fields, author, context);
    page_.published = optional_string(fields, published, context);
    if (page_.published) {
      const auto time = parse_time(*page_.published);
      if (!time) {
        context.change(Code::invalid_field,
                       fmt::format("published {} is not an RFC 3339 time; the field was dropped",
                                   excerpt(*page_.published)));
        page_.published.reset();
      } else if (time->offset == Offset::missing) {
        report_naive(context, "published", *page_.published);
      }
    }
    page_.canonical = optional_string(fields, canonical, context);
    if (page_.canonical && !base::is_http_url(*page_.canonical)) {
      context.change(Code::invalid_field,
                     fmt::format("canonical {} is not an http or https URL; the field was dropped",
                                 excerpt(*page_.canonical)));
      page_.canonical.reset();
    }
    optional_robots(fields, context);
    if (const dom::element* value = fields.find(schema)) {
      if (value->is_object()) {
        page_.schema = "";
      } else {
        context.change(
            Code::invalid_field,
            fmt::format("schema must be an object, found {}; the field was dropped", describe(*value)));
      }
    }
    if (page_.schema || fields.has_unknown) check_kept_urls(context);
  }

  /// Whether the JSON of a member is kept as it came.
  [[nodiscard]] bool is_kept(std::string_view name) const {
    return name == kFieldNames[schema] ? page_.schema.has_value()
                                       : std::ranges::find(kFieldNames, name) == kFieldNames.end();
  }

  void check_kept_urls(const PageContext& context) const {
    for (const auto [name, value] : parsed_.object) {
      if (is_kept(name) && has_unsafe_url(name, value))
        context.report(Code::unsafe_url_kept, unsafe_url_message(excerpt(name)));
    }
  }

  static OptionalText optional_string(const PageFields& fields, Field field, PageContext& context) {
    const dom::element* value = fields.find(field);
    if (value == nullptr) return std::nullopt;
    std::string_view text;
    if (value->get_string().get(text) == simdjson::SUCCESS) return text;
    context.change(Code::invalid_field, fmt::format("{} must be a string, found {}; the field was dropped",
                                                    kFieldNames[field], describe(*value)));
    return std::nullopt;
  }

  void optional_robots(const PageFields& fields, PageContext& context) {
    const dom::element* value = fields.find(robots);
    if (value == nullptr) return;
    dom::array values;
    const bool good =
        value->get_array().get(values) == simdjson::SUCCESS &&
        std::all_of(values.begin(), values.end(), [](dom::element entry) { return entry.is_string(); });
    if (!good)
      return context.change(Code::invalid_field, "robots must be an array of strings; the field was dropped");
    std::vector<Text> directives;
    for (const auto entry : values) add_directive(entry.get_string().value_unsafe(), directives, context);
    if (!directives.empty() || values.size() == 0)
      page_.robots = arena_.copy(std::span<const Text>(directives));
  }

  /// Adds a directive that the drafts define, once.
  static void add_directive(std::string_view text, std::vector<Text>& directives, PageContext& context) {
    const auto known = model::known_directive(text);
    if (!known)
      return context.change(
          Code::invalid_field,
          fmt::format("robots has {}, which the drafts do not define; it was dropped", excerpt(text)));
    const bool repeated = std::ranges::find(directives, *known) != directives.end();
    if (repeated)
      context.change(Code::invalid_field, fmt::format("robots has {} twice; it was dropped", excerpt(text)));
    if (!repeated && *known != text)
      context.change(Code::invalid_field, fmt::format("robots has {}; read as {}", excerpt(text), *known));
    if (!repeated) directives.push_back(*known);
  }

  /// Finds the parts that are kept as raw JSON. Returns the text of `content` if a block needs it.
  std::string_view find_raw(const PageFields& fields) {
    const auto blocks = fields.values[content].get_array().value_unsafe();
    const bool blocks_need_raw = std::any_of(blocks.begin(), blocks.end(), BlockDecoder::wants_raw);
    if (!fields.has_unknown && !page_.schema && !blocks_need_raw) return {};
    std::string_view raw_content;
    std::vector<Member> others;
    RawObject members(parsed_.text);
    RawMember member;
    for (const auto [name, value] : parsed_.object) {
      if (!members.next(member)) break;
      if (name == "content" && blocks_need_raw) raw_content = member.value;
      if (!is_kept(name)) continue;
      if (name == kFieldNames[schema]) {
        page_.schema = member.value;
      } else {
        others.push_back({member.key, member.value});
      }
    }
    page_.extra = arena_.copy(std::span<const Member>(others));
    return raw_content;
  }

  void decode_blocks(dom::array blocks, std::string_view raw, PageContext& context) {
    RawArray raw_blocks(raw.empty() ? std::string_view("[]") : raw);
    std::size_t number = 0;
    for (const auto element : blocks) {
      std::string_view raw_block;
      raw_blocks.next(raw_block);
      if (!BlockDecoder(arena_, context, ++number, unsafe_link_)
               .decode(element, raw_block, blocks_.emplace_back()))
        blocks_.pop_back();
    }
    if (blocks_.empty())
      context.report(Code::empty_content,
                     number == 0 ? "content is empty" : "every content block was dropped: content is empty");
    page_.content = std::span<const Block>(blocks_);
  }

  Limits limits_;
  Detail detail_;
  UnsafeLink unsafe_link_;
  LineParser parser_;
  Line line_;
  ParsedLine parsed_;
  Arena arena_;
  std::vector<Block> blocks_;
  Page page_;
  bool changed_ = false;
  std::string raw_;  ///< the sanitised line, encoded on demand
};

PageDecoder::PageDecoder(const Limits& limits, Detail detail, UnsafeLink unsafe_link)
    : impl_(std::make_unique<Impl>(limits, detail, unsafe_link)) {}
PageDecoder::~PageDecoder() = default;
PageDecoder::PageDecoder(PageDecoder&&) noexcept = default;
PageDecoder& PageDecoder::operator=(PageDecoder&&) noexcept = default;

Read<PageDecoder::Outcome> PageDecoder::decode(const Line& line, const FindingSink& sink) {
  return impl_->decode(line, sink);
}
const Page& PageDecoder::page() const { return impl_->page(); }
std::string_view PageDecoder::raw() { return impl_->raw(); }

}  // namespace sheaf::format
