#include "sheaf/format/stages.h"

#include <utility>

namespace sheaf::format {

DecompressStage::DecompressStage(PlainStream stream, ChunkPool& pool, Stage stage)
    : stream_(std::move(stream)), pool_(pool) {
  if (stage == Stage::own_thread) thread_ = std::thread([this] { run(); });
}

DecompressStage::~DecompressStage() {
  pool_.close();
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

DecompressStage::Output DecompressStage::produce() {
  std::shared_ptr<Chunk> chunk = pool_.acquire();
  if (!chunk) return {nullptr, stream_.codec(), stream_.compressed_bytes()};
  auto filled = stream_.fill({chunk->memory.get(), chunk->capacity});
  if (!filled)
    return {std::unexpected(std::move(filled.error())), stream_.codec(), stream_.compressed_bytes()};
  chunk->size = *filled;
  if (*filled == 0) chunk = nullptr;
  return {std::move(chunk), stream_.codec(), stream_.compressed_bytes()};
}

void DecompressStage::run() {
  while (true) {
    Output output = produce();
    const bool last = !output.chunk || *output.chunk == nullptr;
    if (!queue_.push(std::move(output)) || last) return;
  }
}

Read<std::shared_ptr<Chunk>> DecompressStage::next() {
  if (ended_) return nullptr;
  std::optional<Output> output = thread_.joinable() ? queue_.pop() : produce();
  if (!output) return nullptr;
  codec_ = output->codec;
  compressed_bytes_ = output->compressed_bytes;
  ended_ = !output->chunk || *output->chunk == nullptr;
  return std::move(output->chunk);
}

HashStage::HashStage(Stage stage) {
  if (stage == Stage::own_thread) thread_ = std::thread([this] { run(); });
}

HashStage::~HashStage() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

void HashStage::run() {
  while (const auto work = queue_.pop())
    sha_.update(work->chunk ? work->bytes : std::string_view(work->copy));
}

void HashStage::add_copy(std::string_view bytes) {
  if (thread_.joinable()) {
    queue_.push({nullptr, std::string(bytes), {}});
  } else {
    sha_.update(bytes);
  }
}

void HashStage::add(std::shared_ptr<Chunk> chunk, std::string_view part) {
  if (thread_.joinable()) {
    queue_.push({std::move(chunk), {}, part});
  } else {
    sha_.update(part);
  }
}

Digest HashStage::finish() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  return sha_.finish();
}

}  // namespace sheaf::format
