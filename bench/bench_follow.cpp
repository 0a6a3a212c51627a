// What clients fetch from a site that is published every day for a year:
//
//   bench_follow --lines FILE --work FOLDER [--pages N] [--json FILE]
//
// FILE has pages, one per line (bench/make_corpus.py). Every day a hundredth of them changes, three pages
// change every day, one is new and every third day one is removed. The site is published twice, with merged
// deltas and without, by real runs of publish with a clock that the benchmark sets; clients are real pulls
// over loopback. Those that were away come back on each of the last seven days, since it matters how far a
// week is.
#include "race.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/publish/publisher.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <sheaf/serve.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kYear = 365;
constexpr int kEnds = 7;
constexpr std::array kAbsences = {1, 7, 30, 200};
constexpr std::int64_t kDaySeconds = 86'400;
constexpr Instant kStart{1'768'100'400, 0};  // 2026-01-11, at three in the morning
const std::string kCorpusSite = "https://docs.example";
constexpr double kAbout = 1.25;  // "about the size of what changed"
constexpr std::string_view kKilobytes = "kB";

Instant instant_of(int day) { return {kStart.seconds + day * kDaySeconds, 0}; }

/// The pages of all days.
class ChangingPages {
 public:
  ChangingPages(const fs::path& lines, std::size_t count) {
    std::ifstream in(lines);
    for (std::string line; pages_.size() < 2 * count && std::getline(in, line);)
      if (line.find(kText) != std::string::npos) pages_.push_back({std::move(line), 0});
    require(pages_.size() > 100, "at least 100 pages with text");
    shown_ = pages_.size() / 2;
    hot_ = shown_ - 3;  // far from those that will be removed
  }

  void live_a_day() {
    ++day_;
    for (std::size_t i = 0; i < (shown_ - removed_) / 100; ++i)
      pages_[removed_ + random_() % (shown_ - removed_)].edition = day_;
    for (std::size_t i = 0; i < 3; ++i) pages_[hot_ + i].edition = day_;
    if (shown_ < pages_.size()) ++shown_;
    if (day_ % 3 == 0) ++removed_;
  }

  void write(const fs::path& file, const std::string& site) const {
    std::ofstream out(file);
    for (std::size_t i = removed_; i < shown_; ++i) out << line_of(pages_[i], site) << '\n';
    require(out.flush().good(), file.string());
  }

 private:
  static constexpr std::string_view kText = "\"text\":\"";

  struct ChangingPage {
    std::string line;
    int edition = 0;  ///< the day of its last change
  };

  static std::string line_of(const ChangingPage& page, const std::string& site) {
    std::string line = page.line;
    if (page.edition > 0)
      line.insert(line.find(kText) + kText.size(), fmt::format("Revised on day {}. ", page.edition));
    for (std::size_t at = line.find(kCorpusSite); at != std::string::npos; at = line.find(kCorpusSite, at))
      line.replace(at, kCorpusSite.size(), site);
    return line;
  }

  std::vector<ChangingPage> pages_;
  std::size_t removed_ = 0;  ///< from the start
  std::size_t shown_ = 0;    ///< up to here
  std::size_t hot_ = 0;      ///< three that change every day
  int day_ = 0;
  std::mt19937 random_{365};
};

/// A client with a store.
class Client {
 public:
  explicit Client(fs::path folder) : folder_(std::move(folder)) {
    auto opened = store::open_store((folder_ / "store").string(), StoreAccess::write);
    require(opened.has_value(), "opening a store");
    store_ = std::move(*opened);
  }
  ~Client() {
    store_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  pull::PullReport pull(const std::string& site, Instant now) {
    pull::SitePullOptions options;
    options.fetch.allow_private = true;
    options.clock = [now] { return now; };
    auto report = pull::pull_site(*store_, *base::Url::parse(site), folder_ / "files", options);
    require(report && report->ok && report->sections.front().proven == true, "a pull");
    return std::move(*report);
  }

 private:
  fs::path folder_;
  std::unique_ptr<store::PageStore> store_;
};

/// What clients fetched, together.
struct Fetched {
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;  ///< bytes of collections among them
  std::uint64_t requests = 0;
  std::uint64_t pulls = 0;

  void add(const pull::PullReport& report) {
    bytes += report.bytes;
    files += report.sections.front().plan.bytes;
    requests += report.requests;
    ++pulls;
  }
  [[nodiscard]] double per_pull(std::uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(pulls, 1));
  }
};

/// The site as one publisher publishes it, and its clients.
class Edition {
 public:
  Edition(fs::path folder, bool merge) : folder_(std::move(folder)) {
    fs::create_directories(folder_ / "public");
    fs::create_directories(folder_ / "daily");
    auto server = FolderServer::start(folder_ / "public", {.listen = "127.0.0.1:0"});
    require(server.has_value(), "a server");
    server_.emplace(std::move(*server));
    std::ofstream(folder_ / "public/robots.txt") << "Sitemap: " << site() << "/sitemap-scp.xml\n";
    const std::string text = fmt::format(
        "base = \"{}\"\nout = \"public/scp\"\ncollections_url = \"{}/scp/\"\nsitemap = "
        "\"public/sitemap.xml\"\n"
        "sitemap_mode = \"separate\"\nrobots = \"public/robots.txt\"\ncompression = [\"zstd\"]\n{}"
        "[[section]]\nname = \"docs\"\nupdate = \"weekly\"\n"
        "[[section.source]]\ntype = \"jsonl\"\nfile = \"pages.jsonl\"\n",
        site(), site(), merge ? "" : "[retention]\nmerge_days = []\n");
    auto config = publish::parse_config(text, folder_ / "sheaf.toml");
    require(config.has_value(), config ? "" : config.error().message);
    config_ = std::move(*config);
  }

  void publish(const ChangingPages& pages, int day) {
    pages.write(folder_ / "pages.jsonl", site());
    PublishOptions options;
    options.now = instant_of(day);
    options.threads = 2;
    const auto report = publish::publish(config_, options);
    require(report.has_value(), report ? "" : report.error().message);
    for (const PublishedFile& file : report->sections.front().written) {
      const fs::path path = config_.out / to_string(file.name);
      if (file.name.type == model::CollectionType::snapshot) snapshot_bytes_ = file.bytes;
      if (file.name.type == model::CollectionType::snapshot || file.name.since) continue;
      fs::copy_file(path, folder_ / "daily" / fmt::format("{}.scp.zst", day));
      if (day > 0) daily_bytes_ += file.bytes;
    }
  }

  void serve_clients(int day) {
    if (!faithful_) {
      faithful_.emplace(folder_ / "faithful");
      faithful_->pull(site(), instant_of(day));  // the first one is the snapshot
    } else {
      faithful_fetched_.add(faithful_->pull(site(), instant_of(day)));
    }
    for (const int absence : kAbsences) {
      if (const auto back = away_.find({absence, day}); back != away_.end()) {
        returned_[absence].add(back->second->pull(site(), instant_of(day)));
        away_.erase(back);
      }
      if (day + absence > kYear || day + absence <= kYear - kEnds) continue;
      auto client = std::make_unique<Client>(folder_ / fmt::format("client-{}-{}", absence, day));
      client->pull(site(), instant_of(day));
      away_.emplace(std::pair(absence, day + absence), std::move(client));
    }
  }

  /// The size of one delta with exactly what changed.
  std::uint64_t changed_bytes(int from, int to) const {
    const auto opener = [&](int day) {
      auto source =
          format::reopenable_source((folder_ / "daily" / fmt::format("{}.scp.zst", day)).string(), folder_);
      require(source.has_value(), "a delta");
      return *source;
    };
    std::vector<format::SourceOpener> others;
    for (int day = from + 2; day <= to; ++day) others.push_back(opener(day));
    const fs::path out = folder_ / "changed.scp.zst";
    const auto merged =
        format::merge_collections(opener(from + 1), others, {{out, format::Codec::zstd, {}}}, {});
    require(merged.has_value(), merged ? "" : merged.error().message);
    return fs::file_size(out);
  }

  [[nodiscard]] const Fetched& returned(int absence) const { return returned_.at(absence); }
  [[nodiscard]] const Fetched& faithful() const { return faithful_fetched_; }
  [[nodiscard]] std::uint64_t daily_bytes() const { return daily_bytes_; }
  [[nodiscard]] std::uint64_t snapshot_bytes() const { return snapshot_bytes_; }

  [[nodiscard]] std::uint64_t bytes_on_disk() const {
    std::uint64_t bytes = 0;
    for (const auto& file : fs::directory_iterator(config_.out)) bytes += file.file_size();
    return bytes;
  }

 private:
  [[nodiscard]] const std::string& site() const { return server_->url(); }

  fs::path folder_;
  std::optional<FolderServer> server_;
  publish::PublishConfig config_;
  std::optional<Client> faithful_;  ///< comes every day
  Fetched faithful_fetched_;
  std::map<std::pair<int, int>, std::unique_ptr<Client>> away_;  ///< by absence and day of return
  std::map<int, Fetched> returned_;
  std::uint64_t daily_bytes_ = 0;
  std::uint64_t snapshot_bytes_ = 0;
};

std::string days_text(int days) { return days == 1 ? "1 day" : fmt::format("{} days", days); }

void report_absence(Report& report, const Edition& merged, const Edition& daily, int absence) {
  double changed = 0;
  for (int end = kYear - kEnds + 1; end <= kYear; ++end)
    changed += static_cast<double>(daily.changed_bytes(end - absence, end)) / kEnds;
  const Fetched& with = merged.returned(absence);
  const Fetched& without = daily.returned(absence);
  const std::string after = "after " + days_text(absence);
  // Nobody fetches more than a snapshot.
  const double least = std::min(changed, static_cast<double>(merged.snapshot_bytes()));
  report.at_most(after + ", collections fetched against what changed", kAbout,
                 with.per_pull(with.files) / least);
  report.note(after + ", the same without merged deltas", without.per_pull(without.files) / least);
  report.note(after + ", what changed", changed / 1e3, kKilobytes);
  report.note(after + ", fetched", with.per_pull(with.bytes) / 1e3, kKilobytes);
  report.note(after + ", fetched without merged deltas", without.per_pull(without.bytes) / 1e3, kKilobytes);
  report.note(after + ", requests", with.per_pull(with.requests));
  report.note(after + ", requests without merged deltas", without.per_pull(without.requests));
}

int run(const fs::path& lines, const fs::path& work, std::size_t count, const std::string& json) {
  ChangingPages pages(lines, count);
  fs::remove_all(work);
  Edition merged(work / "merged", true);
  Edition daily(work / "daily", false);
  for (int day = 0; day <= kYear; ++day) {
    if (day > 0) pages.live_a_day();
    for (Edition* edition : {&merged, &daily}) {
      edition->publish(pages, day);
      edition->serve_clients(day);
    }
  }
  Report report("follow");
  const Fetched& faithful = merged.faithful();
  report.at_most("followed daily for a year, everything fetched against the deltas", kAbout,
                 static_cast<double>(faithful.bytes) / static_cast<double>(merged.daily_bytes()));
  report.note("followed daily for a year, fetched per day", faithful.per_pull(faithful.bytes) / 1e3,
              kKilobytes);
  report.note("followed daily for a year, requests per day", faithful.per_pull(faithful.requests));
  for (const int absence : kAbsences) report_absence(report, merged, daily, absence);
  report.note("a snapshot", static_cast<double>(merged.snapshot_bytes()) / 1e3, kKilobytes);
  report.note("on disk", static_cast<double>(merged.bytes_on_disk()) / 1e3, kKilobytes);
  report.note("on disk without merged deltas", static_cast<double>(daily.bytes_on_disk()) / 1e3, kKilobytes);
  report.print();
  report.append_json(json);
  fs::remove_all(work);
  return 0;
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  std::map<std::string, std::string> options = {{"--pages", "1000"}};
  for (int i = 1; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  sheaf::bench::require(options.contains("--lines") && options.contains("--work"), "--lines and --work");
  return sheaf::bench::run(options["--lines"], options["--work"], std::stoul(options["--pages"]),
                           options["--json"]);
}
