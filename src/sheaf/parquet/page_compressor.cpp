#include "sheaf/parquet/page_compressor.h"

#include "sheaf/base/start_threads.h"

#include <zstd.h>

#include <array>
#include <memory>
#include <new>
#include <stdexcept>

namespace sheaf::parquet {
namespace {

constexpr std::size_t kPagesWaiting = 4;
constexpr std::size_t kStep = std::size_t{64} << 10U;

using Context = std::unique_ptr<ZSTD_CCtx, decltype([](ZSTD_CCtx* context) { ZSTD_freeCCtx(context); })>;

Context make_context(int level) {
  Context context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  return context;
}

/// Compresses a page into one frame, which states its size. Works in steps: ZSTD_compressBound() of a page of
/// 100 MB is more than 100 MB, so compressing in one call would need a second buffer of that size.
std::string compress(ZSTD_CCtx* context, std::string_view page) {
  ZSTD_CCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_CCtx_setPledgedSrcSize(context, page.size());
  std::string out;
  const auto step = std::make_unique_for_overwrite<std::array<char, kStep>>();
  ZSTD_inBuffer input{page.data(), page.size(), 0};
  for (std::size_t left = 1; left != 0;) {
    ZSTD_outBuffer output{step->data(), step->size(), 0};
    left = ZSTD_compressStream2(context, &output, &input, ZSTD_e_end);
    // No input is invalid, so the only possible failure is lack of memory.
    if (ZSTD_isError(left) != 0) throw std::bad_alloc();
    out.append(step->data(), output.pos);
  }
  out.shrink_to_fit();
  return out;
}

}  // namespace

PageCompressor::PageCompressor(unsigned threads, int level) : level_(level), jobs_(kPagesWaiting) {
  base::start_threads(threads_, threads, 0, [this] { work(); });
}

PageCompressor::~PageCompressor() { jobs_.close(); }

std::future<std::string> PageCompressor::add(std::string page) {
  Job job{std::move(page), {}};
  auto result = job.result.get_future();
  if (threads_.empty()) {
    job.result.set_value(compress(make_context(level_).get(), job.page));
  } else {
    jobs_.push(std::move(job));
  }
  return result;
}

void PageCompressor::work() {
  Context context;
  while (auto job = jobs_.pop()) {
    try {
      if (!context) context = make_context(level_);
      job->result.set_value(compress(context.get(), job->page));
    } catch (...) {
      job->result.set_exception(std::current_exception());
    }
  }
}

}  // namespace sheaf::parquet
