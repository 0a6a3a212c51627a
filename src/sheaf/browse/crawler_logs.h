#pragma once

#include "sheaf/traffic/log_line.h"
#include "sheaf/traffic/traffic_report.h"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::browse {

/// What the access logs of a site currently say about its crawlers. A thread reads the logs and follows them
/// while servers write. The memory does not grow with the logs.
class CrawlerLogs {
 public:
  struct State {
    std::vector<traffic::CrawlerTraffic> crawlers = {};  ///< most requests first
    std::map<std::int64_t, traffic::DayTraffic> days = {};
    std::map<std::string, std::int64_t> newest = {};
    std::uint64_t requests = 0;
    std::uint64_t unread = 0;                ///< lines in no known format
    std::uint64_t bytes = 0;                 ///< bytes of logs
    bool is_reading = true;                  ///< the logs have not been read to their ends yet
    std::vector<std::string> troubles = {};  ///< files that cannot be read, and why
  };

  /// Compressed logs are read once; the others are followed.
  explicit CrawlerLogs(const std::vector<std::string>& files);
  ~CrawlerLogs();
  CrawlerLogs(const CrawlerLogs&) = delete;
  CrawlerLogs& operator=(const CrawlerLogs&) = delete;

  [[nodiscard]] State state() const;

 private:
  void run();
  void read_all(std::vector<std::string>& troubles);
  void take(std::string_view line);
  [[nodiscard]] bool is_stopping() const;

  std::vector<std::string> compressed_;
  std::vector<traffic::LogTail> tails_;
  traffic::LogLineParser parser_;  ///< used by the thread only
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  traffic::TrafficReport report_;
  std::uint64_t bytes_ = 0;
  bool is_reading_ = true;
  bool stopping_ = false;
  std::vector<std::string> troubles_;
  std::thread thread_;
};

}  // namespace sheaf::browse
