#include "sheaf/browse/publish_preview.h"

#include "sheaf/base/code_points.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/quality/quality_report.h"

#include <fmt/format.h>

namespace sheaf::browse {
namespace {

constexpr std::size_t kPreviewTextBytes = 500;

std::string shortened(std::string_view text) { return std::string(base::cut_utf8(text, kPreviewTextBytes)); }

class PreviewCollector {
 public:
  PreviewCollector(PreviewResult& result, base::SpoolFile spool)
      : result_(result), spool_(std::make_shared<base::SpoolFile>(std::move(spool))) {
    result_.json = spool_;
  }

  base::Result<void> add(const publish::PreparedItem& item, bool kept) {
    if (result_.items.size() >= kMostPreviewItems) {
      ++result_.dropped;
      return {};
    }
    PreviewItem entry{.name = shortened(item.name),
                      .section = item.section,
                      .url = item.url,
                      .title = shortened(item.page.title),
                      .skip = {},
                      .reason = {},
                      .detail = shortened(item.detail),
                      .repairs = shortened(fmt::format("{}", fmt::join(item.repairs, "; ")))};
    entry.file = item.file;
    if (item.skip != publish::SkipReason::none) {
      entry.skip = publish::to_string(item.skip);
      entry.reason = publish::describe(item.skip);
    } else if (!kept) {
      entry.skip = publish::to_string(publish::SkipReason::duplicate);
      entry.reason = "another page has its URL, or no reader would take it";
    } else {
      SHEAF_TRY(keep_page(item.page, entry));
    }
    result_.items.push_back(std::move(entry));
    return {};
  }

 private:
  base::Result<void> keep_page(const Page& page, PreviewItem& entry) {
    std::string json;
    format::encode_page(page, json);
    if (spool_->size() + json.size() > kMostPreviewBytes) return {};
    entry.place = spool_->size();
    entry.size = json.size();
    return spool_->append(json);
  }

  PreviewResult& result_;
  std::shared_ptr<base::SpoolFile> spool_;
};

}  // namespace

PublishPreview::PublishPreview(publish::PublishConfig config, publish::PublishOptions options)
    : config_(std::move(config)), options_(std::move(options)) {
  thread_ = std::thread([this] { run(); });
}

PublishPreview::~PublishPreview() {
  {
    const std::lock_guard lock(mutex_);
    stopping_.store(true);
  }
  wake_.notify_all();
  thread_.join();
}

std::shared_ptr<const PreviewResult> PublishPreview::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

bool PublishPreview::is_reading() const {
  const std::lock_guard lock(mutex_);
  return is_reading_;
}

void PublishPreview::read_again() {
  const std::lock_guard lock(mutex_);
  if (is_reading_) return;
  is_wanted_ = true;
  is_reading_ = true;
  wake_.notify_all();
}

void PublishPreview::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_.load() || is_wanted_; });
    if (stopping_.load()) return;
    is_wanted_ = false;
    lock.unlock();
    auto result = std::make_shared<const PreviewResult>(read());
    lock.lock();
    result_ = std::move(result);
    is_reading_ = false;
  }
}

PreviewResult PublishPreview::read() {
  PreviewResult result;
  result.as_of = sheaf::now();
  auto spool = base::SpoolFile::create({});
  if (!spool) {
    result.trouble = spool.error().message;
    return result;
  }
  PreviewCollector collector(result, std::move(*spool));
  publish::PublishOptions options = options_;
  options.now = {result.as_of.seconds, 0};
  options.dry_run = true;
  options.read_all = true;
  options.on_item = [&](const publish::PreparedItem& item, bool kept) -> base::Result<void> {
    if (stopping_.load()) return base::fail(base::Errc::refused, "stopped");
    return collector.add(item, kept);
  };
  auto report = publish::publish(config_, options);
  if (report)
    result.report = std::move(*report);
  else
    result.trouble = report.error().message;
  return result;
}

}  // namespace sheaf::browse
