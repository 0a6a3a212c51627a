#include "sheaf/base/code_points.h"
#include "sheaf/base/percent_encoding.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/mcp/mcp_tools.h"
#include "sheaf/mcp/page_excerpt.h"

#include <fmt/format.h>

#include <charconv>

namespace sheaf::mcp {
namespace {

// https: is for resources that clients fetch themselves; ours come from the store.
constexpr std::string_view kPageScheme = "sheaf://page?url=";
constexpr std::size_t kResourcesAtOnce = 100;
constexpr std::size_t kMaxTitleLength = 300;

/// Percent-encodes a query parameter: everything except letters, digits and -._~.
std::string encode_component(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '.' || c == '_' || c == '~';
    if (is_plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

RpcFault internal(std::string message) { return {RpcCode::internal_error, std::move(message)}; }

}  // namespace

std::string McpTools::list_templates() const {
  return R"({"resourceTemplates":[{"uriTemplate":"sheaf://page{?url}","name":"page","title":"Page of the store",)"
         R"("description":"A page by its URL, as Markdown","mimeType":"text/markdown"}]})";
}

/// Without an index, nothing can be listed, but pages can still be read.
std::expected<std::string, RpcFault> McpTools::list_resources(const std::string& cursor) {
  std::uint64_t after = 0;
  const auto [end, failure] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), after);
  if (!cursor.empty() && (failure != std::errc() || end != cursor.data() + cursor.size()))
    return std::unexpected(
        RpcFault{RpcCode::invalid_params, "the cursor was not returned by resources/list"});
  const std::lock_guard lock(mutex_);
  const auto opened = index();
  if (!opened) return R"({"resources":[]})";
  const auto pages = (*opened)->pages(after, kResourcesAtOnce);
  if (!pages) return std::unexpected(internal(pages.error().message));
  if (const auto refreshed = refresh(); !refreshed) return std::unexpected(internal(refreshed.error()));
  format::JsonWriter out;
  out.begin_object().begin_array("resources");
  for (const search::IndexedPage& page : *pages) {
    const auto stored = store_.get(page.url, page.site);
    if (!stored || !*stored) continue;  // damaged, or removed since it was indexed
    const auto decoded = decoder_((*stored)->json);
    const std::string_view title =
        decoded ? base::cut_utf8((*decoded)->title, kMaxTitleLength) : std::string_view();
    out.begin_object()
        .string("uri", std::string(kPageScheme) + encode_component(page.url))
        .string("name", title.empty() ? std::string_view(page.url) : title)
        .string("description", page.url)
        .string("mimeType", "text/markdown")
        .end_object();
  }
  out.end_array();
  if (pages->size() == kResourcesAtOnce) out.string("nextCursor", std::to_string(pages->back().number));
  return out.end_object().text();
}

std::expected<std::string, RpcFault> McpTools::read_resource(const std::string& uri) {
  if (!uri.starts_with(kPageScheme))
    return std::unexpected(
        RpcFault{RpcCode::resource_not_found, fmt::format("resources are named {}URL", kPageScheme)});
  const std::string url = base::percent_decode(std::string_view(uri).substr(kPageScheme.size()));
  const std::lock_guard lock(mutex_);
  if (const auto refreshed = refresh(); !refreshed) return std::unexpected(internal(refreshed.error()));
  const auto stored = find_page(url, {}, {});
  if (!stored) return std::unexpected(internal(stored.error()));
  if (!*stored)
    return std::unexpected(
        RpcFault{RpcCode::resource_not_found, fmt::format("{} is not in the store", url.substr(0, 500))});
  const auto decoded = decoder_((*stored)->json);
  if (!decoded) return std::unexpected(internal(fmt::format("the page cannot be read: {}", decoded.error())));
  const std::string markdown = markdown::page_markdown(**decoded);
  const TextPart part = part_of(markdown, 0, kMaxPageBytes);
  std::string text(part.text);
  if (part.next < markdown.size())
    text += fmt::format("\n[{} of {} bytes; get_page returns the rest with offset {}]\n", part.next,
                        markdown.size(), part.next);
  format::JsonWriter out;
  out.begin_object().begin_array("contents").begin_object();
  out.string("uri", uri).string("mimeType", "text/markdown").string("text", text);
  return out.end_object().end_array().end_object().text();
}

}  // namespace sheaf::mcp
