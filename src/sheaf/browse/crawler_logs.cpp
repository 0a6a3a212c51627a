#include "sheaf/browse/crawler_logs.h"

#include "sheaf/traffic/log_source.h"

#include <chrono>
#include <utility>

namespace sheaf::browse {
namespace {

constexpr std::chrono::seconds kLogInterval{1};

}  // namespace

CrawlerLogs::CrawlerLogs(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file.ends_with(".gz"))
      compressed_.push_back(file);
    else
      tails_.emplace_back(file);
  }
  thread_ = std::thread([this] { run(); });
}

CrawlerLogs::~CrawlerLogs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool CrawlerLogs::is_stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

/// The lock is held for one line at a time, so that views do not wait for a whole log.
void CrawlerLogs::take(std::string_view line) {
  if (line.empty()) return;
  const auto entry = parser_.parse(line);
  const std::lock_guard lock(mutex_);
  entry ? report_.add(*entry) : report_.count_unread();
}

void CrawlerLogs::read_all(std::vector<std::string>& troubles) {
  const auto use = [this](std::string_view line) { take(line); };
  const auto stopped = [this] { return is_stopping(); };
  std::uint64_t bytes = 0;
  for (traffic::LogTail& tail : tails_) {
    const auto read = tail.read_more(use, stopped);
    if (!read) troubles.push_back(read.error().message);
    bytes += tail.bytes();
  }
  const std::lock_guard lock(mutex_);
  bytes_ = bytes;
}

void CrawlerLogs::run() {
  std::vector<std::string> of_compressed;
  for (const std::string& file : compressed_) {
    if (is_stopping()) return;
    const auto read = traffic::each_log_line(file, [this](std::string_view line) { take(line); }, {});
    if (!read) of_compressed.push_back(read.error().message);
  }
  while (true) {
    std::vector<std::string> troubles = of_compressed;
    read_all(troubles);
    std::unique_lock lock(mutex_);
    is_reading_ = false;
    troubles_ = std::move(troubles);
    if (wake_.wait_for(lock, kLogInterval, [this] { return stopping_; })) return;
  }
}

CrawlerLogs::State CrawlerLogs::state() const {
  const std::lock_guard lock(mutex_);
  return {.crawlers = report_.crawlers(),
          .days = report_.days(),
          .newest = report_.newest(),
          .requests = report_.requests(),
          .unread = report_.unread(),
          .bytes = bytes_,
          .is_reading = is_reading_,
          .troubles = troubles_};
}

}  // namespace sheaf::browse
