#include "sheaf/export/page_chunks.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sheaf::exporting {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

/// Returns where the first `count` characters end.
std::size_t end_of_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  while (end < text.size()) {
    if (begins_character(text[end]) && count-- == 0) return end;
    ++end;
  }
  return end;
}

/// Returns where a piece of at most `count` characters ends: after the last white space in its second half,
/// or after its last character.
std::size_t end_of_piece(std::string_view text, std::size_t count) {
  const std::size_t most = end_of_characters(text, count);
  if (most == text.size()) return most;
  for (std::size_t end = most; end > most / 2; --end)
    if (base::is_xml_space(text[end - 1])) return end;
  return most;
}

/// Returns the last `count` characters, without a partial word at the start if possible.
std::string_view tail_of(std::string_view text, std::size_t count) {
  std::size_t start = text.size();
  while (start > 0 && count > 0)
    if (begins_character(text[--start])) --count;
  if (start == 0) return text;
  const std::size_t space = text.find_first_of(" \n\t", start);
  return space == std::string_view::npos ? text.substr(start) : text.substr(space + 1);
}

// Every chunk repeats these. Without limits, the chunks of a page with a long title would take quadratic
// space.
constexpr std::size_t kMaxChunkUrl = 8'192;
constexpr std::size_t kMaxChunkTitle = 1'000;  // of titles and headings
constexpr std::size_t kMaxChunkLanguage = 100;

/// The first `most` bytes of a text, or a few more: no character is cut.
std::string_view cut_text(std::string_view text, std::size_t most) {
  std::size_t end = std::min(text.size(), most);
  while (end < text.size() && !begins_character(text[end])) ++end;
  return text.substr(0, end);
}

/// What stands for a URL in ids.
std::string url_key(std::string_view url) {
  if (url.size() <= kMaxChunkUrl) return std::string(url);
  base::Sha256 sha;
  sha.update(url);
  return base::to_hex(sha.finish());
}

class Chunker {
 public:
  Chunker(std::string_view site, const Page& page, const ChunkRules& rules)
      : site_(site), page_(page), rules_(rules), url_key_(url_key(page.url)) {}

  std::vector<PageChunk> run() {
    for (std::uint32_t i = 0; i < page_.content.size(); ++i) {
      const Block& block = page_.content[i];
      const auto* heading = std::get_if<HeadingBlock>(&block.kind);
      block_ = i;
      type_ = type_name(block);
      if (heading != nullptr) {
        flush();
        set_heading(*heading);
        tail_.clear();
        if (rules_.unit == ChunkRules::Unit::chunks) continue;
      }
      text_.clear();
      model::append_block_text(text_, block);
      if (rules_.unit == ChunkRules::Unit::blocks) {
        emit(i, text_);
      } else {
        add(base::trim_xml_space(text_));
      }
    }
    flush();
    return std::move(chunks_);
  }

 private:
  void set_heading(const HeadingBlock& heading) {
    while (!levels_.empty() && levels_.back() >= heading.level) {
      levels_.pop_back();
      headings_.pop_back();
    }
    levels_.push_back(heading.level);
    headings_.push_back(cut_text(heading.text, kMaxChunkTitle));
  }

  void add(std::string_view text) {
    while (!text.empty()) {
      // Looks at no more than one chunk of the text: counting all that is left for each chunk would take
      // quadratic time.
      const bool fits = end_of_characters(text, rules_.max_chars) == text.size();
      const bool joins = fits && pending_characters_ + 2 + count_characters(text) <= rules_.max_chars;
      if (!pending_.empty() && !joins) flush();
      if (pending_.empty()) first_block_ = block_;
      const std::size_t end = fits ? text.size() : end_of_piece(text, rules_.max_chars);
      const std::string_view piece = base::trim_xml_space(text.substr(0, end));
      if (!pending_.empty()) {
        pending_ += "\n\n";
        pending_characters_ += 2;
      }
      pending_ += piece;
      pending_characters_ += count_characters(piece);
      text = base::trim_xml_space(text.substr(end));
      if (!text.empty()) flush();
    }
  }

  void flush() {
    if (pending_.empty()) return;
    std::string text = tail_.empty() ? pending_ : tail_ + "\n\n" + pending_;
    tail_ = rules_.overlap == 0 ? std::string_view() : tail_of(pending_, rules_.overlap);
    emit(first_block_, std::move(text));
    pending_.clear();
    pending_characters_ = 0;
  }

  void emit(std::uint32_t first_block, std::string text) {
    PageChunk chunk;
    chunk.headings = headings_;
    if (rules_.unit == ChunkRules::Unit::blocks) chunk.type = type_;
    chunk.position = static_cast<std::uint32_t>(chunks_.size());
    chunk.first_block = first_block;
    chunk.text = std::move(text);
    chunk.id = make_id(chunk);
    chunks_.push_back(std::move(chunk));
  }

  ChunkId make_id(const PageChunk& chunk) {
    base::Sha256 sha;
    const auto add_part = [&](std::string_view part) {
      // Including the size makes sure that different lists of parts are different bytes.
      sha.update(fmt::format("{}:", part.size()));
      sha.update(part);
    };
    add_part(site_);
    add_part(url_key_);
    add_part(chunk.type);
    for (const std::string_view heading : chunk.headings) add_part(heading);
    add_part(chunk.text);
    base::Digest digest = sha.finish();
    // Equal pieces in the same place are distinguished by a counter.
    if (const std::uint32_t before = seen_[digest]++; before > 0) {
      sha.update({reinterpret_cast<const char*>(digest.data()), digest.size()});
      sha.update(fmt::format("{}", before));
      digest = sha.finish();
    }
    ChunkId id;
    std::copy_n(digest.begin(), id.size(), id.begin());
    return id;
  }

  std::string_view site_;
  const Page& page_;
  const ChunkRules& rules_;
  std::string url_key_;
  std::vector<std::string_view> headings_;
  std::vector<int> levels_;
  std::string text_;
  std::string pending_;
  std::size_t pending_characters_ = 0;
  std::string tail_;  ///< overlap from the previous chunk under the same heading
  std::uint32_t block_ = 0;
  std::uint32_t first_block_ = 0;
  std::string_view type_;
  std::map<base::Digest, std::uint32_t> seen_;
  std::vector<PageChunk> chunks_;
};

void add_text_member(std::string& out, std::string_view name, std::string_view value) {
  out += fmt::format(",\"{}\":", name);
  format::append_json_string(out, value);
}

}  // namespace

std::vector<PageChunk> chunk_page(std::string_view site, const Page& page, const ChunkRules& rules) {
  return Chunker(site, page, rules).run();
}

std::string chunk_id_text(const ChunkId& id) { return base::to_hex(id); }

void append_chunk_json(std::string& out, const PageChunk& chunk, const ChunkPlace& place, const Page& page,
                       const ChunkRules& rules) {
  out += fmt::format("{{\"id\":\"{}\"", chunk_id_text(chunk.id));
  add_text_member(out, "url", cut_text(page.url, kMaxChunkUrl));
  add_text_member(out, "site", place.site);
  add_text_member(out, "section", place.section);
  add_text_member(out, "title", cut_text(page.title, kMaxChunkTitle));
  add_text_member(out, "language", cut_text(page.language, kMaxChunkLanguage));
  add_text_member(out, "modified", page.modified);
  out += ",\"headings\":[";
  for (std::size_t i = 0; i < chunk.headings.size(); ++i) {
    if (i > 0) out += ',';
    format::append_json_string(out, chunk.headings[i]);
  }
  out += fmt::format("],\"position\":{}", chunk.position);
  if (rules.unit == ChunkRules::Unit::blocks) {
    add_text_member(out, "type", chunk.type);
  } else {
    out += fmt::format(",\"block\":{}", chunk.first_block);
  }
  add_text_member(out, "text", chunk.text);
  out += '}';
}

}  // namespace sheaf::exporting
