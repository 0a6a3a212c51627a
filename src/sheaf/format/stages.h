#pragma once

#include "sheaf/base/bounded_queue.h"
#include "sheaf/format/chunk.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/plain_stream.h"
#include "sheaf/format/sha256.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <variant>

namespace sheaf::format {

enum class Stage : std::uint8_t { in_line, own_thread };

/// Decompression: turns a file into chunks, ahead of the caller when it has a thread of its own.
class DecompressStage {
 public:
  DecompressStage(PlainStream stream, ChunkPool& pool, Stage stage);
  ~DecompressStage();
  DecompressStage(const DecompressStage&) = delete;
  DecompressStage& operator=(const DecompressStage&) = delete;

  /// The next bytes; null at the clean end. Errors are final.
  Read<std::shared_ptr<Chunk>> next();

  /// Codec and sizes so far. Complete once next() has given the end or an error.
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
  base::BoundedQueue<Output> queue_{2};
  std::thread thread_;
  bool ended_ = false;
  Codec codec_ = Codec::plain;
  std::uint64_t compressed_bytes_ = 0;
};

/// Hashing: the slowest stage, so the first to get a thread.
class HashStage {
 public:
  explicit HashStage(Stage stage);
  ~HashStage();
  HashStage(const HashStage&) = delete;
  HashStage& operator=(const HashStage&) = delete;

  /// Adds bytes that may be gone when the call returns.
  void add_copy(std::string_view bytes);
  /// Adds a part of a chunk, which is held until it is hashed.
  void add(std::shared_ptr<Chunk> chunk, std::string_view part);
  /// Waits for everything added.
  Digest finish();

 private:
  struct Work {
    std::shared_ptr<Chunk> chunk;
    std::string copy;
    std::string_view bytes;
  };

  void run();

  Sha256 sha_;
  base::BoundedQueue<Work> queue_{4};
  std::thread thread_;
};

}  // namespace sheaf::format
