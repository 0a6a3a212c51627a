#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include <sheaf/time.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::browse {

inline constexpr std::size_t kMostPreviewItems = 200'000;
inline constexpr std::uint64_t kMostPreviewBytes = std::uint64_t{1} << 30U;  ///< of JSON on disk

/// A file, line or URL of a publisher's sources, and what becomes of it.
struct PreviewItem {
  std::string name;
  std::string section;
  std::string url;
  std::string title;
  std::string skip;     ///< "noindex", ...; empty if it is published
  std::string reason;   ///< the same for people
  std::string detail;   ///< may be empty
  std::string repairs;  ///< what was corrected; mostly empty
  std::filesystem::path file = {};
  std::uint64_t place = 0;  ///< of the page's JSON
  std::uint64_t size = 0;   ///< 0: none is kept
};

/// One reading of the sources.
struct PreviewResult {
  Instant as_of;
  std::string trouble;  ///< why publishing would fail
  publish::PublishReport report;
  std::vector<PreviewItem> items;
  std::uint64_t dropped = 0;  ///< more items than are kept
  std::shared_ptr<const base::SpoolFile> json;
};

/// What `sheaf publish` would publish and skip, found out as --dry-run does: nothing is written. Reads the
/// sources in a thread of its own.
class PublishPreview {
 public:
  PublishPreview(publish::PublishConfig config, publish::PublishOptions options);
  ~PublishPreview();
  PublishPreview(const PublishPreview&) = delete;
  PublishPreview& operator=(const PublishPreview&) = delete;

  /// The last reading that is complete; null before the first.
  [[nodiscard]] std::shared_ptr<const PreviewResult> result() const;
  [[nodiscard]] bool is_reading() const;
  /// Reads the sources once more, unless that goes on already.
  void read_again();
  [[nodiscard]] const publish::PublishConfig& config() const { return config_; }

 private:
  void run();
  PreviewResult read();

  const publish::PublishConfig config_;
  publish::PublishOptions options_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool is_wanted_ = true;
  bool is_reading_ = true;
  std::shared_ptr<const PreviewResult> result_;
  std::thread thread_;
};

}  // namespace sheaf::browse
