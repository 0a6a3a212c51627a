#include "sheaf/api/scp/c_page_threads.h"

#include "sheaf/base/threads.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace sheaf::c_api {
namespace {

using format::Finding;
using format::PageDecoder;
using format::Read;

// Batches that may be finished before the caller takes them.
constexpr std::size_t kAheadPerThread = 3;

/// More threads than processors would only wait for one another.
std::size_t thread_count(unsigned wanted) {
  if (wanted <= 1) return 0;
  const std::size_t processors = std::max(std::thread::hardware_concurrency(), 1U);
  return std::min({std::size_t{wanted}, processors, format::kMaxDecodingThreads});
}

}  // namespace

PageThreads::PageThreads(format::CollectionReader reader, unsigned threads, PageDetail detail,
                         std::uint32_t fields)
    : reader_(std::move(reader)),
      detail_(detail),
      fields_(fields),
      results_(kAheadPerThread * std::max<std::size_t>(thread_count(threads), 1)),
      own_{PageDecoder({}, detail), {}} {
  base::start_threads(threads_, thread_count(threads), 0, [this] { work(); });
}

Read<PageThreads::Batch> PageThreads::next() {
  while (!last_) {
    Read<Batch> result = take();
    const bool is_last = !result || *result == nullptr;
    if (is_last) {
      last_ = std::move(result);
    } else if ((*result)->count() > 0) {  // else a rule skips all of its pages
      return result;
    }
  }
  return *last_ ? Read<Batch>(nullptr) : std::unexpected(last_->error());
}

Read<PageThreads::Batch> PageThreads::take() {
  std::uint64_t number = 0;
  if (threads_.empty()) return read_one(own_, number);
  return results_.take().value_or(nullptr);
}

void PageThreads::work() {
  Worker worker{PageDecoder({}, detail_), {}};
  for (bool is_last = false; !is_last;) {
    std::uint64_t number = 0;
    Read<Batch> result = read_one(worker, number);
    is_last = !result || *result == nullptr;
    if (!results_.put(number, std::move(result))) return;
  }
}

/// Reads and decodes the next batch, and gives its number; null at the end.
Read<PageThreads::Batch> PageThreads::read_one(Worker& worker, std::uint64_t& number) {
  Read<Batch> result = nullptr;
  std::unique_lock turn(turn_);
  number = begun_++;
  try {
    const auto more = reader_.next_lines(worker.lines);
    if (!worker.lines.borrows_from_reader()) turn.unlock();
    if (!more) result = std::unexpected(more.error());
    if (more && *more) result = decode(worker);
  } catch (const std::exception& exception) {
    result = std::unexpected(Finding{format::Code::read_failed, 0, 0, {}, exception.what()});
  }
  worker.lines.reset(nullptr);  // another thread may wait for its memory
  return result;
}

Read<PageThreads::Batch> PageThreads::decode(Worker& worker) {
  std::size_t bytes = 0;
  for (const format::Line& line : worker.lines.lines()) bytes += line.text.size();
  Batch batch = pool_->make(bytes);
  const bool wants_json = (fields_ >> SHEAF_JSON & 1U) != 0;  // it may have to be made
  for (const format::Line& line : worker.lines.lines()) {
    SHEAF_TRY_ASSIGN(const PageDecoder::Outcome outcome, worker.decoder.decode(line, {}));
    if (outcome == PageDecoder::Outcome::skipped) continue;
    add_page(*batch, worker.decoder.page(), wants_json ? worker.decoder.raw() : std::string_view(), fields_);
  }
  return batch;
}

}  // namespace sheaf::c_api
