// What an MCP client sends, in one piece.
#include "fuzz_support.h"
#include "sheaf/mcp/page_excerpt.h"
#include "sheaf/mcp/rpc_message.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace sheaf;
using fuzz::require;

/// An answer is itself a message that can be read, with the same id.
void check_answer(const std::string& answer, const std::string& id) {
  const auto back = mcp::parse_rpc(answer);
  require(back && back->messages.size() == 1);
  const auto& message = back->messages.front();
  if (id == "null") return;
  require(message && message->kind == mcp::RpcMessage::Kind::response && message->id == id);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  const auto parsed = mcp::parse_rpc(input);
  if (!parsed) {
    check_answer(mcp::rpc_error(parsed.error()), "null");
    return 0;
  }
  require(!parsed->messages.empty() && parsed->messages.size() <= mcp::kMaxBatch);
  for (const auto& message : parsed->messages) {
    if (!message) {
      check_answer(mcp::rpc_error(message.error()), message.error().id);
      continue;
    }
    if (message->kind != mcp::RpcMessage::Kind::request) continue;
    check_answer(mcp::rpc_result(message->id, "{}"), message->id);
    const mcp::RpcValues values = message->arguments.value_or(mcp::RpcValues{});
    mcp::ToolArguments arguments(values);
    const std::string text = arguments.text("query");
    const std::uint64_t offset = arguments.number("offset", 0, 0, 1'000'000);
    (void)arguments.flag("title_only");
    (void)arguments.fault();
    const mcp::TextPart part = mcp::part_of(text, offset, 10);
    require(part.next <= text.size() && part.offset + part.text.size() == part.next);
    require(part.next > part.offset || part.next == text.size());
  }
  return 0;
}
