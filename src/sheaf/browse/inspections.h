#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/browse/request_values.h"
#include "sheaf/format/collections/collection_overview.h"
#include "sheaf/format/collections/validator.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/server/server.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::browse {

inline constexpr std::uint64_t kMaxInspectedBytes = std::uint64_t{256} << 20U;  ///< per upload or download
inline constexpr std::size_t kMaxInspectedPages = 1'000;                        ///< pages that are listed
inline constexpr std::uint64_t kMaxKeptBytes = std::uint64_t{64} << 20U;  ///< of their JSON that are kept
inline constexpr std::size_t kMaxInspections = 16;                        ///< older ones are dropped
inline constexpr std::size_t kMaxWaiting = 4;

/// A page of an inspected collection.
struct InspectedPage {
  std::uint64_t line = 0;
  std::string url;
  std::string title;
  std::string modified;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> place = {};  ///< place of its JSON in `kept`, if it was kept
};

/// The result of inspecting a collection. Immutable once it has been returned.
struct InspectionResult {
  std::string trouble;  ///< why the collection could not be read at all; then nothing else is set
  format::ValidationReport report = {};
  format::CollectionOverview overview = {};
  std::vector<InspectedPage> pages = {};
  std::shared_ptr<const base::SpoolFile> kept = {};  ///< JSON of pages
};

struct Inspection {
  std::string id;
  std::string name;                                ///< name of the file, or its URL
  std::shared_ptr<const InspectionResult> result;  ///< null while the inspection is in progress
};

/// The body of an upload on disk.
class UploadSink final : public http::server::BodySink {
 public:
  UploadSink(base::SpoolFile spool, std::atomic<int>& open) : spool_(std::move(spool)), open_(open) {}
  ~UploadSink() override { open_.fetch_sub(1); }
  UploadSink(const UploadSink&) = delete;
  UploadSink& operator=(const UploadSink&) = delete;

  [[nodiscard]] std::uint64_t most_bytes() const override { return kMaxInspectedBytes; }
  bool take(std::string_view bytes) override { return spool_.append(bytes).has_value(); }
  /// The file of the form; nullopt if the body is not such a form.
  [[nodiscard]] std::optional<FormFile> find_file(std::string_view content_type) const;
  base::SpoolFile take_spool() { return std::move(spool_); }

 private:
  base::SpoolFile spool_;
  std::atomic<int>& open_;
};

/// Reads collections on a background thread, one after the other, and keeps the results of the last few.
class Inspections {
 public:
  explicit Inspections(http::fetch::FetchOptions fetch);
  ~Inspections();
  Inspections(const Inspections&) = delete;
  Inspections& operator=(const Inspections&) = delete;

  /// Returns the sink for an upload; null if there are too many uploads, or no space.
  std::shared_ptr<UploadSink> begin_upload();

  // Each of these begins an inspection and returns its id, which cannot be guessed. They fail with
  // Errc::refused if too many inspections are waiting.
  base::Result<std::string> inspect_upload(base::SpoolFile spool, const FormFile& file);
  base::Result<std::string> inspect_path(std::string path);
  base::Result<std::string> inspect_url(std::string url);

  [[nodiscard]] std::optional<Inspection> find(std::string_view id) const;
  [[nodiscard]] std::vector<Inspection> list() const;  ///< newest first

 private:
  using Opener = std::function<base::Result<std::unique_ptr<base::ByteSource>>()>;
  struct Task;

  base::Result<std::string> add(std::string name, std::function<base::Result<Opener>()> prepare);
  base::Result<Opener> download(const std::string& url);
  void run();

  http::fetch::FetchOptions fetch_;
  std::atomic<int> uploads_{0};
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::deque<Inspection> known_;  ///< newest last
  std::thread thread_;
};

/// Reads a collection twice: to validate it, and to list its pages. Stops soon after `stopped` becomes true.
InspectionResult inspect_collection(
    const std::function<base::Result<std::unique_ptr<base::ByteSource>>()>& open,
    const std::atomic<bool>& stopped);

}  // namespace sheaf::browse
