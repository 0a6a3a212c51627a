#include "sheaf/browse/browse_app.h"

#include "sheaf/browse/change_stream.h"
#include "sheaf/browse/crawler_logs.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/browse/publish_preview.h"
#include "sheaf/cli/browse/preview_sources.h"
#include "sheaf/pull/pull_history.h"
#include "sheaf/store/open/open_store.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::browse {
namespace {

using http::server::Request;
using http::server::Response;

const std::string kSite = "https://shop.example";
// What must not appear anywhere in a document: a start of an element or attribute that came from a page.
const std::string kAttack = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>";

std::string json_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return out;
}

class BrowseTest : public testing::Test {
 protected:
  BrowseTest() {
    auto opened = store::open_store(location(), StoreAccess::write);
    EXPECT_TRUE(opened);
    store_ = std::move(*opened);
    put("/good", "Opening hours",
        R"({"type":"heading","level":1,"text":"Hours"},{"type":"text","text":"Open at nine."},)"
        R"({"type":"heading","level":2,"text":"Holidays"},{"type":"code","language":"cpp","code":"return 1;"})");
    const std::string bad = json_text(kAttack);
    put("/evil", bad,
        R"({"type":"heading","level":1,"text":")" + bad + R"("},{"type":"text","text":")" + bad + R"("},)" +
            R"({"type":"code","language":")" + bad + R"(","code":")" + bad + R"("},)" +
            R"({"type":"quote","text":")" + bad + R"(","citation":")" + bad + R"("},)" +
            R"({"type":"list","ordered":false,"items":[")" + bad + R"("]},)" +
            R"({"type":"table","rows":[[")" + bad + R"("]]},{"type":")" + bad + R"(","x":")" + bad + R"("})");
    EXPECT_TRUE(search::update_index(*store_, location(), {}));
    access_ = std::make_unique<BrowsedStore>(*store_, location());
    inspections_ = std::make_unique<Inspections>(http::fetch::FetchOptions{});
  }

  void put(const std::string& path, const std::string& title, const std::string& content) {
    store::SectionEdit edit(kSite, "html");
    edit.put_page(kSite + path, "2026-01-01T00:00:00Z",
                  R"({"url":")" + kSite + path + R"(","title":")" + title +
                      R"(","description":"D","modified":"2026-01-01T00:00:00Z","language":"en","content":[)" +
                      content + "]}",
                  {1'700'000'000, 0});
    EXPECT_TRUE(store_->commit(edit));
  }

  std::unique_ptr<BrowseApp> app(BrowseOptions options = {}, OpenByName by_name = OpenByName::machine) {
    ViewContext context;
    context.store = access_.get();
    context.inspections = inspections_.get();
    context.preview = preview_.get();
    context.open_by_name = by_name;
    return std::make_unique<BrowseApp>(context, std::move(options));
  }

  using FieldList = std::vector<http::message::Field>;
  static Response ask(BrowseApp& app, std::string_view path, std::string_view query = {},
                      FieldList fields = {}, http::message::Method method = http::message::Method::get,
                      std::string_view body = {}) {
    if (std::ranges::none_of(fields, [](const auto& field) { return field.name == "Host"; }))
      fields.push_back({"Host", "127.0.0.1:8480"});
    return app.respond({.method = method,
                        .path = path,
                        .query = query,
                        .fields = http::message::Fields(fields),
                        .body = body});
  }
  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
  static std::string header(const Response& response, std::string_view name) {
    for (const auto& one : response.headers)
      if (one.name == name) return one.value;
    return {};
  }
  [[nodiscard]] std::string location() const { return (folder_ / "store").string(); }

  test::TempDir folder_;
  std::unique_ptr<store::PageStore> store_;
  std::unique_ptr<BrowsedStore> access_;
  std::unique_ptr<Inspections> inspections_;
  std::unique_ptr<PublishPreview> preview_;
};

TEST_F(BrowseTest, ViewsShowTheStore) {
  const auto app = this->app();
  EXPECT_TRUE(has(ask(*app, "/").text, kSite));
  EXPECT_TRUE(has(ask(*app, "/sites").text, kSite));
  EXPECT_TRUE(has(ask(*app, "/site", "site=https%3A%2F%2Fshop.example").text, "Sections"));
  EXPECT_TRUE(has(ask(*app, "/pages").text, "Opening hours"));
  EXPECT_FALSE(has(ask(*app, "/pages", "url=good").text, "/evil"));
  EXPECT_TRUE(has(ask(*app, "/pages", "since=2026-02-01").text, "no page matches"));
  EXPECT_TRUE(has(ask(*app, "/search", "q=nine").text, "<mark>nine</mark>"));
  EXPECT_TRUE(has(ask(*app, "/search.json", "q=nine").text, R"({"text":"nine","match":true})"));
  EXPECT_TRUE(has(ask(*app, "/changes").text, "#2"));
}

TEST_F(BrowseTest, CrawlersOfALogAreShownLive) {
  const std::string file = (folder_ / "access.log").string();
  const auto write = [&](const std::string& agent) {
    std::ofstream(file, std::ios::app)
        << "192.0.2.1 - - [17/Nov/2026:17:00:00 +0000] \"GET /robots.txt HTTP/1.1\" "
           "200 10 \"-\" \""
        << agent << "\"\n";
  };
  write("FirstBot/1.0");
  write("<script>bot");
  const CrawlerLogs logs({file, (folder_ / "missing.log.gz").string()});
  ViewContext context;
  context.logs = &logs;
  context.inspections = inspections_.get();
  BrowseApp app(context, {});
  EXPECT_EQ(header(ask(app, "/"), "Location"), "/crawlers");
  const auto shows = [&](std::string_view text) {
    for (int i = 0; i < 1'000 && !has(ask(app, "/crawlers").text, text); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return has(ask(app, "/crawlers").text, text);
  };
  EXPECT_TRUE(shows("FirstBot"));
  EXPECT_FALSE(has(ask(app, "/crawlers").text, "<script>bot"));
  EXPECT_TRUE(shows("missing.log.gz"));
  write("SecondBot/1.0");
  EXPECT_TRUE(shows("SecondBot"));
  EXPECT_EQ(ask(*this->app(), "/crawlers").status, 404U);
}

TEST_F(BrowseTest, PageViewHasItsTabs) {
  const auto app = this->app();
  const std::string url = "url=https%3A%2F%2Fshop.example%2Fgood";
  const std::string content = ask(*app, "/page", url).text;
  EXPECT_TRUE(has(content, "<h2 id=\"h0\" dir=\"auto\">Hours</h2>")) << content;
  EXPECT_TRUE(has(content, "href=\"#h2\""));
  EXPECT_TRUE(has(content, "<span class=\"k\">return</span>"));
  EXPECT_TRUE(has(ask(*app, "/page", url + "&tab=markdown").text, "## Holidays"));
  EXPECT_TRUE(has(ask(*app, "/page", url + "&tab=json").text, "&quot;Opening hours&quot;"));
  EXPECT_TRUE(has(ask(*app, "/page", url + "&tab=source").text, "Section comes from"));
  EXPECT_TRUE(has(ask(*app, "/page", url + "&tab=history").text, "#1"));
  EXPECT_EQ(ask(*app, "/page", "url=https%3A%2F%2Fnone.example%2F").status, 404U);
}

TEST_F(BrowseTest, HostilePagesAreEscapedEverywhere) {
  const auto app = this->app();
  const std::string url = "url=https%3A%2F%2Fshop.example%2Fevil";
  std::string attack;
  markup::append_query_value(attack, kAttack);
  const std::vector<std::pair<std::string, std::string>> requests = {
      {"/", ""},
      {"/sites", "q=" + attack},
      {"/sites", "state=" + attack},
      {"/site", "site=" + attack},
      {"/pages", ""},
      {"/pages", "site=" + attack + "&section=" + attack + "&url=" + attack},
      {"/pages", "since=" + attack},
      {"/page", url},
      {"/page", url + "&tab=json"},
      {"/page", url + "&tab=markdown"},
      {"/page", url + "&tab=source"},
      {"/page", url + "&tab=history"},
      {"/page", url + "&tab=" + attack},
      {"/page", "url=" + attack},
      {"/search", "q=script"},
      {"/search", "q=" + attack},
      {"/search", "q=x&cursor=" + attack + "&site=" + attack},
      {"/changes", "to=" + attack},
      {"/inspect", ""},
      {"/inspect/result", "id=" + attack},
      {"/" + kAttack, ""}};
  for (const auto& [path, query] : requests) {
    const Response response = ask(*app, path, query);
    EXPECT_FALSE(has(response.text, "<script>")) << path << "?" << query;
    EXPECT_FALSE(has(response.text, "<img")) << path << "?" << query;
    EXPECT_FALSE(has(response.text, "'>")) << path << "?" << query;
    EXPECT_TRUE(has(header(response, "Content-Security-Policy"), "default-src 'none'; script-src 'self'"))
        << path;
    EXPECT_FALSE(has(header(response, "Content-Security-Policy"), "unsafe")) << path;
    EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
  }
}

TEST_F(BrowseTest, HostAndOriginAreChecked) {
  const auto app = this->app({.hosts = {"sheaf.example:8443"}});
  EXPECT_EQ(ask(*app, "/", "", {{"Host", "attacker.example"}}).status, 403U);
  EXPECT_EQ(ask(*app, "/", "", {{"Host", "127.0.0.1.attacker.example:8480"}}).status, 403U);
  EXPECT_EQ(ask(*app, "/", "", {{"Host", "localhost:8480"}}).status, 200U);
  EXPECT_EQ(ask(*app, "/", "", {{"Host", "[::1]:8480"}}).status, 200U);
  EXPECT_EQ(ask(*app, "/", "", {{"Host", "Sheaf.example:8443"}}).status, 200U);
  EXPECT_EQ(ask(*app, "/", "", {{"Origin", "https://attacker.example"}}).status, 403U);
  EXPECT_EQ(ask(*app, "/", "", {{"Origin", "null"}}).status, 403U);
  EXPECT_EQ(ask(*app, "/", "", {{"Origin", "http://127.0.0.1:8480"}}).status, 200U);
  EXPECT_EQ(ask(*app, "/", "", {{"Origin", "http://127.0.0.1:3000"}}).status, 403U);
  const FieldList framed = {
      {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "iframe"}};
  EXPECT_EQ(ask(*app, "/", "", framed).status, 403U);
  EXPECT_EQ(ask(*app, "/", "", {{"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Mode", "cors"}}).status, 403U);
  EXPECT_EQ(
      ask(*app, "/search.json", "q=x", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "no-cors"}})
          .status,
      403U);
  EXPECT_EQ(ask(*app, "/", "", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}}).status,
            200U);
}

TEST_F(BrowseTest, TokenOpensTheApp) {
  const std::string token = "a-token-of-some-length";
  const auto app = this->app({.token = token});
  EXPECT_EQ(ask(*app, "/").status, 401U);
  EXPECT_EQ(ask(*app, "/", "token=another-token-of-length").status, 401U);
  EXPECT_EQ(ask(*app, "/", "", {{"Authorization", "Bearer " + token}}).status, 200U);
  EXPECT_EQ(ask(*app, "/asset", "name=style.css").status, 200U);
  const Response signed_in = ask(*app, "/", "token=" + token);
  EXPECT_EQ(signed_in.status, 303U);
  EXPECT_EQ(header(signed_in, "Location"), "/");
  const std::string cookie = header(signed_in, "Set-Cookie");
  EXPECT_TRUE(has(cookie, "HttpOnly; SameSite=Strict"));
  EXPECT_FALSE(has(cookie, token));
  const std::string pair = cookie.substr(0, cookie.find(';'));
  EXPECT_EQ(ask(*app, "/", "", {{"Cookie", "other=1; " + pair}}).status, 200U);
  EXPECT_EQ(ask(*app, "/", "", {{"Cookie", pair.substr(0, pair.size() - 1)}}).status, 401U);
  EXPECT_EQ(
      app->begin_upload(
          {.method = http::message::Method::post, .path = "/inspect/upload", .query = {}, .fields = {}}),
      nullptr);
}

TEST_F(BrowseTest, OnlyTheInspectorTakesPosts) {
  const auto app = this->app();
  for (const std::string_view path : {"/", "/pages", "/inspect", "/changes/stream", "/asset2"})
    EXPECT_EQ(ask(*app, path, "", {}, http::message::Method::post).status, 405U) << path;
  EXPECT_EQ(ask(*app, "/inspect/open").status, 405U);
  EXPECT_EQ(ask(*app, "/inspect/upload").status, 405U);
  EXPECT_EQ(ask(*app, "/nothing").status, 404U);
}

TEST_F(BrowseTest, FilesAreOpenedByNameOnlyOnThisMachine) {
  const auto app = this->app({.token = "a-token-of-some-length"}, OpenByName::nobody);
  const FieldList fields = {{"Authorization", "Bearer a-token-of-some-length"}};
  const Response refused =
      ask(*app, "/inspect/open", "", fields, http::message::Method::post, "name=%2Fetc%2Fpasswd");
  EXPECT_EQ(refused.status, 409U);
  EXPECT_FALSE(has(ask(*app, "/inspect", "", fields).text, "Path of a file"));
  EXPECT_TRUE(inspections_->list().empty());
  const auto local = this->app();
  EXPECT_TRUE(has(ask(*local, "/inspect").text, "Path of a file"));
  EXPECT_EQ(ask(*local, "/inspect/open", "", {}, http::message::Method::post, "name=").status, 400U);
}

/// Waits for the inspection that a redirect leads to.
std::string inspected(BrowseApp& app, const std::string& target) {
  const std::string query = target.substr(target.find('?') + 1);
  const std::vector<http::message::Field> fields = {{"Host", "localhost"}};
  std::string text;
  do {
    text = app.respond({.path = "/inspect/result", .query = query, .fields = http::message::Fields(fields)})
               .text;
    std::this_thread::yield();
  } while (text.find("being read") != std::string::npos);
  return text;
}

TEST_F(BrowseTest, InspectorJudgesFiles) {
  const auto app = this->app();
  const std::string valid = std::string(SHEAF_SOURCE_DIR) + "/examples/monday.scp";
  std::string query = "name=";
  markup::append_query_value(query, valid);
  const Response begun = ask(*app, "/inspect/open", "", {}, http::message::Method::post, query);
  ASSERT_EQ(begun.status, 303U);
  const std::string shown = inspected(*app, header(begun, "Location"));
  EXPECT_TRUE(has(shown, "badge good\">valid")) << shown;
  EXPECT_TRUE(has(shown, "all-monday"));
  const std::string id = header(begun, "Location").substr(header(begun, "Location").find('?') + 1);
  EXPECT_TRUE(has(ask(*app, "/inspect/page", id + "&n=0").text, "<article"));
  EXPECT_EQ(ask(*app, "/inspect/page", id + "&n=999").status, 404U);

  std::string tampered = test::read_file(valid);
  tampered.front() = 'X';
  const auto path = folder_.write("tampered.scp", tampered);
  query = "name=";
  markup::append_query_value(query, path.string());
  const std::string judged = inspected(
      *app, header(ask(*app, "/inspect/open", "", {}, http::message::Method::post, query), "Location"));
  EXPECT_TRUE(has(judged, "badge bad\">invalid")) << judged;
  query = "name=";
  markup::append_query_value(query, (folder_ / "missing").string());
  EXPECT_TRUE(has(
      inspected(*app,
                header(ask(*app, "/inspect/open", "", {}, http::message::Method::post, query), "Location")),
      "unreadable"));
  // A private address, which a page of the web must not make us fetch.
  EXPECT_TRUE(has(inspected(*app, header(ask(*app, "/inspect/open", "", {}, http::message::Method::post,
                                             "name=http%3A%2F%2F127.0.0.1%3A1%2Fx"),
                                         "Location")),
                  "unreadable"));
}

TEST_F(BrowseTest, UploadsGoToDisk) {
  const auto app = this->app();
  const FieldList fields = {{"Host", "localhost"}, {"Content-Type", "multipart/form-data; boundary=abc"}};
  Request request{.method = http::message::Method::post,
                  .path = "/inspect/upload",
                  .query = {},
                  .fields = http::message::Fields(fields)};
  request.sink = app->begin_upload(request);
  ASSERT_NE(request.sink, nullptr);
  EXPECT_TRUE(request.sink->take(
      "--abc\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.scp\"\r\n\r\n"));
  EXPECT_TRUE(request.sink->take("not a collection\r\n--abc--\r\n"));
  const Response response = app->respond(request);
  EXPECT_EQ(response.status, 303U);
  EXPECT_TRUE(has(inspected(*app, header(response, "Location")), "badge bad\">invalid"));
  // At most four at a time.
  std::vector<std::shared_ptr<http::server::BodySink>> sinks;
  for (int i = 0; i < 10; ++i)
    if (auto sink = app->begin_upload(request)) sinks.push_back(std::move(sink));
  EXPECT_LE(sinks.size(), 4U);
  Request other = request;
  other.path = "/inspect";
  EXPECT_EQ(app->begin_upload(other), nullptr);
}

TEST_F(BrowseTest, ChangesAreStreamed) {
  std::atomic<int> open{1};
  {
    ChangeStream stream(*access_, 0, open);
    const auto first = stream.next();
    EXPECT_TRUE(has(first.bytes, "id: 1\nevent: change\ndata: {\"sequence\":1,")) << first.bytes;
    EXPECT_TRUE(has(first.bytes, "id: 2\n"));
    EXPECT_EQ(stream.next().bytes, "");
    put("/new", "New", R"({"type":"text","text":"x"})");
    // The store is looked at again after half a second.
    std::string bytes;
    while (bytes.empty()) bytes = stream.next().bytes;
    EXPECT_TRUE(has(bytes, "\"kind\":\"new\""));
  }
  EXPECT_EQ(open.load(), 0);
  const auto app = this->app();
  std::vector<Response> streams;
  for (int i = 0; i <= kMaxStreams; ++i) streams.push_back(ask(*app, "/changes/stream"));
  EXPECT_EQ(streams[kMaxStreams - 1].status, 200U);
  EXPECT_EQ(streams[kMaxStreams].status, 503U);
  streams.clear();
  EXPECT_EQ(ask(*app, "/changes/stream").status, 200U);
}

TEST_F(BrowseTest, OverviewShowsPullsAndFailures) {
  const auto record_pull = [this](const pull::PullReport& pulled) {
    store::SectionEdit edit(pulled.site, pull::kHtmlSection);
    EXPECT_TRUE(pull::put_history(edit, *store_, pulled, 1));
    EXPECT_TRUE(store_->commit(edit));
  };
  pull::PullReport report;
  report.site = kSite;
  report.began = sheaf::now();
  report.bytes = 1'000;
  report.crawl_bytes = 50'000;
  report.ok = true;
  record_pull(report);
  report.ok = false;
  report.failure = {pull::FailureCode::internal, "the <server> is down"};
  record_pull(report);
  const auto app = this->app();
  const std::string html = ask(*app, "/").text;
  EXPECT_TRUE(has(html, "the &lt;server&gt; is down")) << html;
  EXPECT_TRUE(has(html, "not scheduled"));
  EXPECT_TRUE(has(html, "page by page (estimate)"));
  EXPECT_TRUE(has(html, "48.8 KiB"));
}

TEST_F(BrowseTest, PublishersSeeWhatIsSkipped) {
  const test::TempDir site;
  std::filesystem::create_directory(site / "public");
  site.write("public/index.html",
             "<html lang=en><title>Home</title><main><h1>Home</h1><p>A sentence that is long enough to be "
             "kept here.</p></main>");
  site.write("public/secret.html",
             "<html lang=en><meta name=robots content=noindex><title>Secret</title><main><p>A sentence that "
             "is long enough.</p></main>");
  site.write("sheaf.toml",
             "base = \"https://shop.example\"\nout = \"public/scp\"\n[[section]]\nname = "
             "\"all\"\n[[section.source]]\ntype = \"html\"\nfolder = \"public\"\n");
  auto config = publish::read_config(site / "sheaf.toml");
  ASSERT_TRUE(config) << config.error().message;
  preview_ = std::make_unique<PublishPreview>("https://shop.example/",
                                              cli::preview_sources(std::move(*config), PublishOptions{}));
  while (preview_->is_reading()) std::this_thread::yield();
  const auto app = this->app();
  const std::string html = ask(*app, "/publish").text;
  EXPECT_TRUE(has(html, "Home")) << html;
  EXPECT_TRUE(has(html, "badge bad\">noindex"));
  EXPECT_FALSE(has(ask(*app, "/publish", "state=published").text, "secret.html"));
  EXPECT_TRUE(has(ask(*app, "/publish/page", "n=0").text, "sandbox=\"\""));
  const Response original = ask(*app, "/publish/original", "n=0");
  EXPECT_TRUE(has(original.text, "<title>Home"));
  EXPECT_TRUE(header(original, "Content-Security-Policy").starts_with("sandbox; default-src 'none'"));
  EXPECT_EQ(ask(*app, "/publish/original", "n=17").status, 404U);
  EXPECT_FALSE(std::filesystem::exists(site / "public/scp"));
}

TEST(PullHistory, DaysAreSummed) {
  pull::PullHistory history;
  pull::PullReport report;
  report.ok = true;
  report.bytes = 10;
  for (int day = 0; day < 100; ++day)
    for (int i = 0; i < 2; ++i) {
      report.began = {(20'000 + day) * std::int64_t{86'400}, 0};
      pull::add_pull(history, report, 7);
    }
  ASSERT_EQ(history.days.size(), store::kMaxPullDays);
  EXPECT_EQ(history.days.back().bytes, 20U);
  EXPECT_EQ(history.days.back().pulls, 2U);
  EXPECT_EQ(history.days.back().pages, 7U);
  EXPECT_EQ(store::decode_history(store::encode(history)), history);
  EXPECT_FALSE(store::decode_history("nonsense"));
  EXPECT_FALSE(store::decode_history(""));
}

}  // namespace
}  // namespace sheaf::browse
