// Bytes on a connection: heads and bodies one after the other. However they are cut into pieces, the same
// requests come out.
#include "fuzz_support.h"
#include "sheaf/http/message/message_body.h"
#include "sheaf/http/message/request_parser.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sheaf::http::message;
using sheaf::fuzz::require;

/// What came out: a line for each request, and how it ended.
std::string read_all(std::string_view bytes, std::size_t piece) {
  std::string story;
  std::string input;
  std::size_t at = 0;  // up to here `input` was read
  BodySkipper body;
  while (true) {
    std::string_view rest = std::string_view(input).substr(at);
    if (auto fault = body.skip(rest)) return story + "fault " + std::to_string(fault->status);
    at = input.size() - rest.size();
    RequestHead head;
    HeadResult result;
    if (body.is_done()) result = parse_head(rest, head);
    if (result.status == HeadStatus::faulty) return story + "fault " + std::to_string(result.fault.status);
    if (result.status == HeadStatus::complete) {
      require(result.size <= rest.size() && result.size <= kMaxHeadBytes && head.fields.size() <= kMaxFields);
      const Fields fields(head.fields);
      story += std::string(head.method) + ' ' + std::string(head.target) + ' ' +
               std::to_string(head.fields.size()) + '\n';
      if (const auto fault = check_head(head.method, head.version, fields, result.size))
        return story + "fault " + std::to_string(fault->status);
      body = BodySkipper(fields);
      require(body.is_done() == !announces_body(fields));
      at += result.size;
      continue;
    }
    if (bytes.empty()) return story + (body.is_done() ? "head" : "body");
    input += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = sheaf::fuzz::as_text(data + 1, size - 1);
  require(read_all(bytes, 1 + data[0] % 16) == read_all(bytes, SIZE_MAX));
  return 0;
}
