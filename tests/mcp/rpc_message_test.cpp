#include "sheaf/mcp/rpc_message.h"

#include "sheaf/format/json/json_writer.h"
#include "sheaf/mcp/page_excerpt.h"
#include "sheaf/mcp/pull_runner.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <string>
#include <vector>

namespace sheaf::mcp {
namespace {

RpcMessage message(std::string_view text) {
  auto input = parse_rpc(text);
  EXPECT_TRUE(input) << text;
  if (!input) return {};
  EXPECT_EQ(input->messages.size(), 1U);
  EXPECT_TRUE(input->messages[0]) << (input->messages[0] ? "" : input->messages[0].error().message);
  return input->messages[0].value_or(RpcMessage{});
}

RpcFault fault(std::string_view text) {
  auto input = parse_rpc(text);
  if (!input) return input.error();
  EXPECT_FALSE(input->messages[0]) << text;
  return input->messages[0] ? RpcFault{} : input->messages[0].error();
}

TEST(RpcMessage, Kinds) {
  const RpcMessage request = message(
      R"({"jsonrpc":"2.0","id":"a\"b","method":"m","params":{"s":"t","n":3,"d":1.5,"b":true,"z":null,"l":[1],"arguments":{"q":"x"}}})");
  EXPECT_EQ(request.kind, RpcMessage::Kind::request);
  EXPECT_EQ(request.id, R"("a\"b")");
  EXPECT_EQ(request.method, "m");
  EXPECT_EQ(request.params.at("s"), RpcValue(std::string("t")));
  EXPECT_EQ(request.params.at("n"), RpcValue(std::int64_t{3}));
  EXPECT_EQ(request.params.at("d"), RpcValue(1.5));
  EXPECT_EQ(request.params.at("b"), RpcValue(true));
  EXPECT_EQ(request.params.at("z"), RpcValue(nullptr));
  EXPECT_EQ(request.params.at("l"), RpcValue(CompoundValue{}));
  ASSERT_TRUE(request.arguments);
  EXPECT_EQ(request.arguments->at("q"), RpcValue(std::string("x")));
  EXPECT_EQ(message(R"({"jsonrpc":"2.0","method":"n"})").kind, RpcMessage::Kind::notification);
  EXPECT_EQ(message(R"({"jsonrpc":"2.0","id":1,"result":{}})").kind, RpcMessage::Kind::response);
}

TEST(RpcMessage, Faults) {
  EXPECT_EQ(fault("{").code, RpcCode::parse_error);
  EXPECT_EQ(fault("").code, RpcCode::parse_error);
  EXPECT_EQ(fault(std::string(100'000, '[')).code, RpcCode::parse_error);
  EXPECT_EQ(fault("[]").code, RpcCode::invalid_request);
  EXPECT_EQ(fault("7").code, RpcCode::invalid_request);
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":1})").id, "1");
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})").code, RpcCode::invalid_request);
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":null,"method":"m"})").code, RpcCode::invalid_request);
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":1,"method":7})").code, RpcCode::invalid_request);
  EXPECT_EQ(fault(R"({"id":1,"method":"m"})").code, RpcCode::invalid_request);
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})").code, RpcCode::invalid_params);
  EXPECT_EQ(fault(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":1}})").code,
            RpcCode::invalid_params);
  EXPECT_EQ(fault(std::string(kMaxRpcBytes + 1, ' ')).code, RpcCode::invalid_request);
  std::string many = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{)";
  for (std::size_t i = 0; i <= kMaxParams; ++i) many += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
  EXPECT_EQ(fault(many + "}}").code, RpcCode::invalid_params);
}

TEST(RpcMessage, Batches) {
  const auto input = parse_rpc(R"([{"jsonrpc":"2.0","id":1,"method":"m"},3])");
  ASSERT_TRUE(input);
  EXPECT_TRUE(input->is_batch);
  EXPECT_TRUE(input->messages[0]);
  EXPECT_FALSE(input->messages[1]);
  std::string large = "[1";
  for (std::size_t i = 0; i < kMaxBatch; ++i) large += ",1";
  EXPECT_FALSE(parse_rpc(large + "]"));
}

TEST(RpcMessage, Answers) {
  EXPECT_EQ(rpc_result("1", "{}"), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(rpc_error({RpcCode::method_not_found, "no \"x\"", "\"a\""}),
            R"({"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no \"x\""}})");
  EXPECT_EQ(format::json_string("a\x01\n\xff\"\\"), "\"a\\u0001\\n\xEF\xBF\xBD\\\"\\\\\"");
}

TEST(ToolArguments, TypesAndBounds) {
  const RpcValues values{{"s", std::string("x")},
                         {"n", std::int64_t{5}},
                         {"d", 7.0},
                         {"f", 1.5},
                         {"m", std::int64_t{-1}},
                         {"b", true},
                         {"z", nullptr}};
  ToolArguments good(values);
  EXPECT_EQ(good.text("s"), "x");
  EXPECT_EQ(good.text("z"), "");
  EXPECT_EQ(good.number("n", 1, 0, 10), 5U);
  EXPECT_EQ(good.number("d", 1, 0, 10), 7U);
  EXPECT_EQ(good.number("none", 3, 0, 10), 3U);
  EXPECT_TRUE(good.flag("b"));
  EXPECT_EQ(good.fault(), "there is no argument f");
  const auto fault_of = [&](const auto& read) {
    ToolArguments arguments(values);
    read(arguments);
    return arguments.fault().value_or("");
  };
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.number("f", 0, 0, 10); }),
            "f must be a whole number from 0 to 10");
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.number("m", 0, 0, 10); }),
            "m must be a whole number from 0 to 10");
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.number("n", 0, 0, 4); }),
            "n must be a whole number from 0 to 4");
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.number("s", 0, 0, 4); }),
            "s must be a whole number from 0 to 4");
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.text("n"); }), "n must be a string");
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.flag("n"); }), "n must be true or false");
  EXPECT_EQ(fault_of([](ToolArguments& a) { a.required_text("none"); }), "none is missing");
}

TEST(PageExcerpt, BelowAHeading) {
  const std::vector<Block> blocks{{HeadingBlock{1, "Guide"}, {}},   {TextBlock{"intro"}, {}},
                                  {HeadingBlock{2, "Set  Up"}, {}}, {TextBlock{"one"}, {}},
                                  {HeadingBlock{3, "Details"}, {}}, {TextBlock{"two"}, {}},
                                  {HeadingBlock{2, "Use it"}, {}},  {TextBlock{"three"}, {}}};
  Page page;
  page.content = std::span<const Block>(blocks);
  EXPECT_EQ(blocks_below(page, "set up")->size(), 4U);
  EXPECT_EQ(blocks_below(page, "use")->size(), 2U);
  EXPECT_EQ(blocks_below(page, "Guide")->size(), blocks.size());
  EXPECT_FALSE(blocks_below(page, "nothing"));
  EXPECT_FALSE(blocks_below(page, ""));
  EXPECT_EQ(heading_list(page, 2), "Guide\n  Set  Up\n...\n");
}

TEST(PageExcerpt, Parts) {
  const std::string text = "line one\nline two\nline three \u00e9\u00e9";
  std::string whole;
  std::size_t at = 0;
  for (int guard = 0; guard < 50 && at < text.size(); ++guard) {
    const TextPart part = part_of(text, at, 10);
    EXPECT_EQ(part.offset, at);
    whole += part.text;
    at = part.next;
  }
  EXPECT_EQ(whole, text);
  EXPECT_EQ(part_of(text, 0, 10).text, "line one\n");
  EXPECT_EQ(part_of(text, 1'000, 10).text, "");
  EXPECT_EQ(part_of("\u00e9", 1, 10).offset, 0U);
}

TEST(PullRunner, ReportsOnceThenBeginsAnew) {
  std::promise<void> go;
  std::shared_future<void> gone = go.get_future().share();
  int runs = 0;
  PullRunner runner([&](const std::string& site, const std::atomic<bool>&) {
    gone.wait();
    ++runs;
    return PullRunner::Outcome{true, "pulled " + site};
  });
  using Kind = PullRunner::State::Kind;
  EXPECT_EQ(runner.request("a", std::chrono::milliseconds(0)).kind, Kind::running);
  EXPECT_EQ(runner.request("b", std::chrono::milliseconds(0)).kind, Kind::busy);
  go.set_value();
  const auto done = runner.request("a", std::chrono::minutes(5));
  EXPECT_EQ(done.kind, Kind::finished);
  EXPECT_EQ(done.outcome.report, "pulled a");
  EXPECT_EQ(runner.request("b", std::chrono::minutes(5)).outcome.report, "pulled b");
  EXPECT_EQ(runs, 2);
}

TEST(PullRunner, EveryWaitingClientGetsTheOutcomeOfItsSite) {
  using Kind = PullRunner::State::Kind;
  for (int i = 0; i < 20; ++i) {
    std::latch both(2);
    PullRunner runner([&](const std::string& site, const std::atomic<bool>&) {
      both.wait();
      return PullRunner::Outcome{true, "pulled " + site};
    });
    const auto pull_a = [&] {
      both.count_down();
      PullRunner::State state;
      do {  // the other client may already pull b
        state = runner.request("a", std::chrono::seconds(10));
      } while (state.kind == Kind::busy);
      return state;
    };
    auto other = std::async(std::launch::async, pull_a);
    const PullRunner::State first = pull_a();
    runner.request("b", std::chrono::milliseconds(0));
    const PullRunner::State second = other.get();
    for (const PullRunner::State& state : {first, second}) {
      ASSERT_EQ(state.kind, Kind::finished);
      ASSERT_EQ(state.site, "a");
      ASSERT_EQ(state.outcome.report, "pulled a");
    }
  }
}

TEST(PullRunner, IsStopped) {
  bool was_stopped = false;
  {
    PullRunner runner([&](const std::string&, const std::atomic<bool>& is_stopped) {
      is_stopped.wait(false);
      was_stopped = true;
      return PullRunner::Outcome{};
    });
    runner.request("a", std::chrono::milliseconds(0));
  }
  EXPECT_TRUE(was_stopped);
}

}  // namespace
}  // namespace sheaf::mcp
