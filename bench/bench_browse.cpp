// Renders pages of the web app from a store that it makes:
//
//   bench_browse [--json FILE]
//
// A list of 10,000 pages, a page of 1,000 blocks, and the overview, each as the browser gets it.
#include "race.h"
#include "sheaf/base/file.h"
#include "sheaf/browse/browse_app.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::bench {
namespace {

constexpr std::size_t kPages = 10'000;
constexpr std::size_t kBlocks = 1'000;
constexpr unsigned kRounds = 20;
constexpr double kMaxSeconds = 0.1;
const std::string kShop = "https://shop.example";

std::string page_json(std::size_t number) {
  std::string blocks;
  for (std::size_t i = 0; i < (number == 0 ? kBlocks : 5); ++i)
    blocks += fmt::format(
        R"({}{{"type":"text","text":"Paragraph {} of page {}, with <some> words that are & escaped."}})",
        i == 0 ? "" : ",", i, number);
  return fmt::format(
      R"({{"url":"{}/{}","title":"Page {}","description":"D","modified":"2026-01-01T00:00:00Z","language":"en","content":[{}]}})",
      kShop, number, number, blocks);
}

void fill(store::PageStore& store) {
  store::SectionEdit edit(kShop, "html");
  for (std::size_t i = 0; i < kPages; ++i)
    edit.put_page(fmt::format("{}/{}", kShop, i), "2026-01-01T00:00:00Z", page_json(i), {1'767'225'600, 0});
  require(store.commit(edit).has_value(), "filling the store");
}

/// The best of some rounds, in seconds.
double time_view(browse::BrowseApp& app, std::string_view path, std::string_view query, std::size_t least) {
  const std::vector<http::message::Field> fields = {{"Host", "localhost"}};
  double best = 1e9;
  for (unsigned round = 0; round < kRounds; ++round)
    best = std::min(best, seconds_of([&] {
                      const auto response = app.respond(
                          {.path = path, .query = query, .fields = http::message::Fields(fields)});
                      require(response.status == 200 && response.text.size() > least, path);
                    }));
  return best;
}

int run(const std::string& json) {
  auto folder = base::ScratchFolder::make("bench-browse");
  require(folder.has_value(), "a temporary folder");
  const std::string location = (folder->path() / "store").string();
  auto store = store::open_store(location, StoreAccess::write);
  require(store.has_value(), "opening the store");
  fill(**store);
  browse::BrowsedStore access(**store, location);
  browse::Inspections inspections({});
  browse::ViewContext context;
  context.store = &access;
  context.inspections = &inspections;
  browse::BrowseApp app(context, {});
  Report report("browse");
  report.at_most("list of 10,000 pages", kMaxSeconds, time_view(app, "/pages", "rows=10000", 1'000'000),
                 kSeconds);
  report.at_most("page of 1,000 blocks", kMaxSeconds,
                 time_view(app, "/page", "url=https%3A%2F%2Fshop.example%2F0", 50'000), kSeconds);
  report.note("overview", time_view(app, "/", "", 1'000), kSeconds);
  report.print();
  report.append_json(json);
  return 0;
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return sheaf::bench::run(arguments.size() == 2 && arguments[0] == "--json" ? arguments[1] : "");
}
