#include "sheaf/store/local/page_packer.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace sheaf::store::local {

PagePacker::~PagePacker() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

void PagePacker::add(std::uint64_t run, database::KeyRange file, unsigned threads) {
  const std::uint64_t whole = store_bytes();
  const std::lock_guard lock(mutex_);
  whole_ = whole;
  unpacked_ += file.bytes;
  bytes_[next_number_] = file.bytes;
  waiting_.push_back({next_number_++, run, std::move(file)});
  if (threads_.size() < threads) start_thread();
  changed_.notify_all();
}

void PagePacker::start_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The existing threads do the work. If there are none, the job is dropped, so that nothing waits for it.
    if (!threads_.empty()) return;
    end(waiting_.back());
    waiting_.pop_back();
  }
}

void PagePacker::wait_for_room(std::uint64_t allowance) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return unpacked_ <= std::max(allowance, whole_ / 2); });
}

bool PagePacker::finish(const database::CompactProgress& progress) {
  constexpr std::chrono::milliseconds kBetweenReports{100};
  std::unique_lock lock(mutex_);
  const std::uint64_t end = next_number_;
  const std::uint64_t total = bytes_left(end);
  if (total == 0) return false;
  for (std::uint64_t left = total; left > 0; left = bytes_left(end)) {
    if (progress) {
      lock.unlock();
      progress(total - left, total);
      lock.lock();
    }
    changed_.wait_for(lock, kBetweenReports, [&] { return bytes_left(end) == 0; });
  }
  return true;
}

void PagePacker::abandon(std::uint64_t run) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Job& job) {
    if (job.run == run) end(job);
    return job.run == run;
  });
}

void PagePacker::end(const Job& job) {
  unpacked_ -= job.file.bytes;
  bytes_.erase(job.number);
  changed_.notify_all();
}

std::uint64_t PagePacker::bytes_left(std::uint64_t end) const {
  std::uint64_t bytes = 0;
  for (auto job = bytes_.begin(); job != bytes_.lower_bound(end); ++job) bytes += job->second;
  return bytes;
}

void PagePacker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    const Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    (void)database_.pack(job.file, stopped_);
    const std::uint64_t whole = store_bytes();
    lock.lock();
    whole_ = whole;
    end(job);
  }
}

std::uint64_t PagePacker::store_bytes() const { return database_.disk_bytes().value_or(0); }

}  // namespace sheaf::store::local
