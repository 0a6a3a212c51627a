#include "sheaf/export/warc_export.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/export/selected_pages.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

namespace sheaf::exporting {
namespace {

using base::Result;
using store::StoredPage;

/// Returns a UUID of version 8 (RFC 9562) that is derived from the page and not random.
std::string stable_record_id(const StoredPage& stored) {
  base::Sha256 hash;
  for (const std::string_view part : {std::string_view(stored.site), std::string_view(stored.section),
                                      std::string_view(stored.url), std::string_view(stored.json)}) {
    hash.update(part);
    hash.update(std::string_view("\0", 1));
  }
  base::Digest digest = hash.finish();
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0fU) | 0x80U);
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3fU) | 0x80U);
  const std::string hex = base::to_hex(std::span(digest).first(16));
  const std::string_view text = hex;
  return fmt::format("<urn:uuid:{}-{}-{}-{}-{}>", text.substr(0, 8), text.substr(8, 4), text.substr(12, 4),
                     text.substr(16, 4), text.substr(20));
}

}  // namespace

Result<ExportSummary> export_warc(const store::PageStore& store, const ExportOptions& options,
                                  std::string_view software, warc::RecordCoding coding,
                                  const ExportSink& sink) {
  std::string bytes;
  SHEAF_TRY(warc::append_warcinfo(bytes, software, sheaf::now(), coding));
  SHEAF_TRY(sink(bytes));
  std::string block;
  return walk_pages(store, options, format::Detail::everything,
                    [&](const StoredPage& stored, const Page* page) -> Result<void> {
                      block.assign(page->title);
                      block += "\n\n";
                      model::append_page_text(block, *page);
                      block += '\n';
                      const std::string id = stable_record_id(stored);
                      bytes.clear();
                      SHEAF_TRY(warc::append_record(bytes,
                                                    {.type = warc::RecordType::conversion,
                                                     .url = stored.url,
                                                     .date = {stored.as_of.seconds, 0},
                                                     .id = id,
                                                     .content_type = "text/plain; charset=utf-8"},
                                                    block, coding));
                      return sink(bytes);
                    });
}

}  // namespace sheaf::exporting
