#include "sheaf/base/text_sort.h"

#include "sheaf/base/free_memory.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace sheaf::base {
namespace {

// A fast level, because the data is read only once.
constexpr int kSpoolLevel = -3;
// During a merge, one block of each run is in memory.
constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;
constexpr std::size_t kMaxRuns = 64;  // runs per level before they are merged
constexpr std::size_t kHeaderBytes = 2 * sizeof(std::uint64_t);

constexpr const char* kDamaged = "a temporary file is damaged: its content is not what was written to it";

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

/// Appends a run to a file. Entries must be added in order.
class TextSort::RunWriter {
 public:
  explicit RunWriter(SpoolFile& file) : file_(file), start_(file.size()) {}

  Result<void> add(const Entry& entry) {
    append_size(plain_, entry.key.size());
    append_size(plain_, entry.text.size());
    plain_ += entry.key;
    plain_ += entry.text;
    return plain_.size() < kBlockBytes ? Result<void>() : write_block();
  }

  Result<Run> finish() {
    if (!plain_.empty()) SHEAF_TRY(write_block());
    Run run;
    run.file = &file_;
    run.offset = start_;
    run.end = file_.size();
    return run;
  }

 private:
  Result<void> write_block() {
    compressed_.resize(ZSTD_compressBound(plain_.size()));
    const std::size_t size =
        ZSTD_compress(compressed_.data(), compressed_.size(), plain_.data(), plain_.size(), kSpoolLevel);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();
    std::string header;
    append_size(header, size);
    append_size(header, plain_.size());
    SHEAF_TRY(file_.append(header));
    plain_.clear();
    return file_.append(std::string_view(compressed_).substr(0, size));
  }

  SpoolFile& file_;
  std::uint64_t start_;
  std::string plain_;
  std::string compressed_;
};

Result<TextSort::Level*> TextSort::level(std::size_t number) {
  if (number == levels_.size()) {
    SHEAF_TRY_ASSIGN(auto file, SpoolFile::create(folder_));
    levels_.push_back(std::make_unique<Level>(std::move(file), std::vector<Run>()));
  }
  return levels_[number].get();
}

Result<void> TextSort::spill() {
  SHEAF_TRY_ASSIGN(Level* const first, level(0));
  sort_spans();
  RunWriter writer(first->file);
  for (const Span& span : spans_) SHEAF_TRY(writer.add(entry_of(span)));
  SHEAF_TRY_ASSIGN(auto run, writer.finish());
  first->runs.push_back(std::move(run));
  spans_.clear();
  buffer_.clear();
  if (buffer_.capacity() > 2 * memory_) free_storage(buffer_);
  for (std::size_t i = 0; i < levels_.size() && levels_[i]->runs.size() == kMaxRuns; ++i)
    SHEAF_TRY(merge_level(i));
  return {};
}

Result<void> TextSort::merge_level(std::size_t number) {
  SHEAF_TRY_ASSIGN(Level* const above, level(number + 1));
  Merge merge;
  SHEAF_TRY(merge.begin(std::move(levels_[number]->runs)));
  RunWriter writer(above->file);
  while (true) {
    SHEAF_TRY_ASSIGN(const auto entry, merge.next());
    if (!entry) break;
    SHEAF_TRY(writer.add(*entry));
  }
  SHEAF_TRY_ASSIGN(auto run, writer.finish());
  above->runs.push_back(std::move(run));
  SHEAF_TRY_ASSIGN(auto empty, SpoolFile::create(folder_));
  *levels_[number] = {std::move(empty), {}};
  return {};
}

Result<void> TextSort::sort() {
  if (levels_.empty()) {
    sort_spans();
    return {};
  }
  if (!spans_.empty()) SHEAF_TRY(spill());
  free_storage(buffer_);
  free_storage(spans_);
  std::vector<Run> all;
  for (const auto& level : levels_) std::ranges::move(level->runs, std::back_inserter(all));
  return merge_.begin(std::move(all));
}

std::size_t TextSort::run_count() const {
  std::size_t count = 0;
  for (const auto& level : levels_) count += level->runs.size();
  return count;
}

Result<bool> TextSort::advance(Run& run) {
  if (run.position == run.buffer.size()) {
    if (run.offset == run.end) return false;
    std::string header(kHeaderBytes, '\0');
    SHEAF_TRY(run.file->read_at(run.offset, header));
    std::size_t place = 0;
    const std::uint64_t size = take_size(header, place);
    const std::uint64_t plain_size = take_size(header, place);
    run.offset += kHeaderBytes;
    if (run.offset > run.end || size > run.end - run.offset) return fail(Errc::io, kDamaged);
    std::string compressed(size, '\0');
    SHEAF_TRY(run.file->read_at(run.offset, compressed));
    run.offset += size;
    if (ZSTD_getFrameContentSize(compressed.data(), size) != plain_size) return fail(Errc::io, kDamaged);
    if (run.buffer.capacity() > 4 * kBlockBytes) free_storage(run.buffer);
    run.buffer.resize(plain_size);
    if (ZSTD_decompress(run.buffer.data(), plain_size, compressed.data(), size) != plain_size)
      return fail(Errc::io, kDamaged);
    run.position = 0;
  }
  if (run.buffer.size() - run.position < kHeaderBytes) return fail(Errc::io, kDamaged);
  const std::uint64_t key_size = take_size(run.buffer, run.position);
  const std::uint64_t text_size = take_size(run.buffer, run.position);
  const std::string_view all = run.buffer;
  const std::size_t left = all.size() - run.position;
  if (key_size > left || text_size > left - key_size) return fail(Errc::io, kDamaged);
  run.entry = {all.substr(run.position, key_size), all.substr(run.position + key_size, text_size)};
  run.position += key_size + text_size;
  return true;
}

Result<void> TextSort::Merge::begin(std::vector<Run> runs) {
  runs_ = std::move(runs);
  for (Run& run : runs_) SHEAF_TRY(advance(run));
  std::make_heap(runs_.begin(), runs_.end(), comes_later);
  return {};
}

Result<std::optional<TextSort::Entry>> TextSort::Merge::next() {
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

Result<std::optional<TextSort::Entry>> TextSort::next() {
  if (!levels_.empty()) return merge_.next();
  if (position_ == spans_.size()) return std::nullopt;
  return entry_of(spans_[position_++]);
}

}  // namespace sheaf::base
