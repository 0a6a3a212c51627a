#include "sheaf/quality/quality_record.h"

#include "sheaf/base/record.h"

namespace sheaf::quality {
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

}  // namespace sheaf::quality
