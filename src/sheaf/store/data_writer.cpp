#include "sheaf/store/data_writer.h"

#include "sheaf/format/limits.h"

#include <mutex>
#include <span>

namespace sheaf::store {
namespace {

using base::Result;

constexpr std::size_t kHeldBytes = 2 * format::kMiB;
// Of the pages in one file: some tens of megabytes once they are compressed.
constexpr std::uint64_t kFileBytes = 256 * format::kMiB;

}  // namespace

DataWriter::~DataWriter() {
  // What cannot be taken away now is when the store is opened next.
  if (marked_ && !kept_) (void)core_.abandon_run(run_);
}

Result<Place> DataWriter::add(const PageData& data) {
  const Place place{run_, ++count_};
  encode(data, value_);
  if (marked_) {
    SHEAF_TRY(write(data_key(place), value_));
    return place;
  }
  held_bytes_ += value_.size();
  held_.emplace_back(data_key(place), value_);
  if (held_bytes_ > kHeldBytes) {
    const std::lock_guard lock(core_.commit_mutex());
    SHEAF_TRY(spill());
  }
  return place;
}

Result<void> DataWriter::spill() {
  SHEAF_TRY(core_.begin_run(run_));
  marked_ = true;
  for (const auto& [key, value] : std::exchange(held_, {})) SHEAF_TRY(write(key, value));
  return {};
}

Result<void> DataWriter::write(std::string_view key, std::string_view value) {
  if (!file_) SHEAF_TRY(open_file());
  SHEAF_TRY(file_->put(key, value));
  return file_->bytes() < kFileBytes ? Result<void>() : close_file();
}

Result<void> DataWriter::open_file() {
  SHEAF_TRY_ASSIGN(auto file, Database::SortedFile::create(core_.database(), Table::data,
                                                           core_.incoming_file("data", {run_, count_})));
  file_ = std::move(file);
  return {};
}

Result<void> DataWriter::close_file() {
  SHEAF_TRY(file_->finish());
  SHEAF_TRY(core_.database().ingest(std::span(&*file_, 1)));
  file_.reset();
  return {};
}

Result<void> DataWriter::hand_over(SectionChange& change) {
  if (!marked_ && change.is_large() && !held_.empty()) SHEAF_TRY(spill());
  if (marked_) {
    if (file_) SHEAF_TRY(close_file());
    change.set_run(run_);
    return {};
  }
  for (const auto& [key, value] : held_) change.more().put(key, value, Table::data);
  return {};
}

}  // namespace sheaf::store
