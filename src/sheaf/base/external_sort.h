#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/free_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sheaf::base {

/// Sorts more records than fit in memory: runs of `memory_bytes` are sorted and written to disk, then merged.
/// Add all records, call sort() once, then call next() until it returns nullopt. T must be trivially copyable
/// and have operator<.
template <class T>
class ExternalSort {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ExternalSort(std::size_t memory_bytes, std::filesystem::path folder)
      : capacity_(std::max<std::size_t>(memory_bytes / sizeof(T), 1024)), folder_(std::move(folder)) {}

  Result<void> add(const T& record) {
    // Growing the vector step by step would need the memory twice. Reserved memory costs nothing until it is
    // touched.
    if (records_.size() == kSmall) records_.reserve(capacity_);
    records_.push_back(record);
    ++size_;
    return records_.size() < capacity_ ? Result<void>() : spill();
  }

  Result<void> sort() {
    if (runs_.empty()) {
      std::sort(records_.begin(), records_.end());
      return {};
    }
    SHEAF_TRY(spill());
    free_storage(records_);
    const std::size_t share = std::max<std::size_t>(capacity_ / runs_.size(), 64);
    for (Run& run : runs_) {
      run.share = share;
      SHEAF_TRY(advance(run));
    }
    std::make_heap(runs_.begin(), runs_.end(), comes_later);
    return {};
  }

  Result<std::optional<T>> next() {
    if (!spool_) {
      if (position_ == records_.size()) return std::nullopt;
      return records_[position_++];
    }
    if (runs_.empty()) return std::nullopt;
    std::pop_heap(runs_.begin(), runs_.end(), comes_later);
    Run& run = runs_.back();
    const T record = run.front();
    ++run.position;
    SHEAF_TRY(advance(run));
    if (run.position == run.buffer.size()) {
      runs_.pop_back();
    } else {
      std::push_heap(runs_.begin(), runs_.end(), comes_later);
    }
    return record;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  static constexpr std::size_t kSmall = 1024;

  /// A sorted run in the spool file, read through a buffer.
  struct Run {
    std::uint64_t offset;
    std::uint64_t left;     ///< records still on disk
    std::size_t share = 0;  ///< capacity of the buffer, in records
    std::vector<T> buffer;
    std::size_t position = 0;

    [[nodiscard]] const T& front() const { return buffer[position]; }
  };

  static bool comes_later(const Run& a, const Run& b) { return b.front() < a.front(); }

  Result<void> spill() {
    if (records_.empty()) return {};
    if (!spool_) {
      SHEAF_TRY_ASSIGN(auto spool, SpoolFile::create(folder_));
      spool_ = std::move(spool);
    }
    std::sort(records_.begin(), records_.end());
    runs_.push_back({spool_->size(), records_.size(), 0, {}, 0});
    SHEAF_TRY(spool_->append({reinterpret_cast<const char*>(records_.data()), records_.size() * sizeof(T)}));
    records_.clear();
    return {};
  }

  /// Refills the buffer of a run if all of it was read. If the buffer is empty afterwards, the run is at its
  /// end.
  Result<void> advance(Run& run) {
    if (run.position < run.buffer.size()) return {};
    const std::size_t count = std::min<std::uint64_t>(run.share, run.left);
    run.buffer.resize(count);
    run.position = 0;
    SHEAF_TRY(spool_->read_at(run.offset, {reinterpret_cast<char*>(run.buffer.data()), count * sizeof(T)}));
    run.offset += count * sizeof(T);
    run.left -= count;
    return {};
  }

  std::size_t capacity_;
  std::filesystem::path folder_;
  std::vector<T> records_;
  std::size_t position_ = 0;
  std::uint64_t size_ = 0;
  std::optional<SpoolFile> spool_;
  std::vector<Run> runs_;
};

}  // namespace sheaf::base
