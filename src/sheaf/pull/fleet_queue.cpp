#include "sheaf/pull/fleet_queue.h"

#include <algorithm>
#include <limits>

namespace sheaf::pull {
namespace {

// Up to this many removed turns are not worth a pass over all turns.
constexpr std::size_t kFewTurns = 1024;

}  // namespace

void FleetQueue::insert(std::size_t site, std::int64_t due) {
  remove(site);
  if (order_of_site_.size() <= site) order_of_site_.resize(site + 1);
  order_of_site_[site] = ++inserted_;
  ++queued_;
  later_.push_back({due, inserted_, static_cast<std::uint32_t>(site)});
  std::ranges::push_heap(later_, std::greater());
  drop_removed_if_many();
}

void FleetQueue::remove(std::size_t site) {
  if (site >= order_of_site_.size() || order_of_site_[site] == 0) return;
  order_of_site_[site] = 0;
  --queued_;
}

std::int64_t FleetQueue::next_due() {
  drop_removed_tops();
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const std::int64_t next = std::min(due_.empty() ? kNever : due_.front().due,  //
                                     later_.empty() ? kNever : later_.front().due);
  return next == kNever ? 0 : next;
}

std::size_t FleetQueue::count_due(std::int64_t now) {
  advance(now);
  std::size_t count = 0;
  for (const Turn& turn : due_) {
    if (turn.due > now) break;
    if (!is_removed(turn)) ++count;
  }
  return count;
}

std::optional<std::size_t> FleetQueue::first_due(std::int64_t now,
                                                 const std::function<bool(std::size_t)>& accepts) {
  advance(now);
  for (const Turn& turn : due_) {
    if (turn.due > now) break;
    if (!is_removed(turn) && accepts(turn.site)) return turn.site;
  }
  return std::nullopt;
}

void FleetQueue::advance(std::int64_t now) {
  drop_removed_tops();
  while (!later_.empty() && later_.front().due <= now) {
    // Usually inserted at the end, because turns that become due later have later due times.
    if (!is_removed(later_.front()))
      due_.insert(std::ranges::upper_bound(due_, later_.front()), later_.front());
    std::ranges::pop_heap(later_, std::greater());
    later_.pop_back();
  }
}

void FleetQueue::drop_removed_tops() {
  while (!due_.empty() && is_removed(due_.front())) due_.pop_front();
  while (!later_.empty() && is_removed(later_.front())) {
    std::ranges::pop_heap(later_, std::greater());
    later_.pop_back();
  }
}

void FleetQueue::drop_removed_if_many() {
  if (turns() <= 2 * queued_ + kFewTurns) return;
  const auto removed = [this](const Turn& turn) { return is_removed(turn); };
  std::erase_if(due_, removed);
  std::erase_if(later_, removed);
  std::ranges::make_heap(later_, std::greater());
}

}  // namespace sheaf::pull
