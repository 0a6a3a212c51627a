#include "sheaf/mcp/mcp_server.h"

#include "sheaf/store/open/open_store.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::mcp {
namespace {

const std::string kShop = "https://shop.example";

class Mcp : public testing::Test {
 protected:
  Mcp() {
    auto opened = store::open_store(location(), StoreAccess::write);
    EXPECT_TRUE(opened);
    store_ = std::move(*opened);
    store::SectionEdit edit(kShop, "html");
    std::string long_text;
    for (int i = 0; i < 500; ++i) long_text += "sentence " + std::to_string(i) + ". ";
    for (const auto& [name, text] :
         {std::pair<std::string, std::string>{"hours", "Open at nine."}, {"long", long_text}}) {
      const std::string url = kShop + "/" + name;
      edit.put_page(
          url, "2026-01-01T00:00:00Z",
          R"({"url":")" + url + R"(","title":"Page )" + name +
              R"(","description":"","modified":"2026-01-01T00:00:00Z","language":"en","content":[)"
              R"({"type":"heading","level":2,"text":"First"},{"type":"text","text":")" +
              text + R"("},{"type":"heading","level":2,"text":"Second"},{"type":"text","text":"The end."}]})",
          {1'700'000'000, 0});
    }
    EXPECT_TRUE(store_->commit(edit));
    EXPECT_TRUE(search::update_index(*store_, location(), {}));
    tools_ = std::make_unique<McpTools>(*store_, ToolOptions{.location = location()});
    server_ = std::make_unique<McpServer>(*tools_, "1.2.3");
  }

  std::string answer(const std::string& method, const std::string& params = "{}") {
    return server_->handle(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}")
        .value_or("nothing");
  }
  std::string call(const std::string& tool, const std::string& arguments) {
    return answer("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
  }
  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
  [[nodiscard]] std::string location() const { return (folder_ / "store").string(); }

  test::TempDir folder_;
  std::unique_ptr<store::PageStore> store_;
  std::unique_ptr<McpTools> tools_;
  std::unique_ptr<McpServer> server_;
};

TEST_F(Mcp, VersionNegotiation) {
  const std::string known = answer("initialize", R"({"protocolVersion":"2025-03-26"})");
  EXPECT_TRUE(has(known, R"("protocolVersion":"2025-03-26")")) << known;
  EXPECT_TRUE(has(known, R"("serverInfo":{"name":"sheaf","version":"1.2.3"})"));
  EXPECT_TRUE(
      has(answer("initialize", R"({"protocolVersion":"3000-01-01"})"), R"("protocolVersion":"2025-11-25")"));
  EXPECT_TRUE(has(answer("initialize", R"({"protocolVersion":7})"), R"("protocolVersion":"2025-11-25")"));
}

TEST_F(Mcp, ToolsAreListed) {
  const std::string list = answer("tools/list");
  for (const std::string_view name : {"search", "get_page", "list_sites", "changes_since"})
    EXPECT_TRUE(has(list, "\"name\":\"" + std::string(name) + "\"")) << name;
  EXPECT_FALSE(has(list, "pull_site"));
  PullRunner pulls([](const std::string&, const std::atomic<bool>&) { return PullRunner::Outcome{}; });
  McpTools with_pull(*store_, ToolOptions{.location = location(), .pulls = &pulls});
  EXPECT_TRUE(has(with_pull.list(), "pull_site"));
}

TEST_F(Mcp, Search) {
  const std::string found = call("search", R"({"query":"nine"})");
  EXPECT_TRUE(has(found, R"("url":"https://shop.example/hours")")) << found;
  EXPECT_TRUE(has(found, R"("headings":["First"])"));
  EXPECT_TRUE(has(found, R"({"text":"nine","match":true})"));
  EXPECT_TRUE(has(call("search", R"({"query":"nnie"})"), "Nothing found."));
  for (const std::string_view bad :
       {R"({})", R"({"query":5})", R"({"query":"\""})", R"({"query":"a","limit":0})",
        R"({"query":"a","since":"soon"})", R"({"query":"a","cursor":"x"})", R"({"query":"a","x":1})"})
    EXPECT_TRUE(has(call("search", std::string(bad)), R"("isError":true)")) << bad;
}

TEST_F(Mcp, ThreadsGetTheAnswersOfOne) {
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"search", R"({"query":"nine"})"},
      {"get_page", R"({"url":"https://shop.example/long","max_bytes":1000})"},
      {"list_sites", "{}"}};
  std::vector<std::string> expected;
  for (const auto& [tool, arguments] : calls) expected.push_back(call(tool, arguments));
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      for (std::size_t k = 0; k < 30; ++k) {
        const auto& [tool, arguments] = calls[k % calls.size()];
        EXPECT_EQ(call(tool, arguments), expected[k % calls.size()]);
      }
    });
}

TEST_F(Mcp, WithoutAnIndexTheOtherToolsWork) {
  std::filesystem::remove_all(folder_ / "store" / "search");
  EXPECT_TRUE(has(call("search", R"({"query":"nine"})"), "has no search index"));
  EXPECT_TRUE(has(call("get_page", R"({"url":"https://shop.example/hours"})"), "Open at nine."));
  EXPECT_EQ(answer("resources/list"), R"({"jsonrpc":"2.0","id":1,"result":{"resources":[]}})");
}

TEST_F(Mcp, GetPageInParts) {
  EXPECT_FALSE(
      has(call("get_page", R"({"url":"https://shop.example/hours","heading":"second"})"), "Open at nine"));
  EXPECT_TRUE(has(call("get_page", R"({"url":"https://shop.example/hours","heading":"third"})"),
                  "it has\\n  First\\n  Second"));
  const std::string first = call("get_page", R"({"url":"https://shop.example/long","max_bytes":1000})");
  EXPECT_TRUE(has(first, R"("next_offset":)")) << first;
  EXPECT_LT(first.size(), 4'000U);
  EXPECT_TRUE(
      has(call("get_page", R"({"url":"https://shop.example/long","offset":999999})"), R"("markdown":"")"));
  EXPECT_TRUE(
      has(call("get_page", R"({"url":"https://shop.example/hours","section":"html"})"), "Open at nine"));
  EXPECT_TRUE(has(call("get_page", R"({"url":"https://shop.example/hours","section":"other"})"),
                  "is not in the store"));
  EXPECT_TRUE(has(call("get_page", R"({"url":"HTTPS://shop.example:443/hours"})"), "Open at nine"));
}

TEST_F(Mcp, SitesAndChanges) {
  EXPECT_TRUE(has(call("list_sites", "{}"), R"("site":"https://shop.example","section":"html","pages":2)"));
  EXPECT_TRUE(
      has(call("list_sites", R"({"site":"https://nowhere.example"})"), "The store has no such site."));
  EXPECT_TRUE(has(call("changes_since", R"({"sequence":0,"limit":1})"), R"("sequence":1,"newest":2)"));
  EXPECT_TRUE(has(call("changes_since", R"({"sequence":77})"), R"("isError":true)"));
  EXPECT_TRUE(has(call("changes_since", "{}"), "sequence is missing"));
}

TEST_F(Mcp, Resources) {
  const std::string list = answer("resources/list");
  EXPECT_TRUE(has(list, R"("uri":"sheaf://page?url=https%3A%2F%2Fshop.example%2Fhours")")) << list;
  EXPECT_TRUE(has(list, R"("name":"Page hours")"));
  EXPECT_FALSE(has(list, "nextCursor"));
  EXPECT_TRUE(has(answer("resources/list", R"({"cursor":"1000"})"), R"("resources":[])"));
  EXPECT_TRUE(has(answer("resources/list", R"({"cursor":"x"})"), "-32602"));
  EXPECT_TRUE(
      has(answer("resources/read", R"({"uri":"sheaf://page?url=https%3A%2F%2Fshop.example%2Fhours"})"),
          "Open at nine."));
  EXPECT_TRUE(has(answer("resources/read", R"({"uri":"sheaf://page?url=nothing"})"), "-32002"));
  EXPECT_TRUE(has(answer("resources/read"), "-32002"));
  EXPECT_TRUE(has(answer("resources/templates/list"), "sheaf://page{?url}"));
}

TEST_F(Mcp, ProtocolFaults) {
  EXPECT_TRUE(has(answer("nothing/here"), "-32601"));
  EXPECT_TRUE(has(call("pull_site", R"({"url":"https://shop.example"})"), "-32602"));
  EXPECT_TRUE(has(answer("tools/call"), "-32602"));
  EXPECT_TRUE(has(server_->handle("{").value_or(""), "-32700"));
  EXPECT_EQ(server_->handle(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})"), std::nullopt);
  EXPECT_EQ(server_->handle(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"}])"),
            R"([{"jsonrpc":"2.0","id":1,"result":{}}])");
}

TEST_F(Mcp, PullIsReported) {
  PullRunner pulls([](const std::string& site, const std::atomic<bool>&) {
    return PullRunner::Outcome{site.ends_with("good.example/"), "report of " + site};
  });
  McpTools tools(*store_,
                 ToolOptions{.location = location(), .pulls = &pulls, .pull_wait = std::chrono::minutes(5)});
  const auto pull = [&](const std::string& url) {
    return tools.call("pull_site", {{"url", url}}).value_or("fault");
  };
  EXPECT_TRUE(has(pull("https://good.example"), R"("state":"finished")"));
  EXPECT_TRUE(has(pull("https://bad.example"), R"("isError":true)"));
  EXPECT_TRUE(has(pull("--help"), "url must be an http or https URL"));
}

class McpOverHttp : public Mcp {
 protected:
  http::server::Response post(std::vector<http::message::Field> fields,
                              http::message::Method method = http::message::Method::post,
                              McpHttpOptions options = {}) {
    fields.insert(fields.begin(), {"Content-Type", "application/json"});
    if (std::ranges::none_of(fields, [](const auto& field) { return field.name == "Host"; }))
      fields.push_back({"Host", "127.0.0.1:8481"});
    McpHttp handler(*server_, std::move(options));
    return handler.respond({.method = method,
                            .path = "/mcp",
                            .query = {},
                            .fields = http::message::Fields(fields),
                            .body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"});
  }
};

TEST_F(McpOverHttp, OnlyOurselvesByName) {
  EXPECT_EQ(post({}).status, 200U);
  EXPECT_EQ(post({}).text, R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(post({{"Origin", "http://127.0.0.1:8481"}}).status, 200U);
  EXPECT_EQ(post({{"Origin", "https://mcp.example"}}, http::message::Method::post,
                 {.token = "", .hosts = {"mcp.example"}})
                .status,
            200U);
  // Other ports of this machine are other sites, such as a development server with packages of strangers.
  for (const std::string_view origin : {"http://127.0.0.1:3000", "http://localhost:8481", "http://[::1]:8481",
                                        "http://127.0.0.1", "https://evil.example", "null", "",
                                        "http://localhost.evil.example:80", "http://127.0.0.1@evil.example"})
    EXPECT_EQ(post({{"Origin", origin}}).status, 403U) << origin;
  EXPECT_EQ(post({{"Host", "evil.example"}}).status, 403U);
  EXPECT_EQ(post({{"Host", "mcp.example:8481"}}, http::message::Method::post,
                 {.token = "", .hosts = {"mcp.example:8481"}})
                .status,
            200U);
}

TEST_F(McpOverHttp, Tokens) {
  const McpHttpOptions options{.token = "secret-of-some-length"};
  const auto status = [&](std::string_view field) {
    return post({{"Authorization", field}}, http::message::Method::post, options).status;
  };
  EXPECT_EQ(status("Bearer secret-of-some-length"), 200U);
  EXPECT_EQ(status("bearer secret-of-some-length"), 200U);
  for (const std::string_view bad : {"", "Bearer ", "Bearer secret-of-some-lengtH", "Bearer secret",
                                     "Basic secret-of-some-length", "Bearer secret-of-some-length-and-more"})
    EXPECT_EQ(status(bad), 401U) << bad;
}

TEST_F(McpOverHttp, MethodsAndVersions) {
  EXPECT_EQ(post({}, http::message::Method::get).status, 405U);
  EXPECT_EQ(post({{"MCP-Protocol-Version", "2025-06-18"}}).status, 200U);
  EXPECT_EQ(post({{"MCP-Protocol-Version", "1"}}).status, 400U);
}

}  // namespace
}  // namespace sheaf::mcp
