#include "sheaf/api/c_batch_pool.h"
#include "sheaf/api/c_inside.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/base/threads.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/json/json_writer.h"

#include <fmt/format.h>

#include <sheaf/collection.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using sheaf::Result;
using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the functions below are in no
                               // namespace

namespace sheaf::c_api {
namespace {

/// Reads a collection into batches: in next(), or with several threads ahead of the caller.
///
/// Decoding is more than half of the work, so with one thread for each stage it would bound the whole. Here
/// the threads take turns to get the next lines from the reader, which decompresses and hashes on a thread of
/// its own, and decode them in parallel. Decompressing within the turn was slower: the tables and the window
/// of zstd then move from one processor to the other with every chunk.
class PageThreads {
 public:
  using Batch = std::unique_ptr<sheaf_batch>;

  /// `fields` are the bits of sheaf_read_fields().
  PageThreads(format::CollectionReader reader, unsigned threads, PageDetail detail, std::uint32_t fields);
  ~PageThreads() { results_.close(); }
  PageThreads(const PageThreads&) = delete;
  PageThreads& operator=(const PageThreads&) = delete;

  /// The next batch, which has a page; null at the end. Errors are final.
  format::Read<Batch> next();

 private:
  /// What a thread needs for itself.
  struct Worker {
    format::PageDecoder decoder;
    format::LineBatch lines;
  };

  void work();
  format::Read<Batch> read_one(Worker& worker, std::uint64_t& number);
  format::Read<Batch> decode(Worker& worker);
  format::Read<Batch> take();

  format::CollectionReader reader_;
  PageDetail detail_;
  std::uint32_t fields_;
  std::shared_ptr<BatchPool> pool_ = std::make_shared<BatchPool>();
  std::mutex turn_;          ///< for reader_ and begun_
  std::uint64_t begun_ = 0;  ///< batches
  base::OrderedResults<format::Read<Batch>> results_;
  std::optional<format::Read<Batch>> last_;  ///< the end or the error, once it was reached
  Worker own_;                               ///< of next(), if there are no threads
  std::vector<std::jthread> threads_;        ///< last: they use all of the above
};

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

void append_or_null(format::JsonWriter& out, std::string_view key, const std::optional<std::string>& value) {
  if (value)
    out.string(key, *value);
  else
    out.null(key);
}

/// Members that no draft names, as they are in the file.
std::string extra_json(const CollectionHead& head) {
  std::string out = "{";
  for (const auto& [key, value] : head.extra)
    out += fmt::format(R"({}"{}":{})", out.size() > 1 ? "," : "", key, value);
  return out + "}";
}

std::string head_json(const CollectionHead& head) {
  format::JsonWriter out;
  out.begin_object()
      .string("id", head.id)
      .string("section", head.section)
      .string("type", to_string(head.type))
      .string("generated", head.generated)
      .string("version", head.version);
  append_or_null(out, "since", head.since);
  append_or_null(out, "state", head.state);
  append_or_null(out, "checksum", head.checksum);
  out.begin_array("removed");
  for (const std::string& url : head.removed) out.element(url);
  out.end_array().raw("extra", extra_json(head)).end_object();
  return out.text();
}

/// What an error of a collection adds to its message.
sheaf_error place_of(const Finding& finding) {
  return {std::string(to_string(finding.code)), {}, finding.line, finding.offset};
}

Result<std::unique_ptr<sheaf_cursor>> open_collection(const char* path, unsigned threads,
                                                      std::uint32_t fields, sheaf_error& place) {
  const bool wants_json = (fields >> SHEAF_JSON & 1U) != 0;
  const PageDetail detail = wants_json ? PageDetail::checks : PageDetail::texts;
  SHEAF_TRY_ASSIGN(auto source, base::open_source(path));
  const std::string name = source->name();
  ReaderOptions options;
  options.detail = detail;
  options.threads =
      threads > 1 ? 2 : 1;  // the second one decompresses and hashes, with all that in its cache
  auto reader = format::CollectionReader::open(std::move(source), options);
  if (!reader) {
    place = place_of(reader.error());
    return std::unexpected(format::to_error(name, reader.error()));
  }
  auto cursor = std::make_unique<sheaf_cursor>();
  cursor->head = head_json(reader->head());
  auto pages = std::make_shared<PageThreads>(std::move(*reader), threads, detail, fields);
  cursor->next = [pages, name, found = cursor->place]() -> Result<std::unique_ptr<sheaf_batch>> {
    auto batch = pages->next();
    if (batch) return std::move(*batch);
    *found = place_of(batch.error());
    return std::unexpected(format::to_error(name, batch.error()));
  };
  return cursor;
}

}  // namespace
}  // namespace sheaf::c_api

sheaf_batch* sheaf_next(sheaf_cursor* cursor, sheaf_error** error) {
  return guarded(error, [&] { return cursor->next(); }, cursor->place.get());
}

void sheaf_cursor_free(sheaf_cursor* cursor) { delete cursor; }

sheaf_cursor* sheaf_read(const char* path, unsigned threads, sheaf_error** error) {
  return sheaf_read_fields(path, threads, kAllFields, error);
}

sheaf_cursor* sheaf_read_fields(const char* path, unsigned threads, uint32_t fields, sheaf_error** error) {
  sheaf_error place;
  return guarded(error, [&] { return open_collection(path, threads, fields, place); }, &place);
}

sheaf_string* sheaf_read_head(const sheaf_cursor* cursor, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    if (!cursor->head.empty()) return make_string(cursor->head);
    return sheaf::fail(sheaf::Errc::invalid_argument, "only a collection has a metadata line");
  });
}
