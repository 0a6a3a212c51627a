// A whole pull of a site that answers one of its URLs with any bytes: it ends with a report that blames the
// site, and the site's other page is stored, unless the bytes are the robots.txt or list something else. The
// first byte chooses the URL and the headers.
#include "fuzz_support.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch/fetch_transport.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace sheaf;
using fuzz::require;

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kHostilePaths[] = {"/", "/more.xml", "/robots.txt", "/all.scp"};
const Headers kHostileHeaders[] = {
    {},
    {{"content-type", "text/html"}},
    {{"content-type", "application/xhtml+xml"}},
    {{"content-type", "text/html; charset=utf-16"}},
    {{"content-type", "text/html"}, {"content-encoding", "gzip"}},
    {{"content-type", "text/html"}, {"content-encoding", "br"}},
    {{"content-type", "text/html"}, {"content-encoding", "deflate"}},
    {{"content-type", "text/html"}, {"x-robots-tag", "googlebot: noindex"}},
};

/// The only server of the web.
class OddServer final : public http::fetch::FetchTransport {
 public:
  OddServer(std::string_view path, const Headers& headers, std::string_view body)
      : path_(path), headers_(headers), body_(body) {}

  http::fetch::TransferOutcome perform(const http::fetch::TransferRequest& request) override {
    http::fetch::TransferOutcome outcome;
    const bool is_odd = request.url.path() == path_;
    const std::string ours = is_odd ? std::string() : content(request.url);
    const std::string_view body = is_odd ? body_ : ours;
    outcome.head = {.status = is_odd || !ours.empty() ? 200 : 404, .url = std::string(request.url.href())};
    if (is_odd) outcome.head.headers = headers_;
    outcome.use = request.judge(outcome.head);
    if (outcome.use == http::fetch::BodyUse::ignore) return outcome;
    auto taken = request.sink.begin(outcome.head);
    if (taken && !body.empty()) taken = request.sink.take(body);
    if (taken) return outcome;
    outcome.error = std::move(taken).error();
    outcome.trouble = http::fetch::FetchTrouble::refused_by_sink;
    outcome.is_final = true;
    return outcome;
  }

 private:
  [[nodiscard]] std::string content(const base::Url& url) const {
    const std::string site = url.origin();
    if (url.path() == "/robots.txt")
      return fmt::format("Sitemap: {0}/sitemap.xml\nSitemap: {0}/more.xml\n", site);
    if (url.path() == "/good")
      return "<title>Good</title><main><p>A good page says something in a sentence that is long "
             "enough.</main>";
    if (url.path() != "/sitemap.xml") return {};
    const std::string offer = path_ == "/all.scp"
                                  ? "<scp:collection section=\"all\" type=\"snapshot\" url=\"/all.scp\" "
                                    "generated=\"2026-01-15T00:00:00Z\"/>"
                                  : "";
    return fmt::format(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
        "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">{}<url><loc>{}/good</loc></url></urlset>",
        offer, site);
  }

  std::string_view path_;
  const Headers& headers_;
  std::string_view body_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const base::ScratchFolder folder = base::ScratchFolder::make("fuzz-pull").value();
  static const auto store = store::open_store((folder.path() / "store").string(), StoreAccess::write).value();
  static std::uint64_t sites = 0;
  if (size == 0) return 0;
  const std::string_view path = kHostilePaths[data[0] % std::size(kHostilePaths)];
  const Headers& headers = kHostileHeaders[data[0] / 4U % std::size(kHostileHeaders)];
  const std::string_view body = fuzz::as_text(data + 1, size - 1);
  const base::Url site = *base::Url::parse(fmt::format("https://s{}.example", ++sites));
  pull::SitePullOptions options;
  options.fetch.tries = 1;
  options.fetch.transport = [&] { return std::make_unique<OddServer>(path, headers, body); };
  options.fetch.delay = std::chrono::milliseconds(0);
  options.fetch.connections = 1;
  options.max_pages = 10;
  options.pack_threads = 0;
  const auto report = pull::pull_site(*store, site, folder.path() / "files", options);
  require(report.has_value(), report ? "" : report.error().message);
  require(report->failure.code != pull::FailureCode::internal, report->failure.message);
  require(report->ok == !report->failure, "ok or a failure");
  const auto good = store->get(site.origin() + "/good", site.origin());
  require(path != "/" || (good && *good), "the good page is stored");
  for (const auto& section : store->sections(site.origin()).value())
    require(store->drop_section(site.origin(), section.section, now()).has_value(), "the store works");
  return 0;
}
