#include "sheaf/base/text_sort.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace sheaf::base {
namespace {

// Fast and good enough: what is written here is read once.
constexpr int kSpoolLevel = -3;
// Each run holds one block in memory while they are merged.
constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;

void append_size(std::string& out, std::uint64_t size) {
  out.append(reinterpret_cast<const char*>(&size), sizeof(size));
}

std::uint64_t take_size(const std::string& buffer, std::size_t& position) {
  std::uint64_t size = 0;
  std::memcpy(&size, buffer.data() + position, sizeof(size));
  position += sizeof(size);
  return size;
}

}  // namespace

TextSort::TextSort(std::size_t memory, std::filesystem::path folder)
    : memory_(memory), folder_(std::move(folder)) {}

TextSort::Entry TextSort::entry_of(const Span& span) const {
  const std::string_view all = buffer_;
  return {all.substr(span.key, span.key_size), all.substr(span.key + span.key_size, span.text_size)};
}

Result<void> TextSort::add(std::string_view key, std::string_view text) {
  if (!spans_.empty() && buffer_.size() + key.size() + text.size() > memory_) SHEAF_TRY(spill());
  spans_.push_back({buffer_.size(), key.size(), text.size()});
  buffer_ += key;
  buffer_ += text;
  return {};
}

void TextSort::sort_spans() {
  std::sort(spans_.begin(), spans_.end(),
            [this](const Span& a, const Span& b) { return entry_of(a).key < entry_of(b).key; });
}

Result<void> TextSort::write_block(Run& run, const std::string& plain) {
  std::string compressed(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), plain.data(), plain.size(), kSpoolLevel);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  run.blocks.push_back({spool_->size(), size, plain.size()});
  return spool_->append(std::string_view(compressed).substr(0, size));
}

Result<void> TextSort::spill() {
  if (!spool_) {
    SHEAF_TRY_ASSIGN(auto spool, SpoolFile::create(folder_));
    spool_ = std::move(spool);
  }
  sort_spans();
  Run run;
  std::string plain;
  for (const Span& span : spans_) {
    const Entry entry = entry_of(span);
    append_size(plain, entry.key.size());
    append_size(plain, entry.text.size());
    plain += entry.key;
    plain += entry.text;
    if (plain.size() < kBlockBytes) continue;
    SHEAF_TRY(write_block(run, plain));
    plain.clear();
  }
  if (!plain.empty()) SHEAF_TRY(write_block(run, plain));
  runs_.push_back(std::move(run));
  spans_.clear();
  buffer_.clear();
  if (buffer_.capacity() > 2 * memory_) buffer_ = {};
  return {};
}

Result<void> TextSort::sort() {
  if (runs_.empty()) {
    sort_spans();
    return {};
  }
  if (!spans_.empty()) SHEAF_TRY(spill());
  buffer_ = {};
  spans_ = {};
  for (Run& run : runs_) SHEAF_TRY(advance(run));
  std::make_heap(runs_.begin(), runs_.end(), comes_later);
  return {};
}

Result<bool> TextSort::advance(Run& run) {
  if (run.position == run.buffer.size()) {
    if (run.next_block == run.blocks.size()) return false;
    const Block& block = run.blocks[run.next_block++];
    std::string compressed(block.bytes, '\0');
    SHEAF_TRY(spool_->read_at(block.offset, compressed));
    if (run.buffer.capacity() > 4 * kBlockBytes) run.buffer = {};
    run.buffer.resize(block.plain_bytes);
    const std::size_t size =
        ZSTD_decompress(run.buffer.data(), run.buffer.size(), compressed.data(), compressed.size());
    if (size != block.plain_bytes)
      return fail(Errc::io, "a temporary file did not give back what was written to it");
    run.position = 0;
  }
  const std::uint64_t key_size = take_size(run.buffer, run.position);
  const std::uint64_t text_size = take_size(run.buffer, run.position);
  const std::string_view all = run.buffer;
  run.entry = {all.substr(run.position, key_size), all.substr(run.position + key_size, text_size)};
  run.position += key_size + text_size;
  return true;
}

Result<std::optional<TextSort::Entry>> TextSort::next() {
  if (!spool_) {
    if (position_ == spans_.size()) return std::nullopt;
    return entry_of(spans_[position_++]);
  }
  if (std::exchange(advance_last_, false)) {
    SHEAF_TRY_ASSIGN(const bool more, advance(runs_.back()));
    if (more) {
      std::push_heap(runs_.begin(), runs_.end(), comes_later);
    } else {
      runs_.pop_back();
    }
  }
  if (runs_.empty()) return std::nullopt;
  std::pop_heap(runs_.begin(), runs_.end(), comes_later);
  advance_last_ = true;
  return runs_.back().entry;
}

}  // namespace sheaf::base
