#pragma once

#include "sheaf/base/hash.h"
#include "sheaf/base/threads.h"
#include "sheaf/format/codecs/plain_stream.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/lines/line.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace sheaf::format {

/// Lines larger than this need a LargeLineTurn.
constexpr std::size_t kLargeLineBytes = std::size_t{2} << 20;

/// A lock that makes a process handle large lines one at a time. A line takes up to three times its size
/// while it is parsed and checked, and many sites are read in parallel: without the lock, a hundred sites
/// could use a hundred times that memory. The constructor waits for the lock, the destructor releases it. The
/// lock is recursive, so that a thread that reads two files does not wait for itself.
class LargeLineTurn {
 public:
  LargeLineTurn();
  ~LargeLineTurn();
  LargeLineTurn(const LargeLineTurn&) = delete;
  LargeLineTurn& operator=(const LargeLineTurn&) = delete;
};

enum class Stage : std::uint8_t {
  in_line,
  own_thread,
  shared_thread,  ///< hashing runs on the decompression thread
};

/// Computes the hash of a file. Hashing takes as long as all other work on the lines, so it runs on another
/// thread if there is one.
class HashStage {
 public:
  explicit HashStage(Stage stage);
  ~HashStage();
  HashStage(const HashStage&) = delete;
  HashStage& operator=(const HashStage&) = delete;

  /// Adds bytes that need not outlive the call.
  void add_copy(std::string_view bytes);
  /// Adds a part of a chunk, and keeps the chunk until it is hashed.
  void add(std::shared_ptr<Chunk> chunk, std::string_view part);
  /// Hashes one queued piece; for idle threads. Returns false if there is none or another thread is hashing.
  /// Only for Stage::shared_thread.
  bool hash_queued_piece();
  /// Waits until everything added is hashed.
  base::Digest finish();

 private:
  struct Work {
    std::shared_ptr<Chunk> chunk;
    std::string copy;
    std::string_view bytes;
  };

  void run();
  void add(Work work);
  void hash(const Work& work);
  bool hash_queued_piece(const std::unique_lock<std::mutex>& turn);

  Stage stage_;
  base::Sha256 sha_;
  std::mutex turn_;  ///< of a shared stage: held to take and hash a piece, which keeps the order
  base::BoundedQueue<Work> queue_{4};
  std::thread thread_;
};

/// Decompresses a file into chunks, ahead of the caller if it has its own thread.
class DecompressStage {
 public:
  /// If `hash` is not null, threads that would wait for this stage hash pieces of it meanwhile.
  DecompressStage(PlainStream stream, ChunkPool& pool, Stage stage, HashStage* hash = nullptr);
  ~DecompressStage();
  DecompressStage(const DecompressStage&) = delete;
  DecompressStage& operator=(const DecompressStage&) = delete;

  /// The next bytes; null at the clean end. Errors are final.
  Read<std::shared_ptr<Chunk>> next();

  /// Codec and sizes so far. Complete once next() has returned the end or an error.
  [[nodiscard]] Codec codec() const { return codec_; }
  [[nodiscard]] std::uint64_t compressed_bytes() const { return compressed_bytes_; }

 private:
  struct Output {
    Read<std::shared_ptr<Chunk>> chunk;
    Codec codec;
    std::uint64_t compressed_bytes;
  };

  Output produce();
  void run();

  PlainStream stream_;
  ChunkPool& pool_;
  HashStage* hash_;
  base::BoundedQueue<Output> queue_{4};
  std::thread thread_;
  bool ended_ = false;
  Codec codec_ = Codec::plain;
  std::uint64_t compressed_bytes_ = 0;
};

}  // namespace sheaf::format
