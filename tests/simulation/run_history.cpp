#include "simulation/run_history.h"

#include "sheaf/pull/drop_pages.h"
#include "sheaf/pull/pull.h"
#include "simulation/killed_store.h"
#include "simulation/oracle.h"
#include "simulation/site_model.h"
#include "simulation/site_server.h"
#include "support/scripted_web.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>

namespace sheaf::simulation {
namespace {

constexpr std::int64_t kStart = 1'800'000'000;

class Run {
 public:
  Run(const History& history, const Workplace& workplace)
      : history_(history),
        workplace_(workplace),
        folder_(workplace.downloads / std::to_string(history.seed)),
        site_(history.traits, fmt::format("s{}.example", history.seed), folder_ / "site", now()),
        server_(site_) {
    use_address(site_.origin());
    web_.on_any([this](const test::SentRequest& request) { return server_.answer(request); });
    options_.fetch = web_.options();
    options_.fetch.tries = 2;
    options_.fetch.retry.first = std::chrono::milliseconds(0);  // the wait is random
    options_.threads = 1;
    options_.pack_threads = 0;
    options_.fetch.connections = 1;
    options_.clock = [this] { return Instant{now().seconds + clock_error_, 0}; };
  }
  ~Run() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    for (const std::string& name : used_) forget_site(name);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Outcome run() {
    for (const Event& event : history_.events) {
      say(describe(event));
      if (event.act == Act::wait) {
        waited_ += static_cast<std::int64_t>(event.a % (event.b % 3 == 0 ? 9 * 86'400 : 40'000));
      } else if (event.act == Act::pull) {
        pull(event);
      } else if (event.act == Act::outage) {
        change_outage(event);
      } else if (event.act == Act::clock) {
        change_clock(event);
      } else if (event.act == Act::drop) {
        drop(event);
      } else {
        waited_ += 60;
        if (event.act == Act::move_domain) saw_move_ = false;
        site_.act(event, now());
        outcome_.faults = site_.faults();
      }
      if (!outcome_.faults.empty()) return std::move(outcome_);
    }
    settle();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] Instant now() {
    return {
        kStart + waited_ + std::chrono::duration_cast<std::chrono::seconds>(web_.clock().elapsed()).count(),
        0};
  }

  void change_outage(const Event& event) {
    if (event.b % 3 == 0) return server_.end_outages();
    for (const Fault& fault : event.faults) server_.begin_outage(fault);
  }

  /// Minutes or days off, or as far as a computer whose battery is empty.
  void change_clock(const Event& event) {
    constexpr std::array kErrors = {0, 0, 5400, -5400, 3 * 86'400, -3 * 86'400, 400 * 86'400, -400 * 86'400};
    clock_error_ = kErrors[event.a % kErrors.size()];
    oracle_->note_clock(clock_error_ != 0, now());
    quiet_until_ = 0;
  }

  /// The user drops a section, or everything.
  void drop(const Event& event) {
    const auto sections = workplace_.store.sections(address_).value();
    if (sections.empty()) return;
    std::optional<std::string> section;
    if (event.b % 3 == 0)
      quiet_until_ = 0;
    else
      section = sections[event.a % sections.size()].section;
    const auto plan = pull::plan_drop(workplace_.store, address_, section);
    if (!plan || !pull::drop_pages(workplace_.store, *plan, options_.clock()))
      outcome_.faults.push_back("(f) the user cannot drop the copy");
    oracle_->note_drop();
  }

  /// The store serves many histories.
  void forget_site(const std::string& name) {
    store::SectionEdit notes(name, pull::kHtmlSection);
    notes.remove_notes("");
    static_cast<void>(workplace_.store.commit(notes));
    const auto sections = workplace_.store.sections(name).value();
    for (const store::SectionState& section : sections)
      static_cast<void>(workplace_.store.drop_section(name, section.section, now()));
  }

  void use_address(const std::string& address) {
    address_ = address;
    used_.insert(address);
    oracle_.emplace(site_, history_.traits, workplace_.store, address);
    saw_move_ = false;
    quiet_until_ = 0;
  }

  [[nodiscard]] bool is_on_other_host() const { return bare_host(address_) != bare_host(site_.origin()); }

  /// After a move, the user pulls the new address sooner or later; that of another host only when a pull said
  /// so.
  void follow_move(bool is_willing) {
    if (address_ != site_.origin() && is_willing && (saw_move_ || !is_on_other_host()))
      use_address(site_.origin());
  }

  /// (g) After the faults stop, `ok` is reached within two pulls. What the shrink guard holds back is
  /// confirmed.
  void settle() {
    waited_ += std::int64_t{9} * 86'400;
    site_.settle(now());
    server_.end_outages();
    if (clock_error_ != 0) change_clock({});
    say("the faults stop");
    if (is_on_other_host() && !saw_move_) {
      pull({});
      if (!saw_move_ && outcome_.faults.empty())
        outcome_.faults.emplace_back("(f) a pull did not say that the site has moved to another host");
    }
    follow_move(true);
    // An empty site does not replace its former copy.
    if (outcome_.faults.empty() && settle_pulls()) judge_former_copies();
  }

  /// (d) The copy under an address that the site had before is gone, if need be once that is confirmed.
  void judge_former_copies() {
    options_.shrink = format::Shrink::allow;
    pull({});
    options_.shrink = format::Shrink::refuse;
    for (const std::string& name : used_)
      if (name != address_ && !workplace_.store.sections(name).value().empty())
        outcome_.faults.push_back(
            fmt::format("(d) the copy of {}, which moved to {}, is kept", name, address_));
  }

  /// False if the site has no pages left, or a check failed.
  bool settle_pulls() {
    pull::PullReport report;
    for (int pulls = 0; pulls < 2; ++pulls) {
      report = pull({});
      // What failed in an interrupted crawl counts until that has ended.
      if (report.failure.code == pull::FailureCode::pages_failed && report.crawl && report.crawl->failed == 0)
        report = pull({});
      while (report.failure.code == pull::FailureCode::shrink_held &&
             options_.shrink == format::Shrink::refuse) {
        options_.shrink = format::Shrink::allow;
        report = pull({});
      }
      options_.shrink = format::Shrink::refuse;
      if (report.ok || !outcome_.faults.empty()) break;
      waited_ += 3600;
    }
    const bool has_no_pages =
        report.failure.code == pull::FailureCode::no_pages &&
        std::ranges::all_of(site_.now().live, [](const auto& page) { return page.second.hidden; });
    if (!report.ok && !has_no_pages && outcome_.faults.empty())
      outcome_.faults.push_back(fmt::format("(g) two pulls after the faults stopped, the result is {}: {}",
                                            pull::to_string(report.failure.code), report.failure.message));
    return report.ok && outcome_.faults.empty();
  }

  pull::PullReport pull(const Event& event) {
    waited_ += 60;
    KilledStore store(workplace_.store, event.kill);
    follow_move(event.a % 2 == 0);
    oracle_->note_clock(clock_error_ != 0, now());
    const pull::SitePullOptions options = options_for(event);
    const bool is_quiet = now().seconds < quiet_until_;
    server_.begin_pull(event.faults, event.kill_request, [&store] { store.kill(); });
    oracle_->begin_pull();
    web_.forget_requests();
    auto result = pull::pull_site(store, *base::Url::parse(address_), folder_ / "files", options);
    ++outcome_.pulls;
    if (!result) {
      outcome_.faults.push_back(fmt::format("(f) the pull ended with an error: {}", result.error().message));
      return {};
    }
    judge_quiet(is_quiet, store.is_killed(), event.kind == PullKind::plan_only);
    if (!outcome_.faults.empty()) return {};
    if (event.kind != PullKind::plan_only)
      saw_move_ = saw_move_ || result->failure.code == pull::FailureCode::site_moved;
    if (workplace_.verbose) show(*result, store.is_killed());
    outcome_.faults = oracle_->judge(*result, server_.log(), store.is_killed(), event.kind, now());
    return std::move(*result);
  }

  [[nodiscard]] pull::SitePullOptions options_for(const Event& event) const {
    pull::SitePullOptions options = options_;
    options.plan_only = event.kind == PullKind::plan_only;
    options.reset = event.kind == PullKind::reset;
    if (event.kind == PullKind::one_section) options.sections = {fmt::format("part{}", 1 + event.b % 3)};
    if (event.kind == PullKind::no_pages) options.html = FetchPages::never;
    if (event.kind == PullKind::allow_shrink) options.shrink = format::Shrink::allow;
    return options;
  }

  /// (f) A site that asked for no requests gets none from the next process.
  void judge_quiet(bool is_quiet, bool killed, bool is_plan) {
    const ServerLog& log = server_.log();
    if (is_quiet && !log.requests.empty())
      outcome_.faults.push_back(fmt::format("(f) {} was requested, but the site asked for no requests yet",
                                            log.requests.begin()->first));
    const bool is_asked = std::ranges::any_of(
        log.busy, [&](const std::string& url) { return url.starts_with(address_ + "/"); });
    if (is_asked && !killed && !is_plan) quiet_until_ = now().seconds + kBusySeconds / 2;
  }

  void show(const pull::PullReport& report, bool killed) const {
    say(fmt::format("  -> {} {}{} {}", report.ok ? "ok" : pull::to_string(report.failure.code),
                    pull::to_string(report.route), killed ? ", killed" : "", report.failure.message));
    for (const std::string& note : report.notes) say("     " + note);
    for (const pull::PullSectionReport& section : report.sections)
      say(fmt::format("     section {}: {} pages, {} added, {} changed, {} removed{} {}", section.section,
                      section.pages, section.added, section.changed, section.removed,
                      section.losses_held ? ", losses held" : "", section.failure.message));
    if (report.crawl)
      say(fmt::format(
          "     crawl: complete {}, listed {}, fetched {}, not modified {}, fresh {}, held {}, failed {}",
          report.crawl->complete, report.crawl->listed, report.crawl->fetched, report.crawl->not_modified,
          report.crawl->fresh, report.crawl->held, report.crawl->failed));
    for (const auto& [url, count] : server_.log().requests) say(fmt::format("     {} {}", count, url));
    for (const auto& [url, held] : read_copy(workplace_.store, address_)) {
      std::string line = "     has " + url + ":";
      for (const HeldPage& page : held)
        line += fmt::format(" {} {} {}", page.section, page.revision, format_time(page.modified));
      say(line);
    }
  }

  void say(const std::string& line) const {
    if (workplace_.verbose) fmt::print("{}\n", line);
  }

  const History& history_;
  const Workplace& workplace_;
  std::filesystem::path folder_;
  std::int64_t waited_ = 0;
  test::ScriptedWeb web_;
  SiteModel site_;
  SiteServer server_;
  std::string address_;  ///< that is pulled
  std::set<std::string> used_;
  std::int64_t clock_error_ = 0;  ///< of the client
  bool saw_move_ = false;         ///< a pull said that the site has moved to another host
  std::int64_t quiet_until_ = 0;  ///< the site asked for no requests
  std::optional<Oracle> oracle_;
  pull::SitePullOptions options_;
  Outcome outcome_;
};

/// The letters of the checks that failed: another failure is not the same fault made shorter.
std::string letters_of(const Outcome& outcome) {
  return outcome.faults.empty() ? std::string() : outcome.faults.front().substr(0, 3);
}

}  // namespace

Outcome run_history(const History& history, const Workplace& workplace) {
  return Run(history, workplace).run();
}

History shrink_history(History history, const Workplace& workplace) {
  const std::string letters = letters_of(run_history(history, workplace));
  const auto still_fails = [&](const History& shorter) {
    return letters_of(run_history(shorter, workplace)) == letters;
  };
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::size_t size = std::max<std::size_t>(history.events.size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t at = 0; at + size <= history.events.size();) {
        History without = history;
        const auto first = without.events.begin() + static_cast<std::ptrdiff_t>(at);
        without.events.erase(first, first + static_cast<std::ptrdiff_t>(size));
        if (still_fails(without)) {
          history = std::move(without);
          shorter = true;
        } else {
          at += size;
        }
      }
    }
    for (std::size_t i = 0; i < history.events.size(); ++i) {
      for (std::size_t fault = 0; fault < history.events[i].faults.size();) {
        History without = history;
        without.events[i].faults.erase(without.events[i].faults.begin() + static_cast<std::ptrdiff_t>(fault));
        if (still_fails(without)) {
          history = std::move(without);
          shorter = true;
        } else {
          ++fault;
        }
      }
    }
    while (history.traits.pages > 2) {
      History without = history;
      without.traits.pages -= 2;
      if (!still_fails(without)) break;
      history = std::move(without);
    }
  }
  return history;
}

}  // namespace sheaf::simulation
