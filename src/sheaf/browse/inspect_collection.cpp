#include "sheaf/base/byte_source.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/format/collections/collection_reader.h"

namespace sheaf::browse {
namespace {

using Open = std::function<base::Result<std::unique_ptr<base::ByteSource>>()>;

constexpr std::uint64_t kMaxPlainBytes = std::uint64_t{8} << 30U;
constexpr std::size_t kListedTextBytes = 300;

/// Fails when the app stops, because reading a large file takes a while.
class StoppableSource final : public base::ByteSource {
 public:
  StoppableSource(std::unique_ptr<base::ByteSource> source, const std::atomic<bool>& stopped)
      : source_(std::move(source)), stopped_(stopped) {}
  base::Result<std::size_t> read(std::span<char> out) override {
    if (stopped_.load()) return base::fail(base::Errc::refused, "stopped");
    return source_->read(out);
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return source_->size(); }
  [[nodiscard]] const std::string& name() const override { return source_->name(); }

 private:
  std::unique_ptr<base::ByteSource> source_;
  const std::atomic<bool>& stopped_;
};

format::Limits inspection_limits() {
  format::Limits limits;
  limits.decompressed_bytes = kMaxPlainBytes;
  return limits;
}

/// Lists the pages and keeps the JSON of the first ones.
class PageCollector {
 public:
  explicit PageCollector(InspectionResult& result) : result_(result) {
    if (auto spool = base::SpoolFile::create({}))
      spool_ = std::make_shared<base::SpoolFile>(std::move(*spool));
  }

  void add(format::CollectionReader& reader) {
    const Page& page = reader.page();
    const std::string_view json = reader.raw();
    result_.overview.add(page, json.size());
    if (result_.pages.size() >= kMaxInspectedPages) return;
    InspectedPage entry{.line = reader.line_number(),
                        .url = std::string(page.url.substr(0, 8'192)),
                        .title = std::string(page.title.substr(0, kListedTextBytes)),
                        .modified = std::string(page.modified.substr(0, 40)),
                        .bytes = json.size()};
    if (spool_ && spool_->size() + json.size() <= kMaxKeptBytes) {
      const std::uint64_t place = spool_->size();
      if (spool_->append(json)) entry.place = place;
    }
    result_.pages.push_back(std::move(entry));
  }

  void finish() { result_.kept = spool_; }

 private:
  InspectionResult& result_;
  std::shared_ptr<base::SpoolFile> spool_;
};

void read_pages(std::unique_ptr<base::ByteSource> source, InspectionResult& result) {
  const format::ReaderOptions options{inspection_limits(), format::Detail::checks, 1,
                                      format::HeadRule::optional};
  PageCollector collector(result);
  auto reader = format::CollectionReader::open(std::move(source), options, {});
  while (reader) {
    const auto more = reader->next();
    if (!more || !*more) break;  // the report has the error
    collector.add(*reader);
  }
  collector.finish();
}

}  // namespace

InspectionResult inspect_collection(const Open& open, const std::atomic<bool>& stopped) {
  InspectionResult result;
  for (const bool for_verdict : {true, false}) {
    auto source = open();
    if (!source) {
      result.trouble = source.error().message;
      return result;
    }
    auto stoppable = std::make_unique<StoppableSource>(std::move(*source), stopped);
    if (for_verdict) {
      format::ValidateOptions options;
      options.limits = inspection_limits();
      result.report = format::validate(std::move(stoppable), options);
    } else {
      read_pages(std::move(stoppable), result);
    }
  }
  return result;
}

}  // namespace sheaf::browse
