#pragma once

#include "sheaf/format/codecs/codec.h"
#include "sheaf/model/collection.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::bench {

/// A file in memory, followed by the bytes that a parser may read past its end.
class Bytes {
 public:
  static Bytes read(const std::filesystem::path& path, std::size_t at_most = static_cast<std::size_t>(-1));
  [[nodiscard]] std::string_view view() const { return std::string_view(memory_).substr(0, size_); }
  [[nodiscard]] char* data() { return memory_.data(); }

 private:
  std::string memory_;
  std::size_t size_ = 0;
};

/// Page lines decoded into pages, which live as long as this does.
struct DecodedPages {
  Arena arena;
  std::vector<Page> pages;
};
DecodedPages decode_lines(std::string_view lines);

/// The lines of `text` that lie whole in its first `size` bytes.
std::string_view whole_lines(std::string_view text, std::size_t size);

model::CollectionHead bench_head(std::string_view generated = "2026-01-01T00:00:00Z");

/// Makes `stem` + the codec's extension from a file of page lines, for each codec; a file that is there and
/// newer than the lines is left as it is.
void make_collections(const std::filesystem::path& lines, const std::filesystem::path& stem,
                      const std::vector<format::Codec>& codecs, const model::CollectionHead& head,
                      std::size_t at_most = static_cast<std::size_t>(-1));

/// Writes a collection of about `size` plain bytes to a descriptor, zstd-compressed on the way, by repeating
/// `lines` (made by make_corpus.py) under a new URL prefix each time. Gives the number of pages.
std::uint64_t stream_collection(int descriptor, Bytes& lines, std::uint64_t size);

}  // namespace sheaf::bench
