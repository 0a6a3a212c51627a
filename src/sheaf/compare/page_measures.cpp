#include "sheaf/compare/page_measures.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/html/parser.h"
#include "sheaf/model/robots_directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sheaf::compare {
namespace {

constexpr int kGzipLevel = 6;                     // zlib's default, which many servers use
constexpr std::uint64_t kNotModifiedBytes = 250;  // headers of a typical 304 response
constexpr int kReadings = 3;                      // the fastest counts; other processes slow down the rest

using Clock = std::chrono::steady_clock;

std::uint64_t nanoseconds_since(Clock::time_point began) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began).count());
}

base::Result<format::CollectionWriter> open_collection(const std::filesystem::path& folder,
                                                       model::CollectionType type) {
  model::CollectionHead head;
  head.section = "all";
  head.type = type;
  head.set_generated({1'800'000'000, 0});
  if (type == model::CollectionType::delta) head.set_since({1'799'900'000, 0});
  head.id = type == model::CollectionType::delta ? "compare-delta" : "compare-snapshot";
  const std::string name = head.id;
  std::vector<format::WriterTarget> targets = {{folder / (name + ".zst"), format::Codec::zstd, {}}};
  if (type == model::CollectionType::snapshot)
    targets.push_back({folder / (name + ".gz"), format::Codec::gzip, {}});
  return format::CollectionWriter::create(
      std::move(head), std::move(targets),
      {.limits = {}, .spool_folder = folder, .threads = 1, .strict = true});
}

base::Result<std::uint64_t> read_time(const std::filesystem::path& file) {
  std::uint64_t best = UINT64_MAX;
  for (int i = 0; i < kReadings; ++i) {
    const auto began = Clock::now();
    SHEAF_TRY_ASSIGN(auto source, base::open_source(file.string()));
    auto reader = format::CollectionReader::open(std::move(source), {});
    if (!reader) return base::fail(base::Errc::invalid_data, reader.error().message);
    while (true) {
      const auto more = reader->next();
      if (!more) return base::fail(base::Errc::invalid_data, more.error().message);
      if (!*more) break;
    }
    best = std::min(best, nanoseconds_since(began));
  }
  return best;
}

}  // namespace

PageMeasures::PageMeasures(base::ScratchFolder folder, format::CollectionWriter snapshot,
                           format::CollectionWriter delta, double changed_share)
    : folder_(std::move(folder)),
      snapshot_(std::move(snapshot)),
      delta_(std::move(delta)),
      changed_share_(changed_share) {}

base::Result<PageMeasures> PageMeasures::begin(double changed_share) {
  SHEAF_TRY_ASSIGN(auto folder, base::ScratchFolder::make("compare"));
  SHEAF_TRY_ASSIGN(auto snapshot, open_collection(folder.path(), model::CollectionType::snapshot));
  SHEAF_TRY_ASSIGN(auto delta, open_collection(folder.path(), model::CollectionType::delta));
  return PageMeasures(std::move(folder), std::move(snapshot), std::move(delta), changed_share);
}

base::Result<std::uint64_t> PageMeasures::size_as_gzip(std::string_view html) {
  const auto encoder = format::make_gzip_encoder(kGzipLevel);
  std::string out;
  SHEAF_TRY(encoder->encode(html, format::Flush::end, out));
  return out.size();
}

base::Result<void> PageMeasures::add(const MeasuredResponse& response) {
  const auto began_tree = Clock::now();
  html::parse(response.html, {}, document_);
  const std::uint64_t tree = nanoseconds_since(began_tree);
  const auto began_extract = Clock::now();
  const extract::Extraction& found = extractor_.extract(
      response.html, {.url = response.url,
                      .content_type = response.content_type,
                      .fallback_modified = response.modified.value_or(Instant{1'700'000'000, 0})});
  const std::uint64_t extraction = nanoseconds_since(began_extract);
  if (model::is_noindex(found.page) || found.page.content.empty()) {
    ++skipped_;
    return {};
  }
  if (const auto written = snapshot_.add(found.page); !written) {
    if (written.error().code != base::Errc::refused) return written;
    ++skipped_;
    return {};
  }
  std::uint64_t transferred = 0;
  if (response.transferred) {
    transferred = *response.transferred;
  } else {
    SHEAF_TRY_ASSIGN(transferred, size_as_gzip(response.html));
  }
  ++pages_;
  html_bytes_ += response.html.size();
  transferred_ += transferred;
  tree_nanoseconds_ += tree;
  extract_nanoseconds_ += extraction;
  // A page counts as changed each time the shares add up to 1, so changes are spread evenly. At least one
  // page must change: an empty delta would show nothing.
  changed_due_ += changed_share_;
  if (changed_due_ < 1 && changed_ > 0) return {};
  changed_due_ = std::max(0.0, changed_due_ - 1);
  ++changed_;
  changed_bytes_ += transferred;
  return delta_.add(found.page);
}

base::Result<void> PageMeasures::finish(Comparison& comparison) {
  if (pages_ == 0)
    return base::fail(base::Errc::not_found,
                      "there is no page to measure: none has content that may be published");
  SHEAF_TRY_ASSIGN(const format::WriteSummary snapshot, snapshot_.finish());
  SHEAF_TRY_ASSIGN(const format::WriteSummary delta, delta_.finish());
  SHEAF_TRY_ASSIGN(const std::uint64_t reading, read_time(folder_.path() / "compare-snapshot.zst"));
  comparison.pages = pages_;
  comparison.sampled = pages_;
  comparison.skipped += skipped_;
  comparison.html_bytes = html_bytes_;
  comparison.crawl = {.first_bytes = transferred_,
                      .update_bytes = transferred_,
                      .first_requests = pages_ + 2,
                      .update_requests = pages_ + 2,
                      .parse_nanoseconds = extract_nanoseconds_};
  comparison.conditional_bytes = changed_bytes_ + (pages_ - changed_) * kNotModifiedBytes;
  comparison.collections = {.first_bytes = snapshot.files.front().bytes,
                            .update_bytes = delta.files.front().bytes,
                            .first_requests = 3,
                            .update_requests = 3,
                            .parse_nanoseconds = reading};
  comparison.gzip_snapshot = snapshot.files.back().bytes;
  comparison.tree_nanoseconds = tree_nanoseconds_;
  return {};
}

}  // namespace sheaf::compare
