#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include <sheaf/page.h>
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

inline constexpr std::size_t kMaxPreviewItems = 200'000;
inline constexpr std::uint64_t kMaxPreviewBytes = std::uint64_t{1} << 30U;  ///< bytes of JSON on disk

/// A file, line or URL of a publisher's sources, and what happens to it.
struct PreviewItem {
  std::string name;
  std::string section;
  std::string url;
  std::string title;
  std::string skip;     ///< "noindex", ...; empty if it is published
  std::string reason;   ///< the same in words
  std::string detail;   ///< may be empty
  std::string repairs;  ///< what was corrected; mostly empty
  std::filesystem::path file = {};
  std::uint64_t place = 0;  ///< place of the page's JSON
  std::uint64_t size = 0;   ///< size of the JSON; 0 if it is not kept
};

/// A section of the publisher after the run.
struct PreviewSection {
  std::string name;
  std::uint64_t pages = 0;
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
};

/// What a run would do.
struct PreviewReport {
  std::vector<PreviewSection> sections;
  std::vector<std::string> notes;
};

/// Gets an item, and its page if it is published. An error ends the reading.
using PreviewSink = std::function<base::Result<void>(PreviewItem item, const Page* page)>;

/// Reads a publisher's sources as of `now` and passes every item to `sink`. The program implements this with
/// the module publish, which browse does not depend on.
using PreviewReader = std::function<base::Result<PreviewReport>(Instant now, const PreviewSink& sink)>;

/// One reading of the sources.
struct PreviewResult {
  Instant as_of;
  std::string trouble;  ///< why publishing would fail
  PreviewReport report;
  std::vector<PreviewItem> items;
  std::uint64_t dropped = 0;  ///< number of items that are not kept
  std::shared_ptr<const base::SpoolFile> json;
};

/// What a publisher would publish and skip. Reads the sources on a background thread.
class PublishPreview {
 public:
  /// `site` is the URL of the publisher's site.
  PublishPreview(std::string site, PreviewReader reader);
  ~PublishPreview();
  PublishPreview(const PublishPreview&) = delete;
  PublishPreview& operator=(const PublishPreview&) = delete;

  /// The last complete reading; null before the first.
  [[nodiscard]] std::shared_ptr<const PreviewResult> result() const;
  [[nodiscard]] bool is_reading() const;
  /// Starts another reading of the sources, unless one is in progress.
  void read_again();
  [[nodiscard]] const std::string& site() const { return site_; }

 private:
  void run();
  PreviewResult read();

  const std::string site_;
  const PreviewReader reader_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool is_wanted_ = true;
  bool is_reading_ = true;
  std::shared_ptr<const PreviewResult> result_;
  std::thread thread_;
};

}  // namespace sheaf::browse
