#include "sheaf/browse/inspections.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace sheaf::browse {
namespace {

constexpr int kMaxUploads = 4;

/// A part of a spool file, such as the file in a form.
class SpoolPart final : public base::ByteSource {
 public:
  SpoolPart(std::shared_ptr<const base::SpoolFile> spool, std::uint64_t begin, std::uint64_t size,
            std::string name)
      : spool_(std::move(spool)), at_(begin), left_(size), size_(size), name_(std::move(name)) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_));
    SHEAF_TRY(spool_->read_at(at_, out.first(count)));
    at_ += count;
    left_ -= count;
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::shared_ptr<const base::SpoolFile> spool_;
  std::uint64_t at_;
  std::uint64_t left_;
  std::uint64_t size_;
  std::string name_;
};

class SpoolingSink final : public http::fetch::FetchSink {
 public:
  base::Result<void> begin(const http::fetch::FetchHead& head) override {
    if (head.status != 200)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the server answered with status {}", head.status));
    SHEAF_TRY_ASSIGN(auto made, base::SpoolFile::create({}));
    spool = std::make_shared<base::SpoolFile>(std::move(made));
    return {};
  }
  base::Result<void> take(std::string_view bytes) override { return spool->append(bytes); }

  std::shared_ptr<base::SpoolFile> spool;
};

/// 128 random bits, so that only those who were given the id can find the result.
std::string random_id() {
  std::random_device device;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", device());
  return id;
}

}  // namespace

struct Inspections::Task {
  std::string id;
  std::function<base::Result<Opener>()> prepare;
};

std::optional<FormFile> UploadSink::find_file(std::string_view content_type) const {
  const std::string_view boundary = form_boundary(content_type);
  const std::uint64_t size = spool_.size();
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(size, kFormHeadBytes)), '\0');
  std::string tail(static_cast<std::size_t>(std::min<std::uint64_t>(size, kFormTailBytes)), '\0');
  if (!spool_.read_at(0, head) || !spool_.read_at(size - tail.size(), tail)) return std::nullopt;
  return find_form_file(head, tail, size, boundary);
}

Inspections::Inspections(http::fetch::FetchOptions fetch) : fetch_(std::move(fetch)) {
  fetch_.cancelled = [this] { return stopping_.load(); };
  thread_ = std::thread([this] { run(); });
}

Inspections::~Inspections() {
  {
    const std::lock_guard lock(mutex_);
    stopping_.store(true);
  }
  wake_.notify_all();
  thread_.join();
}

std::shared_ptr<UploadSink> Inspections::begin_upload() {
  if (uploads_.fetch_add(1) >= kMaxUploads) {
    uploads_.fetch_sub(1);
    return nullptr;
  }
  auto spool = base::SpoolFile::create({});
  if (spool) return std::make_shared<UploadSink>(std::move(*spool), uploads_);
  uploads_.fetch_sub(1);
  return nullptr;
}

base::Result<std::string> Inspections::inspect_upload(base::SpoolFile spool, const FormFile& file) {
  auto shared = std::make_shared<const base::SpoolFile>(std::move(spool));
  std::string name = file.name.empty() ? "upload" : file.name;
  const Opener open = [shared, file, name]() -> base::Result<std::unique_ptr<base::ByteSource>> {
    return std::make_unique<SpoolPart>(shared, file.begin, file.size, name);
  };
  return add(std::move(name), [open]() -> base::Result<Opener> { return open; });
}

base::Result<std::string> Inspections::inspect_path(std::string path) {
  std::string name = path;
  return add(std::move(name), [path = std::move(path)]() -> base::Result<Opener> {
    return Opener([path] { return base::open_regular_file(path); });
  });
}

base::Result<std::string> Inspections::inspect_url(std::string url) {
  std::string name = url;
  return add(std::move(name), [this, url = std::move(url)] { return download(url); });
}

base::Result<Inspections::Opener> Inspections::download(const std::string& url) {
  SpoolingSink sink;
  http::fetch::Fetcher fetcher(fetch_);
  http::fetch::FetchRequest request;
  request.url = url;
  request.limit = kMaxInspectedBytes;
  request.most_tries = 2;
  SHEAF_TRY_ASSIGN(const auto head, fetcher.fetch(request, sink));
  if (!sink.spool)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the server answered with status {}", head.status));
  const std::shared_ptr<const base::SpoolFile> spool = sink.spool;
  return Opener([spool, url]() -> base::Result<std::unique_ptr<base::ByteSource>> {
    return base::spool_source(spool, url);
  });
}

base::Result<std::string> Inspections::add(std::string name, std::function<base::Result<Opener>()> prepare) {
  const std::lock_guard lock(mutex_);
  if (tasks_.size() >= kMaxWaiting)
    return base::fail(base::Errc::refused, "other files are being inspected; try again in a moment");
  std::string id = random_id();
  tasks_.push_back({id, std::move(prepare)});
  known_.push_back({id, std::move(name), nullptr});
  while (known_.size() > kMaxInspections) known_.pop_front();
  wake_.notify_one();
  return id;
}

std::optional<Inspection> Inspections::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find(known_, id, [](const Inspection& one) { return std::string_view(one.id); });
  return found == known_.end() ? std::nullopt : std::optional(*found);
}

std::vector<Inspection> Inspections::list() const {
  const std::lock_guard lock(mutex_);
  return {known_.rbegin(), known_.rend()};
}

void Inspections::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_.load() || !tasks_.empty(); });
    if (stopping_.load()) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    InspectionResult result;
    if (const auto open = task.prepare(); open)
      result = inspect_collection(*open, stopping_);
    else
      result.trouble = open.error().message;
    lock.lock();
    const auto one = std::ranges::find(known_, task.id, &Inspection::id);
    if (one != known_.end()) one->result = std::make_shared<const InspectionResult>(std::move(result));
  }
}

}  // namespace sheaf::browse
