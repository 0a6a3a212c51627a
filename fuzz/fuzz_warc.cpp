// WARC files of any kind: every record is read, whatever it claims, and a page in it is decoded. What our own
// writer makes of a record is read back as it was.
#include "fuzz_support.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/warc/archived_response.h"
#include "sheaf/warc/warc_reader.h"
#include "sheaf/warc/warc_writer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace sheaf;
using fuzz::require;

constexpr std::size_t kBlock = std::size_t{64} << 10;

void check_record(const warc::RecordHead& head, std::string_view block) {
  if (const auto response = warc::parse_response(head, block)) {
    const auto body = warc::decode_body(*response, kBlock);
    require(!body || body->size() <= kBlock);
  }
  std::string written;
  require(warc::append_record(written, {.type = head.type, .url = head.url, .id = head.id}, block,
                              warc::RecordCoding::plain)
              .has_value());
  const auto source = base::buffer_source(written);
  warc::WarcReader again(*source, [](const warc::WarcFault&) { require(false); });
  const auto read = again.next();
  require(read && *read != nullptr && (*read)->type == head.type);
  const auto same = again.block();
  require(same && same->bytes == block && !same->is_cut);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = base::buffer_source(fuzz::as_text(data, size));
  std::uint64_t faults = 0;
  warc::WarcReader reader(*source, [&](const warc::WarcFault&) { ++faults; },
                          {.head_bytes = 8192, .block_bytes = kBlock});
  while (true) {
    const auto head = reader.next();
    if (!head || *head == nullptr) break;
    const auto block = reader.block();
    if (!block) break;
    require(block->bytes.size() <= kBlock);
    require(block->is_cut || block->is_too_large || block->bytes.size() == (*head)->length);
    check_record(**head, block->bytes);
  }
  require(reader.faults() == faults);
  return 0;
}
