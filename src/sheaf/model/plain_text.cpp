#include "sheaf/model/plain_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <variant>

namespace sheaf::model {
namespace {

/// Appends the readable text of a block.
struct BlockTextAppender {
  std::string& out;  // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members): lives for one call

  void add_part(Text part, std::size_t start) const {
    if (part.empty()) return;
    if (out.size() > start) out += '\n';
    out += part;
  }

  void operator()(const TextBlock& block) const { out += block.text; }
  void operator()(const HeadingBlock& block) const { out += block.text; }
  void operator()(const LinkBlock& block) const { out += block.text; }
  void operator()(const ImageBlock& block) const { out += block.alt; }
  void operator()(const CodeBlock& block) const { out += block.code; }
  void operator()(const ListBlock& block) const {
    for (std::size_t i = 0; i < block.items.size(); ++i) {
      if (i > 0) out += '\n';
      out += block.items[i];
    }
  }
  void operator()(const TableBlock& block) const {
    for (std::size_t row = 0; row < block.rows.size(); ++row) {
      if (row > 0) out += '\n';
      for (std::size_t cell = 0; cell < block.rows[row].size(); ++cell) {
        if (cell > 0) out += '\t';
        out += block.rows[row][cell];
      }
    }
  }
  void operator()(const QuoteBlock& block) const {
    const std::size_t start = out.size();
    add_part(block.text, start);
    if (block.citation) add_part(*block.citation, start);
  }
  void operator()(const VideoBlock& block) const { add_media(*block.media); }
  void operator()(const AudioBlock& block) const { add_media(*block.media); }
  void operator()(const StructuredBlock&) const {}
  void operator()(const UnknownBlock&) const {}

  void add_media(const Media& media) const {
    const std::size_t start = out.size();
    add_part(media.name, start);
    if (media.summary) add_part(*media.summary, start);
    if (media.transcript) add_part(*media.transcript, start);
  }
};

enum class ByteKind : std::uint8_t { word, space, lone };

/// The role of a byte for counting words. Chinese characters and kana are three bytes that begin with E3 to
/// E9
/// (`lone`); count_words() skips their other two bytes.
constexpr std::array<ByteKind, 256> kByteKinds = [] {
  std::array<ByteKind, 256> kinds{};
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'})
    kinds[static_cast<unsigned char>(c)] = ByteKind::space;
  for (std::size_t lead = 0xE3; lead <= 0xE9; ++lead) kinds[lead] = ByteKind::lone;
  return kinds;
}();

}  // namespace

void append_block_text(std::string& out, const Block& block) {
  std::visit(BlockTextAppender{out}, block.kind);
}

void append_page_text(std::string& out, const Page& page) {
  const std::size_t start = out.size();
  for (const Block& block : page.content) {
    const std::size_t before = out.size();
    if (before > start) out += "\n\n";
    const std::size_t begun = out.size();
    append_block_text(out, block);
    if (out.size() == begun) out.resize(before);
  }
}

std::uint64_t count_words(std::string_view text) {
  std::uint64_t words = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const ByteKind kind = kByteKinds[byte];
    if (kind == ByteKind::lone) {
      // U+3000 to U+303F are punctuation and the ideographic space.
      const bool punctuation =
          byte == 0xE3 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0x80;
      words += punctuation ? 0U : 1U;
      in_word = false;
      i += 2;
      continue;
    }
    words += kind == ByteKind::word && !in_word ? 1U : 0U;
    in_word = kind == ByteKind::word;
  }
  return words;
}

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Iterates over a text, character by character.
class CharacterWalk {
 public:
  explicit CharacterWalk(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return byte_ == text_.size(); }
  [[nodiscard]] std::size_t byte() const { return byte_; }
  [[nodiscard]] std::uint32_t unit() const { return unit_; }
  void step() {
    const bool is_pair = static_cast<unsigned char>(text_[byte_]) >= 0xF0U;  // a surrogate pair in UTF-16
    ++byte_;
    while (!at_end() && continues_character(text_[byte_])) ++byte_;
    unit_ += is_pair ? 2 : 1;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::uint32_t unit_ = 0;
};

template <class T>
std::vector<std::size_t> in_order(std::span<const T> places) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return places[i]; });
  return order;
}

}  // namespace

std::vector<std::uint32_t> utf16_offsets(std::string_view text, std::span<const std::size_t> bytes) {
  std::vector<std::uint32_t> units(bytes.size());
  CharacterWalk walk(text);
  for (const std::size_t i : in_order(bytes)) {
    while (walk.byte() < bytes[i] && !walk.at_end()) walk.step();
    units[i] = walk.unit();
  }
  return units;
}

std::vector<std::size_t> byte_offsets(std::string_view text, std::span<const std::uint32_t> units) {
  std::vector<std::size_t> bytes(units.size());
  CharacterWalk walk(text);
  for (const std::size_t i : in_order(units)) {
    while (walk.unit() < units[i] && !walk.at_end()) walk.step();
    bytes[i] = walk.unit() == units[i] ? walk.byte() : kNoOffset;
  }
  return bytes;
}

}  // namespace sheaf::model
