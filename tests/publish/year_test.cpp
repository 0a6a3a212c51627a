// A site over a year, or a few weeks of it: edits, additions, removals, renames, clocks that jump, runs that
// are killed. After each publish a reader that keeps up, and one that comes now and then, must have the site.
//
//   SHEAF_PUBLISH_YEAR=1 build/dev/tests/publish_tests --gtest_filter='PublishYear.*'     365 days, 2,000
//   pages
#include "publish/site_reader.h"
#include "published_site.h"
#include "sheaf/publish/publisher.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

class SimulatedSite {
 public:
  SimulatedSite(unsigned pages, unsigned seed) : random_(seed) {
    for (unsigned i = 0; i < pages; ++i) add();
  }

  /// Some days nothing happens, most days a little, now and then a lot.
  void live_a_day() {
    const unsigned edits = random() % 5 == 0 ? 0 : random() % 12;
    for (unsigned i = 0; i < edits; ++i) edit();
    if (random_() % 3 == 0) add();
    if (random_() % 4 == 0) remove();
    if (random_() % 10 == 0) rename();
    if (random_() % 20 == 0) touch_all();
    if (random_() % 30 == 0 && !gone_.empty()) bring_back();
    now_ += kDay;
    // Clocks are wrong at times, by hours or days.
    if (random_() % 25 == 0) now_ -= static_cast<std::int64_t>(random_() % (3 * kDay));
    if (random_() % 25 == 0) now_ += static_cast<std::int64_t>(random_() % (3 * kDay));
  }

  [[nodiscard]] base::Result<PublishReport> publish() const {
    auto config = config_for_folder(dir_ / "public", "https://example.com", dir_ / "public/scp", "site");
    PublishOptions options;
    options.now = {now_, 0};
    options.threads = 1;
    return publish::publish(*config, options);
  }

  /// The same in another process, which is killed after a while.
  void publish_and_die(unsigned microseconds) const {
    const pid_t child = fork();
    if (child == 0) {
      (void)publish();
      _exit(0);
    }
    usleep(microseconds);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }

  [[nodiscard]] test::SiteReader reader() const {
    return {dir_ / "public/sitemap.xml", dir_ / "public/scp", "site"};
  }

  /// Differences between a client and the site; empty if there are none.
  [[nodiscard]] std::string difference(const test::SiteReader& reader) const {
    if (reader.pages().size() != pages_.size())
      return std::to_string(reader.pages().size()) + " pages instead of " + std::to_string(pages_.size());
    for (const auto& [name, text] : pages_) {
      const auto page = reader.pages().find("https://example.com/" + name);
      if (page == reader.pages().end()) return name + " is missing";
      if (page->second.text != text)
        return name + " has another text: " + page->second.text + " instead of " + text;
    }
    return {};
  }

  [[nodiscard]] Instant now() const { return {now_, 0}; }
  unsigned random() { return static_cast<unsigned>(random_()); }

 private:
  static std::string name_of(unsigned number) {
    return "p" + std::to_string(number % 10) + "/" + std::to_string(number) + ".html";
  }

  std::string new_text() {
    return "Edition " + std::to_string(++editions_) +
           " of this page, whose text is long enough to be taken for a paragraph by everybody.";
  }

  void write(const std::string& name) {
    const fs::path file = dir_ / "public" / name;
    fs::create_directories(file.parent_path());
    dir_.write("public/" + name, "<!doctype html><html lang=en><title>" + name + "</title><main><h1>" + name +
                                     "</h1><p>" + pages_.at(name) + "</p></main>");
    // File times are unreliable: some are old, some in the future, some never change.
    const auto offset = std::chrono::seconds(static_cast<std::int64_t>(random_() % (20 * kDay)) - 10 * kDay);
    if (random_() % 2 == 0) fs::last_write_time(file, fs::file_time_type::clock::now() + offset);
  }

  std::string any() {
    auto it = pages_.begin();
    std::advance(it, static_cast<long>(random_() % pages_.size()));
    return it->first;
  }

  void add() {
    const std::string name = name_of(++numbers_);
    pages_[name] = new_text();
    write(name);
  }
  void edit() {
    const std::string name = any();
    pages_[name] = new_text();
    write(name);
  }
  void remove() {
    const std::string name = any();
    gone_[name] = pages_[name];
    pages_.erase(name);
    fs::remove(dir_ / "public" / name);
  }
  void rename() {
    const std::string name = any();
    const std::string other = name_of(++numbers_);
    pages_[other] = pages_[name];
    remove_known(name);
    write(other);
  }
  void remove_known(const std::string& name) {
    pages_.erase(name);
    fs::remove(dir_ / "public" / name);
  }
  void touch_all() {
    for (const auto& [name, text] : pages_)
      fs::last_write_time(dir_ / "public" / name, fs::file_time_type::clock::now());
  }
  void bring_back() {
    const auto [name, text] = *gone_.begin();
    gone_.erase(gone_.begin());
    pages_[name] = text;
    write(name);
  }

  test::TempDir dir_;
  std::mt19937 random_;
  std::map<std::string, std::string> pages_;
  std::map<std::string, std::string> gone_;
  unsigned numbers_ = 0;
  unsigned editions_ = 0;
  std::int64_t now_ = 1'800'000'000;
};

/// The clock was set back so far that earlier publications are in the future.
bool was_repaired(const PublishReport& report) {
  return std::ranges::any_of(report.notes, [](const std::string& note) {
    return note.find("lies in the future") != std::string::npos;
  });
}

TEST(PublishYear, ReadersHaveTheSiteAfterEveryDay) {
  const bool whole = std::getenv("SHEAF_PUBLISH_YEAR") != nullptr;
  SimulatedSite site(whole ? 2000 : 150, 20'260'115);
  auto daily = site.reader();
  auto rare = site.reader();
  unsigned snapshots = 0;
  unsigned repairs = 0;
  const unsigned days = whole ? 365 : 45;
  for (unsigned day = 0; day < days; ++day) {
    if (day > 0) site.live_a_day();
    // Twice a month the machine dies in the middle.
    if (day % 15 == 7) site.publish_and_die(site.random() % 150'000);
    const auto report = site.publish();
    ASSERT_TRUE(report) << "day " << day << ": " << report.error().message;
    daily.update(site.now());
    repairs += was_repaired(*report) ? 1 : 0;
    snapshots += daily.used_snapshot() ? 1 : 0;
    ASSERT_EQ(daily.faults(), std::vector<std::string>{}) << "day " << day;
    ASSERT_EQ(site.difference(daily), "") << "day " << day;
    if (day % 11 == 10) {
      rare.update(site.now());
      ASSERT_EQ(rare.faults(), std::vector<std::string>{}) << "day " << day;
      ASSERT_EQ(site.difference(rare), "") << "day " << day;
    }
  }
  EXPECT_GT(repairs, 0U) << "the clock went back by more than a day";
  EXPECT_EQ(snapshots, 1 + repairs)
      << "a reader that comes every day needs the first snapshot, and one after each wrong clock";
}

}  // namespace
}  // namespace sheaf::publish
