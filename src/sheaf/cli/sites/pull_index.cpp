#include "sheaf/cli/sites/pull_index.h"

#include "sheaf/search/search_index.h"

#include <chrono>
#include <optional>
#include <utility>

namespace sheaf::cli {
namespace {

constexpr std::chrono::seconds kBetweenLooks{30};

}  // namespace

base::Result<void> index_after_pull(const store::PageStore& store, const std::string& location,
                                    Progress& line, const std::function<bool()>& cancelled) {
  IndexOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    line.update_stage("index", done, total, Progress::Unit::pages);
  };
  options.on_notice = [](const std::string& sentence) { print_message(sentence); };
  options.on_damage = [](const std::string& sentence) { print_message(sentence); };
  options.cancelled = cancelled;
  SHEAF_TRY(search::update_index(store, location, options));
  return {};
}

IndexUpdater::IndexUpdater(const store::PageStore& store, std::string location)
    : store_(store), location_(std::move(location)), thread_([this] { run(); }) {}

IndexUpdater::~IndexUpdater() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

/// Waits until the next look at the store. Returns false if the thread must end.
bool IndexUpdater::wait() {
  std::unique_lock lock(mutex_);
  return !woken_.wait_for(lock, kBetweenLooks, [this] { return is_stopped_.load(); });
}

void IndexUpdater::run() {
  std::optional<store::FeedCursor> indexed;
  IndexOptions options;
  options.on_notice = [](const std::string& sentence) { print_message(sentence); };
  options.cancelled = [this] { return is_stopped_.load(); };
  while (wait()) {
    const auto newest = store_.newest_change();
    if (newest && indexed == *newest) continue;
    const auto summary = search::update_index(store_, location_, options);
    if (summary)
      indexed = summary->sequence;
    else if (!is_stopped_ && summary.error().code != base::Errc::in_use)  // another worker updates it
      print_message(summary.error().message + "; indexing is tried again");
  }
}

}  // namespace sheaf::cli
