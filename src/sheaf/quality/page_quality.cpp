#include "sheaf/quality/page_quality.h"

#include "sheaf/base/hash.h"

#include <algorithm>
#include <variant>

namespace sheaf::quality {
namespace {

// Shorter texts ("Notes", "Read more") are expected to recur.
constexpr std::size_t kMinBytes = 12;

class Measure {
 public:
  explicit Measure(PageQuality& result) : result_(result) {}

  void operator()(const TextBlock& block) { add(block.text); }
  void operator()(const QuoteBlock& block) { add(block.text); }
  void operator()(const LinkBlock& block) { add(block.text); }
  void operator()(const ListBlock& block) {
    for (const std::string_view item : block.items) add(item);
  }
  // Headings, code and cells legitimately recur on reference pages, so they are counted but not compared.
  void operator()(const HeadingBlock& block) { count(block.text); }
  void operator()(const CodeBlock& block) { count(block.code); }
  void operator()(const TableBlock& block) {
    for (const auto& row : block.rows)
      for (const std::string_view cell : row) count(cell);
  }
  void operator()(const ImageBlock& /*block*/) { result_.has_media = true; }
  void operator()(const VideoBlock& /*block*/) { result_.has_media = true; }
  void operator()(const AudioBlock& /*block*/) { result_.has_media = true; }
  void operator()(const StructuredBlock& block) { result_.has_media |= !block.data.empty(); }
  void operator()(const UnknownBlock& block) { result_.has_media |= !block.json.empty(); }

 private:
  void count(std::string_view text) { result_.chars += count_characters(text); }
  void add(std::string_view text) {
    count(text);
    if (text.size() >= kMinBytes) result_.texts.push_back({hash_of(text), text});
  }

  PageQuality& result_;
};

}  // namespace

std::uint64_t hash_of(std::string_view text) {
  static const base::HashKey key = base::HashKey::random();
  return base::keyed_hash(key, text);
}

std::uint64_t count_characters(std::string_view text) {
  std::uint64_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80) continue;
    // The first bytes of U+3000 to U+DFFF and of all characters beyond the basic multilingual plane.
    count += (byte >= 0xE3 && byte <= 0xED) || byte >= 0xF0 ? 2 : 1;
  }
  return count;
}

PageQuality measure_page(const Page& page) {
  PageQuality result;
  Measure measure(result);
  for (const Block& block : page.content) std::visit(measure, block.kind);
  std::ranges::sort(result.texts, {}, &RecurringText::hash);
  const auto duplicates = std::ranges::unique(result.texts, {}, &RecurringText::hash);
  result.texts.erase(duplicates.begin(), duplicates.end());
  return result;
}

}  // namespace sheaf::quality
