#include "sheaf/quality/quality_report.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/record.h"
#include "sheaf/format/json/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sheaf::quality {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;
using Size = std::uint32_t;  // each record has a size prefix

Size size_at(std::string_view bytes, std::size_t at) {
  Size size = 0;
  std::memcpy(&size, bytes.data() + at, sizeof size);
  return size;
}

}  // namespace

base::Result<std::uint64_t> RecordSpool::append(std::string_view record) {
  if (record.size() > UINT32_MAX - sizeof(Size))
    return base::fail(base::Errc::invalid_argument, "a record of the quality report is over 4 GiB");
  const std::uint64_t place = end();
  const auto size = static_cast<Size>(record.size());
  buffer_.append(reinterpret_cast<const char*>(&size), sizeof size);
  buffer_ += record;
  ++records_;
  if (buffer_.size() >= kBufferBytes) SHEAF_TRY(flush());
  return place;
}

base::Result<void> RecordSpool::flush() {
  if (!file_) {
    SHEAF_TRY_ASSIGN(auto file, base::SpoolFile::create(folder_));
    file_.emplace(std::move(file));
  }
  SHEAF_TRY(file_->append(buffer_));
  flushed_ += buffer_.size();
  buffer_.clear();
  return {};
}

/// A flush writes whole records, so each record is either in the file or in the buffer.
base::Result<void> RecordSpool::read(std::uint64_t place, std::string& out, std::size_t size) const {
  out.resize(size);
  if (place >= flushed_) {
    const std::size_t from = place - flushed_;
    if (from + size > buffer_.size())
      return base::fail(base::Errc::invalid_argument, "no such record in the quality report");
    std::memcpy(out.data(), buffer_.data() + from, size);
    return {};
  }
  return file_->read_at(place, {out.data(), size});
}

base::Result<std::string> RecordSpool::at(std::uint64_t place) const {
  std::string bytes;
  SHEAF_TRY(read(place, bytes, sizeof(Size)));
  const Size size = size_at(bytes, 0);
  SHEAF_TRY(read(place + sizeof(Size), bytes, size));
  return bytes;
}

base::Result<void> RecordSpool::each(const std::function<base::Result<void>(std::string_view)>& use) const {
  std::string bytes;
  for (std::uint64_t place = 0; place < end();) {
    // A single read must not cross the boundary between the file and the buffer.
    const std::uint64_t stretch_end = place < flushed_ ? flushed_ : end();
    std::size_t count = std::min<std::uint64_t>(stretch_end - place, kReadBytes);
    SHEAF_TRY(read(place, bytes, count));
    if (const std::size_t first = sizeof(Size) + size_at(bytes, 0); first > count) {
      count = first;
      SHEAF_TRY(read(place, bytes, count));
    }
    std::size_t at = 0;
    while (at + sizeof(Size) <= count && at + sizeof(Size) + size_at(bytes, at) <= count) {
      const Size size = size_at(bytes, at);
      SHEAF_TRY(use(std::string_view(bytes).substr(at + sizeof(Size), size)));
      at += sizeof(Size) + size;
    }
    place += at;
  }
  return {};
}

namespace {

/// This process wrote the record, so a damaged record means a disk error.
std::unexpected<base::Error> lost() {
  return base::fail(base::Errc::io, "the temporary file of the quality report cannot be read back");
}

}  // namespace

std::string encode(const MeasuredPage& page) {
  return base::RecordWriter()
      .text(page.section)
      .text(page.url)
      .text(page.title)
      .number(page.chars)
      .number(page.share ? *page.share + 1 : 0)
      .number(page.near_empty ? 1 : 0)
      .number(page.has_own_title ? 1 : 0)
      .bytes();
}

base::Result<MeasuredPage> decode_page(std::string_view bytes) {
  base::RecordReader in(bytes);
  MeasuredPage page;
  page.section = in.text();
  page.url = in.text();
  page.title = in.text();
  page.chars = in.number();
  if (const std::uint64_t share = in.number(); share > 0) page.share = share - 1;
  page.near_empty = in.number() != 0;
  page.has_own_title = in.number() != 0;
  if (!in.good()) return lost();
  return page;
}

std::string encode(const SkippedPage& page) {
  return base::RecordWriter().text(page.section).text(page.item).text(page.reason).text(page.detail).bytes();
}

base::Result<SkippedPage> decode_skipped(std::string_view bytes) {
  base::RecordReader in(bytes);
  SkippedPage page;
  page.section = in.text();
  page.item = in.text();
  page.reason = in.text();
  page.detail = in.text();
  if (!in.good()) return lost();
  return page;
}

namespace {

constexpr std::size_t kSortBytes = std::size_t{4} << 20;
constexpr std::size_t kPieceBytes = std::size_t{16} << 10;

void write_thousandths(format::JsonWriter& out, std::string_view key, std::uint64_t value) {
  out.raw(key, fmt::format("{}.{:03}", value / 1000, value % 1000));
}

}  // namespace

QualityReport::QualityReport(const std::filesystem::path& folder)
    : pages_(folder), skipped_(folder), duplicates_(folder), titles_(kSortBytes, folder) {}

base::Result<void> QualityReport::add_page(std::string_view section, std::string_view url,
                                           std::string_view title, const PageQuality& quality) {
  const auto share = KeptShareHistogram::share(quality.chars, quality.shown_chars);
  const MeasuredPage record{.section = section,
                            .url = url,
                            .title = title,
                            .chars = quality.chars,
                            .share = share,
                            .near_empty = quality.chars < kNearEmptyChars && !quality.has_media,
                            .has_own_title = quality.has_own_title};
  ++summary_.pages;
  summary_.near_empty += record.near_empty ? 1 : 0;
  summary_.missing_titles += record.has_own_title ? 0 : 1;
  if (share) shares_.add(*share);
  texts_.add(url, quality.texts);
  SHEAF_TRY_ASSIGN(const std::uint64_t place, pages_.append(encode(record)));
  // A title derived from other content is only reported as missing.
  return record.has_own_title ? titles_.add({hash_of(title), place}) : base::Result<void>();
}

base::Result<void> QualityReport::skip(const SkippedPage& page) {
  ++summary_.skipped;
  SHEAF_TRY_ASSIGN(const std::uint64_t place, skipped_.append(encode(page)));
  (void)place;
  return {};
}

base::Result<void> QualityReport::each_skipped(const std::function<void(const SkippedPage&)>& use) const {
  return skipped_.each([&](std::string_view record) -> base::Result<void> {
    SHEAF_TRY_ASSIGN(const SkippedPage page, decode_skipped(record));
    use(page);
    return {};
  });
}

base::Result<QualitySummary> QualityReport::finish() {
  repeated_ = texts_.most_frequent();
  summary_.repeated_texts = repeated_.size();
  usual_ = shares_.usual();
  if (usual_) {
    summary_.low_share = shares_.below(usual_->low);
    summary_.high_share = shares_.above(usual_->high);
  }
  SHEAF_TRY(collect_duplicates());
  return summary_;
}

base::Result<void> QualityReport::collect_duplicates() {
  const auto keep = [this](const TitlePlace& entry) -> base::Result<void> {
    ++summary_.duplicate_titles;
    SHEAF_TRY_ASSIGN(const std::uint64_t place,
                     duplicates_.append({reinterpret_cast<const char*>(&entry), sizeof entry}));
    (void)place;
    return {};
  };
  SHEAF_TRY(titles_.sort());
  std::optional<TitlePlace> last;
  bool is_last_kept = false;
  while (true) {
    SHEAF_TRY_ASSIGN(const auto next, titles_.next());
    if (!next) return {};
    const bool same = last && last->title == next->title;
    if (same && !is_last_kept) SHEAF_TRY(keep(*last));
    if (same) SHEAF_TRY(keep(*next));
    is_last_kept = same;
    last = *next;
  }
}

/// Writes the members of the report one after the other, in pieces of several kilobytes.
class QualityReport::Writer {
 public:
  Writer(const QualityReport& report, const std::function<base::Result<void>(std::string_view)>& sink)
      : report_(report), sink_(sink) {}

  base::Result<void> write(std::string_view site) {
    out_.begin_object().number("schemaVersion", kReportVersion).string("report", "quality");
    out_.string("site", site);
    write_summary(out_, "summary", report_.summary_);
    write_shares();
    SHEAF_TRY(list_pages("nearEmpty", [](const MeasuredPage& page) { return page.near_empty; }));
    SHEAF_TRY(list_pages("missingTitle", [](const MeasuredPage& page) { return !page.has_own_title; }));
    SHEAF_TRY(list_pages("unusualShare", [this](const MeasuredPage& page) { return is_unusual(page); }));
    SHEAF_TRY(list_duplicates());
    write_repeated();
    SHEAF_TRY(list_skipped());
    out_.end_object();
    return flush();
  }

 private:
  void write_shares() {
    if (!report_.usual_) {
      out_.null("keptShare");
      return;
    }
    out_.begin_object("keptShare");
    write_thousandths(out_, "median", report_.usual_->median);
    write_thousandths(out_, "low", report_.usual_->low);
    write_thousandths(out_, "high", report_.usual_->high);
    out_.end_object();
  }

  [[nodiscard]] bool is_unusual(const MeasuredPage& page) const {
    return page.share && report_.usual_ &&
           (*page.share < report_.usual_->low || *page.share > report_.usual_->high);
  }

  template <class IsListed>
  base::Result<void> list_pages(std::string_view key, const IsListed& is_listed) {
    out_.begin_array(key);
    SHEAF_TRY(report_.pages_.each([&](std::string_view bytes) -> base::Result<void> {
      SHEAF_TRY_ASSIGN(const MeasuredPage page, decode_page(bytes));
      if (!is_listed(page)) return {};
      out_.begin_object().string("section", page.section).string("url", page.url);
      out_.number("characters", page.chars);
      if (page.share) write_thousandths(out_, "share", *page.share);
      out_.end_object();
      return flush_if_large();
    }));
    out_.end_array();
    return {};
  }

  base::Result<void> list_duplicates() {
    out_.begin_array("duplicateTitle");
    std::optional<std::uint64_t> title;
    SHEAF_TRY(report_.duplicates_.each([&](std::string_view bytes) -> base::Result<void> {
      TitlePlace entry;
      std::memcpy(&entry, bytes.data(), sizeof entry);
      SHEAF_TRY_ASSIGN(const std::string record, report_.pages_.at(entry.place));
      SHEAF_TRY_ASSIGN(const MeasuredPage page, decode_page(record));
      if (title != entry.title) {
        if (title) out_.end_array().end_object();
        out_.begin_object().string("title", page.title).begin_array("urls");
        title = entry.title;
      }
      out_.element(page.url);
      return flush_if_large();
    }));
    if (title) out_.end_array().end_object();
    out_.end_array();
    return {};
  }

  void write_repeated() {
    out_.begin_array("repeatedText");
    for (const CountedText& text : report_.repeated_)
      out_.begin_object()
          .string("text", text.text)
          .number("pages", text.pages)
          .string("firstUrl", text.first_page)
          .end_object();
    out_.end_array();
  }

  base::Result<void> list_skipped() {
    out_.begin_array("skipped");
    SHEAF_TRY(report_.skipped_.each([&](std::string_view bytes) -> base::Result<void> {
      SHEAF_TRY_ASSIGN(const SkippedPage page, decode_skipped(bytes));
      out_.begin_object()
          .string("section", page.section)
          .string("item", page.item)
          .string("reason", page.reason);
      if (!page.detail.empty()) out_.string("detail", page.detail);
      out_.end_object();
      return flush_if_large();
    }));
    out_.end_array();
    return {};
  }

  base::Result<void> flush_if_large() {
    return out_.text().size() < kPieceBytes ? base::Result<void>() : flush();
  }

  base::Result<void> flush() {
    SHEAF_TRY(sink_(out_.text()));
    out_.clear_text();
    return {};
  }

  const QualityReport& report_;
  const std::function<base::Result<void>(std::string_view)>& sink_;
  format::JsonWriter out_;
};

base::Result<void> QualityReport::write(
    std::string_view site, const std::function<base::Result<void>(std::string_view)>& sink) const {
  return Writer(*this, sink).write(site);
}

void write_summary(format::JsonWriter& out, std::string_view key, const QualitySummary& summary) {
  out.begin_object(key)
      .number("pages", summary.pages)
      .number("unread", summary.unread)
      .number("skipped", summary.skipped)
      .number("nearEmpty", summary.near_empty)
      .number("missingTitle", summary.missing_titles)
      .number("duplicateTitle", summary.duplicate_titles)
      .number("repeatedText", summary.repeated_texts)
      .number("lowShare", summary.low_share)
      .number("highShare", summary.high_share)
      .end_object();
}

std::vector<std::string> describe(const QualitySummary& summary) {
  std::vector<std::string> lines;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count > 0) lines.push_back(base::counted(count, one, many));
  };
  add(summary.near_empty, "page is nearly empty", "pages are nearly empty");
  add(summary.missing_titles, "page has no title", "pages have no title");
  add(summary.duplicate_titles, "page shares its title with another", "pages share their title with another");
  add(summary.repeated_texts, "text is on at least half of the pages",
      "texts are on at least half of the pages");
  add(summary.low_share, "page has an unusually small kept share",
      "pages have an unusually small kept share");
  add(summary.high_share, "page has an unusually large kept share",
      "pages have an unusually large kept share");
  return lines;
}

}  // namespace sheaf::quality
