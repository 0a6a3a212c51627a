#pragma once

#include "publish/site_reader.h"
#include "sheaf/publish/publisher.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sheaf::publish {

inline constexpr std::int64_t kHour = 3600;
inline constexpr std::int64_t kDay = 24 * kHour;

/// A site in a temporary folder with a clock that the test sets, including the times of its files, which
/// become times of pages.
class PublishedSite {
 public:
  PublishedSite() { std::filesystem::create_directories(public_folder()); }

  [[nodiscard]] std::filesystem::path public_folder() const { return dir_ / "public"; }
  [[nodiscard]] std::filesystem::path collections() const { return public_folder() / "scp"; }

  void write(const std::string& name, std::string_view text, std::string_view head = "") {
    put(name,
        std::string("<!doctype html><html lang=en><title>") + name + "</title>" + std::string(head) +
            "<main><h1>" + name + "</h1><p>" + std::string(text) +
            " is what this page says, in a sentence that is long enough to be taken for one.</p></main>");
  }
  void put(const std::string& name, std::string_view bytes) {
    std::filesystem::create_directories((public_folder() / name).parent_path());
    dir_.write("public/" + name, bytes);
    const std::chrono::sys_seconds written{std::chrono::seconds(now_)};
    std::filesystem::last_write_time(public_folder() / name, std::chrono::file_clock::from_sys(written));
  }
  void remove(const std::string& name) { std::filesystem::remove(public_folder() / name); }

  base::Result<PublishReport> publish(PublishOptions options = {}, const PublishWatch& watch = {}) {
    now_ += kHour;
    options.now = {now_, 0};
    options.threads = 2;
    auto config = config_for_folder(public_folder(), "https://example.com", collections(), "site");
    if (change_) change_(*config);
    return publish::publish(*config, options, watch);
  }
  /// A run that has to succeed.
  PublishSectionReport run(PublishOptions options = {}, const PublishWatch& watch = {}) {
    const auto report = publish(std::move(options), watch);
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->sections.front() : PublishSectionReport();
  }

  void on_config(std::function<void(PublishConfig&)> change) { change_ = std::move(change); }
  void pass(std::int64_t seconds) { now_ += seconds; }
  void forget() { std::filesystem::remove_all(dir_ / "public.sheaf"); }
  [[nodiscard]] std::filesystem::path state() const { return dir_ / "public.sheaf"; }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(collections()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  [[nodiscard]] std::string sitemap() const { return test::read_file(public_folder() / "sitemap.xml"); }
  [[nodiscard]] test::SiteReader reader() const {
    return {public_folder() / "sitemap.xml", collections(), "site"};
  }

 private:
  test::TempDir dir_;
  std::int64_t now_ = 1'800'000'000;
  std::function<void(PublishConfig&)> change_;
};

/// The paths of a reader's pages.
inline std::vector<std::string> urls(const test::SiteReader& reader) {
  std::vector<std::string> found;
  for (const auto& [url, page] : reader.pages())
    found.push_back(url.substr(std::string("https://example.com/").size()));
  return found;
}

inline std::uint64_t skipped(const PublishSectionReport& report, SkipReason reason) {
  const auto found = std::ranges::find(report.skipped, reason, &SkippedItems::reason);
  return found == report.skipped.end() ? 0 : found->count;
}

}  // namespace sheaf::publish
