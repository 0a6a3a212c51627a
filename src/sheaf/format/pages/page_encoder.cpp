#include "sheaf/format/pages/page_encoder.h"

#include "sheaf/base/hash.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/model/inline_names.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

namespace sheaf::format {
namespace {

/// Writes one JSON object: members in the order of the calls, empty optionals omitted.
class ObjectWriter {
 public:
  explicit ObjectWriter(ByteBuffer& out) : out_(out) { out_ += '{'; }
  void close() { out_ += '}'; }

  void string(std::string_view key, std::string_view value) {
    begin(key);
    append_json_string(out_, value);
  }
  void string(std::string_view key, const OptionalText& value) {
    if (value) string(key, *value);
  }
  void number(std::string_view key, std::uint64_t value) { raw(key, std::to_string(value)); }
  void number(std::string_view key, const std::optional<std::uint64_t>& value) {
    if (value) number(key, *value);
  }
  void boolean(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }
  void raw(std::string_view key, std::string_view json) {
    begin(key);
    out_ += json;
  }
  void members(const Members& members) {
    for (const Member& member : members) raw(member.key, member.value);
  }

  /// An array whose elements `write` appends one by one.
  template <class T, class Write>
  void array(std::string_view key, const List<T>& values, Write write) {
    begin(key);
    append_array(values, write);
  }
  template <class T, class Write>
  void array(std::string_view key, const std::optional<List<T>>& values, Write write) {
    if (values) array(key, *values, write);
  }

  template <class T, class Write>
  void append_array(const List<T>& values, Write write) {
    out_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_ += ',';
      write(values[i]);
    }
    out_ += ']';
  }

  ByteBuffer& begin(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += '"';
    out_ += key;
    out_ += "\":";
    return out_;
  }

 private:
  ByteBuffer& out_;
  bool first_ = true;
};

class BlockWriter {
 public:
  explicit BlockWriter(ByteBuffer& out) : out_(out) {}

  void operator()(const Block& block) {
    if (const auto* unknown = std::get_if<UnknownBlock>(&block.kind)) {
      out_ += unknown->json;
      return;
    }
    ObjectWriter object(out_);
    object.string("type", type_name(block));
    std::visit([&](const auto& kind) { write(object, kind); }, block.kind);
    if (!block.inlines.empty()) write_inlines(object, block);
    object.members(block.extra);
    object.close();
  }

 private:
  auto strings() {
    return [this](Text text) { append_json_string(out_, text); };
  }

  void write(ObjectWriter& object, const TextBlock& block) { object.string("text", block.text); }
  void write(ObjectWriter& object, const HeadingBlock& block) {
    object.number("level", static_cast<std::uint64_t>(block.level));
    object.string("text", block.text);
  }
  void write(ObjectWriter& object, const LinkBlock& block) {
    object.string("url", block.url);
    object.string("text", block.text);
    object.array("rel", block.rel, strings());
  }
  void write(ObjectWriter& object, const ImageBlock& block) {
    object.string("url", block.url);
    object.string("alt", block.alt);
  }
  void write(ObjectWriter& object, const ListBlock& block) {
    object.boolean("ordered", block.ordered);
    object.array("items", block.items, strings());
    if (block.start != 1) object.raw("start", std::to_string(block.start));
  }
  void write(ObjectWriter& object, const CodeBlock& block) {
    object.string("language", block.language);
    object.string("code", block.code);
  }
  void write(ObjectWriter& object, const TableBlock& block) {
    object.array("rows", block.rows, [&](const List<Text>& row) { object.append_array(row, strings()); });
  }
  void write(ObjectWriter& object, const QuoteBlock& block) {
    object.string("text", block.text);
    object.string("citation", block.citation);
  }
  void write(ObjectWriter& object, const VideoBlock& block) { write(object, *block.media); }
  void write(ObjectWriter& object, const AudioBlock& block) { write(object, *block.media); }
  void write(ObjectWriter& object, const StructuredBlock& block) {
    object.string("format", block.format);
    object.raw("data", block.data);
  }
  void write(ObjectWriter& /*object*/, const UnknownBlock& /*block*/) {}

  void write(const Inline& range) {
    ObjectWriter object(out_);
    object.number("from", range.from);
    object.number("to", range.to);
    object.string("kind", model::inline_name(range.kind));
    if (range.kind == InlineKind::link) object.string("url", range.url);
    object.close();
  }

  /// Writes a list of ranges for a text, a list of such lists for list items, and one of those per table row.
  void write_inlines(ObjectWriter& object, const Block& block) {
    const auto ranges = [&](const List<Inline>& list) {
      object.append_array(list, [this](const Inline& range) { write(range); });
    };
    if (std::holds_alternative<ListBlock>(block.kind)) return object.array("inline", block.inlines, ranges);
    const auto* const table = std::get_if<TableBlock>(&block.kind);
    if (table == nullptr) {
      object.begin("inline");
      return ranges(block.inlines.front());
    }
    std::size_t cell = 0;
    object.array("inline", table->rows, [&](const List<Text>& row) {
      object.append_array(List<List<Inline>>(block.inlines.subspan(cell, row.size())), ranges);
      cell += row.size();
    });
  }

  void write(ObjectWriter& object, const Media& media) {
    object.string("name", media.name);
    if (const auto* url = std::get_if<Text>(&media.url)) {
      object.string("url", *url);
    } else {
      object.array("url", std::get<List<MediaLink>>(media.url),
                   [this](const MediaLink& link) { write(link); });
    }
    object.string("duration", media.duration);
    object.number("width", media.width);
    object.number("height", media.height);
    if (media.icon_url || !media.icon_extra.empty()) {
      ObjectWriter icon(object.begin("icon"));
      icon.string("type", Text("Image"));
      icon.string("url", media.icon_url);
      icon.members(media.icon_extra);
      icon.close();
    }
    object.string("summary", media.summary);
    object.string("attributedTo", media.attributed_to);
    object.string("partOf", media.part_of);
    object.array("captions", media.captions, [this](const Caption& caption) { write(caption); });
    object.array("chapters", media.chapters, [this](const Chapter& chapter) { write(chapter); });
    object.string("transcript", media.transcript);
  }

  void write(const MediaLink& link) {
    ObjectWriter object(out_);
    object.string("href", link.href);
    object.string("mediaType", link.media_type);
    object.string("rel", link.rel);
    object.members(link.extra);
    object.close();
  }
  void write(const Caption& caption) {
    ObjectWriter object(out_);
    object.string("language", caption.language);
    object.string("url", caption.url);
    object.string("label", caption.label);
    object.members(caption.extra);
    object.close();
  }
  void write(const Chapter& chapter) {
    ObjectWriter object(out_);
    object.number("time", chapter.time);
    object.string("title", chapter.title);
    object.members(chapter.extra);
    object.close();
  }

  ByteBuffer& out_;
};

}  // namespace

void encode_page(const Page& page, ByteBuffer& out) {
  ObjectWriter object(out);
  object.string("url", page.url);
  object.string("title", page.title);
  object.string("description", page.description);
  object.string("author", page.author);
  object.string("published", page.published);
  object.string("modified", page.modified);
  object.string("language", page.language);
  object.string("canonical", page.canonical);
  if (page.schema) object.raw("schema", *page.schema);
  object.array("content", page.content, BlockWriter(out));
  object.array("robots", page.robots, [&](Text text) { append_json_string(out, text); });
  object.members(page.extra);
  object.close();
}

void encode_head(const CollectionHead& head, ByteBuffer& out) {
  out += "{\"collection\":";
  ObjectWriter object(out);
  object.string("id", std::string_view(head.id));
  object.string("section", std::string_view(head.section));
  object.string("type", to_string(head.type));
  object.string("generated", std::string_view(head.generated));
  if (head.since) object.string("since", std::string_view(*head.since));
  object.string("version", std::string_view(head.version));
  if (head.state) object.string("state", std::string_view(*head.state));
  if (!head.removed.empty()) {
    ByteBuffer& text = object.begin("removed");
    text += '[';
    for (const std::string& url : head.removed) {
      if (&url != &head.removed.front()) text += ',';
      append_json_string(text, url);
    }
    text += ']';
  }
  if (head.checksum) object.string("checksum", std::string_view(*head.checksum));
  for (const auto& [key, value] : head.extra) object.raw(key, value);
  object.close();
  out += '}';
}

void encode_page(const Page& page, std::string& out) {
  ByteBuffer buffer;
  encode_page(page, buffer);
  out += buffer.view();
}

void encode_head(const CollectionHead& head, std::string& out) {
  ByteBuffer buffer;
  encode_head(head, buffer);
  out += buffer.view();
}

PageFingerprint fingerprint_of(const Page& page) {
  Page timeless = page;
  timeless.modified = {};
  std::string line;
  encode_page(timeless, line);
  const base::Digest digest = base::sha256(line);
  PageFingerprint result{};
  std::copy_n(digest.begin(), result.size(), result.begin());
  return result;
}

}  // namespace sheaf::format
