#include "sheaf/database/background_file.h"

#include <utility>

namespace sheaf::database {
namespace {

using base::Result;

constexpr std::size_t kListsWaiting = 2;

}  // namespace

BackgroundFile::BackgroundFile(Database::SortedFile file)
    : file_(std::move(file)), queue_(kListsWaiting), thread_([this] {
        written_ = run();
        queue_.close();
      }) {}

BackgroundFile::~BackgroundFile() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

Result<void> BackgroundFile::write(EntryList entries) {
  if (entries.empty()) return {};
  // The thread stops taking lists only after a failure.
  return queue_.push(std::move(entries)) ? Result<void>() : end();
}

Result<std::optional<Database::SortedFile>> BackgroundFile::finish() {
  SHEAF_TRY(end());
  if (file_.bytes() == 0) return std::nullopt;
  return std::move(file_);
}

Result<void> BackgroundFile::end() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  return written_;
}

Result<void> BackgroundFile::run() {
  while (const auto entries = queue_.pop())
    SHEAF_TRY(entries->each([this](const EntryList::Entry& entry) {
      return entry.value ? file_.put(entry.key, *entry.value) : file_.remove(entry.key);
    }));
  return file_.bytes() > 0 ? file_.finish() : Result<void>();
}

}  // namespace sheaf::database
