#pragma once

#include "sheaf/api/scp/c_batch_pool.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/collections/collection_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sheaf::c_api {

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

}  // namespace sheaf::c_api
