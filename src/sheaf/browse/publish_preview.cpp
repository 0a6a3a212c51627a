#include "sheaf/browse/publish_preview.h"

#include "sheaf/base/code_points.h"
#include "sheaf/format/pages/page_encoder.h"

#include <utility>

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

  base::Result<void> add(PreviewItem item, const Page* page) {
    if (result_.items.size() >= kMaxPreviewItems) {
      ++result_.dropped;
      return {};
    }
    for (std::string* text : {&item.name, &item.title, &item.detail, &item.repairs}) *text = shortened(*text);
    if (page != nullptr) SHEAF_TRY(keep_page(*page, item));
    result_.items.push_back(std::move(item));
    return {};
  }

 private:
  base::Result<void> keep_page(const Page& page, PreviewItem& entry) {
    std::string json;
    format::encode_page(page, json);
    if (spool_->size() + json.size() > kMaxPreviewBytes) return {};
    entry.place = spool_->size();
    entry.size = json.size();
    return spool_->append(json);
  }

  PreviewResult& result_;
  std::shared_ptr<base::SpoolFile> spool_;
};

}  // namespace

PublishPreview::PublishPreview(std::string site, PreviewReader reader)
    : site_(std::move(site)), reader_(std::move(reader)) {
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
  auto report =
      reader_({result.as_of.seconds, 0}, [&](PreviewItem item, const Page* page) -> base::Result<void> {
        if (stopping_.load()) return base::fail(base::Errc::refused, "stopped");
        return collector.add(std::move(item), page);
      });
  if (report)
    result.report = std::move(*report);
  else
    result.trouble = report.error().message;
  return result;
}

}  // namespace sheaf::browse
