#pragma once

#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/mcp/pull_runner.h"
#include "sheaf/mcp/rpc_message.h"
#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <mutex>
#include <string>

namespace sheaf::mcp {

struct ToolOptions {
  std::string location;         ///< location of the store, which also leads to its index
  PullRunner* pulls = nullptr;  ///< null: pull_site is not offered
  std::chrono::milliseconds pull_wait{20'000};
};

/// Bytes of Markdown in one response, unless the client sets another number.
inline constexpr std::size_t kDefaultPageBytes = 40'000;
inline constexpr std::size_t kMaxPageBytes = 400'000;

/// The tools and resources of the server. Thread-safe; one call at a time reads the store.
class McpTools {
 public:
  /// The store must be open for reading and must outlive this object.
  McpTools(store::PageStore& store, ToolOptions options) : store_(store), options_(std::move(options)) {}

  /// Results of tools/list, tools/call, resources/list, resources/templates/list and resources/read, as JSON.
  /// If a tool fails, the result says so; a fault means that the request violates the protocol.
  std::string list() const;
  std::expected<std::string, RpcFault> call(const std::string& name, const RpcValues& arguments);
  std::expected<std::string, RpcFault> list_resources(const std::string& cursor);
  std::string list_templates() const;
  std::expected<std::string, RpcFault> read_resource(const std::string& uri);

 private:
  using Outcome = std::expected<ToolResult, std::string>;  ///< the result, or a sentence for the model

  Outcome run(const std::string& name, ToolArguments& arguments);
  Outcome search(ToolArguments& arguments);
  Outcome get_page(ToolArguments& arguments);
  Outcome list_sites(ToolArguments& arguments);
  Outcome changes_since(ToolArguments& arguments);
  Outcome pull_site(ToolArguments& arguments);
  std::expected<search::SearchIndex*, std::string> index();
  /// Makes the store show later changes. This takes some milliseconds, so it is not done for every call.
  std::expected<void, std::string> refresh();
  std::expected<std::optional<store::StoredPage>, std::string> find_page(const std::string& url,
                                                                         const std::string& site,
                                                                         const std::string& section) const;

  store::PageStore& store_;
  ToolOptions options_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point refreshed_ = {};
  std::unique_ptr<search::SearchIndex> index_;
  format::StoredPageDecoder decoder_{format::Detail::everything};
};

}  // namespace sheaf::mcp
