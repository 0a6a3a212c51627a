#include "sheaf/store/shared/page_pack.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/base/record.h"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kDictionaryBytes = std::size_t{32} << 10U;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::uint32_t PackBuilder::add(const PageData& data) {
  record_.clear();
  encode(data, record_);
  base::RecordWriter(raw_).text(record_);
  if (record_.capacity() > 4 * full_bytes_) base::free_storage(record_);
  return pages_++;
}

void PackBuilder::clear() {
  raw_.clear();
  if (raw_.capacity() > 4 * full_bytes_) base::free_storage(raw_);
  pages_ = 0;
}

std::string make_dictionary(std::string_view raw) {
  return std::string(raw.substr(0, std::min(raw.size(), kDictionaryBytes)));
}

bool is_dictionary(std::string_view bytes) {
  base::RecordReader in(bytes);
  while (!in.good()) {
    const std::string_view record = in.text();
    if (!in.good_so_far()) return bytes.size() == kDictionaryBytes;  // it ends within a record
    if (!decode_data(record)) return false;
  }
  return !bytes.empty() && bytes.size() <= kDictionaryBytes;
}

std::string compress_pack(std::string_view raw, std::string_view dictionary, int level) {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  if (!dictionary.empty()) ZSTD_CCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  std::string bytes(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), bytes.data(), bytes.size(), raw.data(), raw.size());
  bytes.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return bytes;
}

Result<std::string> decompress_pack(std::string_view bytes, std::string_view dictionary,
                                    std::uint64_t raw_size) {
  if (raw_size > kMaxPackBytes) return fail(Errc::invalid_data, "is larger than a pack can be");
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  if (!dictionary.empty()) ZSTD_DCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  std::string raw(raw_size, '\0');
  const std::size_t size =
      ZSTD_decompressDCtx(context.get(), raw.data(), raw.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0 || size != raw_size) return fail(Errc::invalid_data, "cannot be decompressed");
  return raw;
}

std::optional<PackReader> PackReader::open(std::string raw) {
  PackReader reader;
  reader.raw_ = std::move(raw);
  std::string_view rest = reader.raw_;
  while (!rest.empty()) {
    base::RecordReader in(rest);
    const std::string_view record = in.text();
    if (!in.good_so_far()) return std::nullopt;
    const auto begin = static_cast<std::size_t>(record.data() - reader.raw_.data());
    reader.records_.push_back({begin, record.size()});
    rest = std::string_view(reader.raw_).substr(begin + record.size());
  }
  return reader;
}

std::optional<PageData> PackReader::page(std::uint64_t slot) const {
  if (slot >= records_.size()) return std::nullopt;
  const Record& record = records_[slot];
  return decode_data(std::string_view(raw_).substr(record.begin, record.size));
}

}  // namespace sheaf::store::shared
