#include "sheaf/format/lines/stages.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace sheaf::format {
namespace {

struct Turns {
  std::mutex mutex;
  std::condition_variable given_back;
  std::thread::id owner;
  std::size_t count = 0;  ///< nesting depth of the owner
};

Turns& turns() {
  static Turns the_turns;
  return the_turns;
}

}  // namespace

LargeLineTurn::LargeLineTurn() {
  Turns& all = turns();
  std::unique_lock lock(all.mutex);
  const auto self = std::this_thread::get_id();
  all.given_back.wait(lock, [&] { return all.count == 0 || all.owner == self; });
  all.owner = self;
  ++all.count;
}

LargeLineTurn::~LargeLineTurn() {
  Turns& all = turns();
  const std::lock_guard lock(all.mutex);
  if (--all.count == 0) all.given_back.notify_one();
}

namespace {

/// Starts a thread. If the system allows no more, the caller does the work itself: the result is then not
/// joinable.
template <class Work>
std::thread start_stage(Work work) {
  try {
    return std::thread(work);
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace

DecompressStage::DecompressStage(PlainStream stream, ChunkPool& pool, Stage stage, HashStage* hash)
    : stream_(std::move(stream)), pool_(pool), hash_(hash) {
  if (stage == Stage::own_thread) thread_ = start_stage([this] { run(); });
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
  chunk->set_size(*filled);
  if (*filled == 0) chunk = nullptr;
  return {std::move(chunk), stream_.codec(), stream_.compressed_bytes()};
}

void DecompressStage::run() {
  while (true) {
    Output output = produce();
    const bool last = !output.chunk || *output.chunk == nullptr;
    // The caller is behind: hash meanwhile, one piece at a time.
    while (hash_ != nullptr && !queue_.has_room() && hash_->hash_queued_piece()) {
    }
    if (!queue_.push(std::move(output)) || last) return;
  }
}

Read<std::shared_ptr<Chunk>> DecompressStage::next() {
  if (ended_) return nullptr;
  std::optional<Output> output = thread_.joinable() ? queue_.try_pop() : produce();
  // Decompression is behind: hash here instead of waiting.
  while (!output && hash_ != nullptr && hash_->hash_queued_piece()) output = queue_.try_pop();
  if (!output) output = queue_.pop();
  if (!output) return nullptr;
  codec_ = output->codec;
  compressed_bytes_ = output->compressed_bytes;
  ended_ = !output->chunk || *output->chunk == nullptr;
  return std::move(output->chunk);
}

HashStage::HashStage(Stage stage) : stage_(stage) {
  if (stage != Stage::own_thread) return;
  thread_ = start_stage([this] { run(); });
  if (!thread_.joinable()) stage_ = Stage::in_line;
}

HashStage::~HashStage() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

void HashStage::hash(const Work& work) { sha_.update(work.chunk ? work.bytes : std::string_view(work.copy)); }

void HashStage::run() {
  while (const auto work = queue_.pop()) hash(*work);
}

bool HashStage::hash_queued_piece() {
  const std::unique_lock turn(turn_, std::try_to_lock);
  return turn && hash_queued_piece(turn);
}

bool HashStage::hash_queued_piece(const std::unique_lock<std::mutex>& /*turn*/) {
  const auto work = queue_.try_pop();
  if (work) hash(*work);
  return work.has_value();
}

void HashStage::add(Work work) {
  switch (stage_) {
    case Stage::in_line: hash(work); return;
    case Stage::own_thread: queue_.push(std::move(work)); return;
    case Stage::shared_thread:
      // The other thread may be waiting for us to take a chunk, so never wait for it here.
      while (!queue_.try_push(work)) hash_queued_piece(std::unique_lock(turn_));
      return;
  }
}

void HashStage::add_copy(std::string_view bytes) {
  if (stage_ == Stage::in_line) {
    sha_.update(bytes);
  } else {
    add({nullptr, std::string(bytes), {}});
  }
}

void HashStage::add(std::shared_ptr<Chunk> chunk, std::string_view part) {
  add({std::move(chunk), {}, part});
}

base::Digest HashStage::finish() {
  if (stage_ == Stage::shared_thread) {
    while (hash_queued_piece(std::unique_lock(turn_))) {
    }
  }
  queue_.close();
  if (thread_.joinable()) thread_.join();
  return sha_.finish();
}

}  // namespace sheaf::format
