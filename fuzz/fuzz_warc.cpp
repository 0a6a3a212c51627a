// WARC files of any kind: every record is read, whatever it claims, and a page in it is decoded. What our own
// writer makes of a record is read back as it was.
#include "fuzz_support.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/warc/compressed_members.h"
#include "sheaf/warc/warc_reader.h"
#include "sheaf/warc/warc_record.h"
#include "sheaf/warc/warc_writer.h"

#include <algorithm>
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

std::string joined(const warc::DecodedMembers& decoded) {
  std::string bytes;
  for (const warc::MemberPiece& piece : decoded.pieces) {
    require(std::ranges::is_sorted(piece.ends) && !piece.ends.empty() &&
            piece.ends.back() == piece.bytes.size());
    bytes += piece.bytes.bytes();
  }
  return bytes;
}

/// Several threads, which guess where members begin, decode what one does. They may stop earlier or later,
/// because the room for a piece depends on its size.
void check_members(std::string_view bytes) {
  const std::string one = joined(warc::MemberDecoder(1).decode(bytes));
  const std::string several = joined(warc::MemberDecoder(3, 1).decode(bytes));
  const std::size_t both = std::min(one.size(), several.size());
  require(std::string_view(one).substr(0, both) == std::string_view(several).substr(0, both));
}

struct ReadRecords {
  std::uint64_t faults = 0;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  bool operator==(const ReadRecords&) const = default;
};

ReadRecords read_records(std::string_view bytes, unsigned threads, bool is_checked) {
  const auto source = base::buffer_source(bytes);
  ReadRecords seen;
  warc::WarcReader reader(*source, [&](const warc::WarcFault&) { ++seen.faults; },
                          {.head_bytes = 8192, .block_bytes = kBlock, .threads = threads});
  while (true) {
    const auto head = reader.next();
    if (!head || *head == nullptr) break;
    const auto block = reader.block();
    if (!block) break;
    ++seen.records;
    seen.bytes += block->bytes.size();
    require(block->bytes.size() <= kBlock);
    require(block->is_cut || block->is_too_large || block->bytes.size() == (*head)->length);
    if (is_checked) check_record(**head, block->bytes);
  }
  require(reader.faults() == seen.faults);
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::as_text(data, size);
  const ReadRecords seen = read_records(bytes, 1, true);
  if (!bytes.starts_with("\x1f\x8b")) return 0;
  require(read_records(bytes, 2, false) == seen);
  check_members(bytes);
  return 0;
}
