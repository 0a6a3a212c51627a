#include "sheaf/format/lines/large_line_turn.h"

#include <condition_variable>
#include <mutex>
#include <thread>

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

}  // namespace sheaf::format
