#pragma once

#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"
#include "simulation/site_model.h"
#include "simulation/site_server.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Judges the copy of a site after each pull. Each check has a letter, by which docs/guarantees.md names it.
namespace sheaf::simulation {

/// A page in the store.
struct HeldPage {
  std::string section;
  bool crawled = false;
  int revision = -1;  ///< -1: its text is not that of a revision
  Instant modified;

  friend bool operator==(const HeldPage&, const HeldPage&) = default;
};

/// The pages of a site in the store, by URL; of a page in several sections, the newest first.
using SiteCopy = std::map<std::string, std::vector<HeldPage>>;

SiteCopy read_copy(const store::PageStore& store, const std::string& site);

/// Follows the history of one site.
class Oracle {
 public:
  /// `name` is the origin that is pulled: perhaps one that the site had before.
  Oracle(const SiteModel& site, const Traits& traits, store::PageStore& store, std::string name);

  /// Call it before each pull. A crawl that continues an interrupted pass does not look again at the pages
  /// that it visited before, so its copy may be as old as the begin of the pass.
  void begin_pull();
  /// The user dropped pages.
  void note_drop() { before_ = read_copy(store_, name_); }
  /// The client's clock was wrong: times that it noted before may mean anything.
  void note_clock(bool is_wrong, Instant now) {
    if (is_wrong || is_clock_wrong_) clock_wrong_ = now;
    is_clock_wrong_ = is_wrong;
  }
  /// Judges the copy after a pull. Returns what is wrong, a sentence each.
  std::vector<std::string> judge(const pull::PullReport& report, const ServerLog& log, bool killed,
                                 PullKind kind, Instant now);

 private:
  /// What may be true of a URL.
  struct Allowed {
    bool present = false;
    bool absent = false;
    std::set<int> revisions;
    void add(const Allowed& other);
  };
  [[nodiscard]] Allowed allowed(const WebState& state, const std::string& url, Instant now) const;
  [[nodiscard]] Allowed allowed_since(std::size_t first, const std::string& url, Instant now) const;
  void add_ghosts(Allowed& result, const WebState& state, const std::string& url, Instant now) const;
  void add_shown(Allowed& result, const std::string& url, const LivePage& page) const;
  /// What a visitor of the site sees.
  [[nodiscard]] Allowed shown_since(std::size_t first, const std::string& url) const;
  [[nodiscard]] bool is_misled(const std::string& url, Instant now) const;
  void judge_ok(const SiteCopy& copy, const pull::PullReport& report, std::size_t first, Instant now);
  [[nodiscard]] bool was_in_section(const std::string& url) const;
  void judge_losses(const SiteCopy& copy, PullKind kind, Instant now);
  void judge_order(const SiteCopy& copy, Instant now);
  void judge_strangers(const SiteCopy& copy, bool is_ok, Instant now);
  void judge_feed(const SiteCopy& copy);
  void judge_report(const pull::PullReport& report, const ServerLog& log, bool killed, PullKind kind,
                    Instant now);
  void judge_plan(const SiteCopy& copy);
  [[nodiscard]] std::int64_t age(Instant time, Instant now) const;
  void judge_closed(const pull::PullReport& report, const ServerLog& log, bool killed, bool is_plan);
  void judge_age(const pull::PullReport& report, Instant now);
  void fault(std::string text) { faults_.push_back(std::move(text)); }

  const SiteModel& site_;
  const Traits& traits_;
  const std::string name_;
  store::PageStore& store_;
  SiteCopy before_;
  std::size_t seen_ = 0;                  ///< number of the state at the last pull
  std::size_t pass_began_ = 0;            ///< number of the state when the crawl pass began
  bool pass_was_misled_ = false;          ///< a sitemap was not shown, or not as it is
  std::set<std::string> misled_in_pass_;  ///< pages whose answer was a lie in this crawl pass
  std::map<std::string, Instant> misled_;
  bool is_clock_wrong_ = false;
  Instant clock_wrong_;       ///< when it was wrong for the last time
  bool hid_sitemap_ = false;  ///< in the last pull
  store::FeedCursor position_;
  std::set<std::pair<std::string, std::string>> followed_;  ///< URLs and sections by the change feed
  std::vector<std::string> faults_;
};

}  // namespace sheaf::simulation
