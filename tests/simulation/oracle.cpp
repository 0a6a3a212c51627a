#include "simulation/oracle.h"

#include "sheaf/pull/crawl_state.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::simulation {
namespace {

// A crawl trusts an unchanged <lastmod> for a week, so a false answer may stand that long.
constexpr std::int64_t kOldSeconds = std::int64_t{2 * 366} * 86'400;
constexpr std::int64_t kMisledSeconds = std::int64_t{8} * 86'400;
// Deletions that no delta states are found by a snapshot, fetched at least every 7 days.
constexpr std::int64_t kGhostSeconds = std::int64_t{7} * 86'400 + 7200;

// Two tries, once more if the file is damaged, and all that again if pages wait for other sections.
constexpr int kMaxRequests = 8;

}  // namespace

SiteCopy read_copy(const store::PageStore& store, const std::string& site) {
  SiteCopy copy;
  std::map<std::string, bool> crawled;
  const auto sections = store.sections(site).value();
  for (const store::SectionState& section : sections)
    crawled[section.section] = section.origin == store::Origin::html;
  store::PageFilter filter;
  filter.site = site;
  const auto walked = store.each_page(filter, [&](const store::StoredPage& page) -> base::Result<bool> {
    const auto modified = parse_time(page.modified);
    copy[page.url].push_back({page.section, crawled[page.section], revision_of(page.json),
                              modified ? modified->instant : Instant{}});
    return true;
  });
  if (!walked) copy["unreadable store: " + walked.error().message];
  for (auto& [url, held] : copy) std::ranges::stable_sort(held, std::ranges::greater(), &HeldPage::modified);
  return copy;
}

void Oracle::Allowed::add(const Allowed& other) {
  present = present || other.present;
  absent = absent || other.absent;
  revisions.insert(other.revisions.begin(), other.revisions.end());
}

Oracle::Oracle(const SiteModel& site, const Traits& traits, store::PageStore& store, std::string name)
    : site_(site),
      traits_(traits),
      name_(std::move(name)),
      store_(store),
      before_(read_copy(store, name_)),
      seen_(site.states().size() - 1),
      position_(store.newest_change().value()) {
  for (const auto& [url, held] : before_)
    for (const HeldPage& page : held) followed_.emplace(url, page.section);
}

void Oracle::begin_pull() {
  const auto pass = pull::CrawlState(store_, name_).pass().value();
  if (pass && !pass->ended) return;
  pass_began_ = site_.states().size() - 1;
  pass_was_misled_ = false;
  misled_in_pass_.clear();
}

std::vector<std::string> Oracle::judge(const pull::PullReport& report, const ServerLog& log, bool killed,
                                       PullKind kind, Instant now) {
  faults_.clear();
  for (const std::string& url : log.misled) misled_[url] = now;
  misled_in_pass_.insert(log.misled.begin(), log.misled.end());
  const SiteCopy copy = read_copy(store_, name_);
  judge_report(report, log, killed, kind, now);
  if (kind == PullKind::plan_only) {
    judge_plan(copy);
    return faults_;
  }
  pass_was_misled_ = pass_was_misled_ || log.hid_sitemap;
  pass_began_ = std::min(pass_began_, log.oldest);
  const bool is_misled = report.crawl ? pass_was_misled_ : log.hid_sitemap;
  const bool is_whole = report.ok && !killed && kind != PullKind::one_section;
  if (is_whole && !is_misled) judge_ok(copy, report, report.crawl ? pass_began_ : log.oldest, now);
  const bool goes_back = kind == PullKind::reset;  // because the user says so
  if (!goes_back && (!hid_sitemap_ || !log.hid_sitemap)) judge_losses(copy, kind, now);
  if (!goes_back) judge_order(copy, now);
  judge_strangers(copy, is_whole, now);
  judge_feed(copy);
  before_ = copy;
  // A pull that ends early may leave the copy at any state since.
  if (is_whole) seen_ = site_.states().size() - 1;
  hid_sitemap_ = log.hid_sitemap;
  return faults_;
}

/// A plan changes nothing.
void Oracle::judge_plan(const SiteCopy& copy) {
  if (copy != before_) fault("(c) a pull that only plans has changed the copy");
}

/// How long ago this was, for a client whose clock may have been wrong since.
std::int64_t Oracle::age(Instant time, Instant now) const {
  return now.seconds - std::max(time, clock_wrong_).seconds;
}

bool Oracle::is_misled(const std::string& url, Instant now) const {
  if (misled_in_pass_.contains(url)) return true;
  const auto found = misled_.find(url);
  return found != misled_.end() && age(found->second, now) < kMisledSeconds;
}

Oracle::Allowed Oracle::allowed(const WebState& state, const std::string& url, Instant now) const {
  Allowed result;
  const auto live = state.live.find(url);
  const bool is_live = live != state.live.end() && !live->second.hidden;
  const Version* best = nullptr;
  bool is_broken_somewhere = false;
  bool is_optional = true;  // only older sections have it, for which `all` stands
  const auto whole = state.sections.find("all");
  for (const auto& [name, section] : state.sections) {
    const auto found = section.pages.find(url);
    if (found == section.pages.end() || found->second.hidden) continue;
    is_broken_somewhere = is_broken_somewhere || found->second.broken;
    is_optional = is_optional && name != "all" && whole != state.sections.end() &&
                  section.generated <= whole->second.generated;
    if (best == nullptr || found->second.modified > best->modified) best = &found->second;
  }
  if (best != nullptr) {
    result.present = true;
    result.absent = is_optional || (best->broken && !is_live);
    if (best->broken) {
      if (is_live) add_shown(result, url, live->second);
      for (const auto& [name, section] : state.sections)  // a section that has not seen the break yet
        if (const auto found = section.pages.find(url); found != section.pages.end() && !found->second.broken)
          result.revisions.insert(found->second.revision);
      add_ghosts(result, state, url, now);
      return result;
    }
    result.revisions.insert(best->revision);
    if (is_broken_somewhere && is_live) add_shown(result, url, live->second);  // fetched instead
    if (whole != state.sections.end())  // stands for older sections, even if `modified` went back
      if (const auto found = whole->second.pages.find(url); found != whole->second.pages.end())
        result.revisions.insert(found->second.revision);
    for (const auto& [revision, modified] : site_.revisions(url))
      if (modified >= best->modified) result.revisions.insert(revision);
    return result;
  }
  result.present = is_live;
  result.absent = !is_live || state.had_collections;
  if (is_live) add_shown(result, url, live->second);
  add_ghosts(result, state, url, now);
  return result;
}

/// Deltas that cannot state removals leave pages behind, until a snapshot shows that they are gone.
void Oracle::add_ghosts(Allowed& result, const WebState& state, const std::string& url, Instant now) const {
  if (traits_.removed) return;
  for (const auto& [name, section] : state.sections) {
    const auto ghost = section.ghosts.find(url);
    if (ghost == section.ghosts.end()) continue;
    if (ghost->second.revealed && age(*ghost->second.revealed, now) > kGhostSeconds) continue;
    result.present = true;
    for (const auto& [revision, modified] : site_.revisions(url)) result.revisions.insert(revision);
  }
}

Oracle::Allowed Oracle::allowed_since(std::size_t first, const std::string& url, Instant now) const {
  Allowed result;
  for (std::size_t i = first; i < site_.states().size(); ++i)
    result.add(allowed(*site_.states()[i], url, now));
  return result;
}

Oracle::Allowed Oracle::shown_since(std::size_t first, const std::string& url) const {
  Allowed result;
  for (std::size_t i = first; i < site_.states().size(); ++i) {
    const auto live = site_.states()[i]->live.find(url);
    const bool is_live = live != site_.states()[i]->live.end() && !live->second.hidden;
    (is_live ? result.present : result.absent) = true;
    if (is_live) add_shown(result, url, live->second);
  }
  return result;
}

/// A crawl trusts a <lastmod> that has not changed.
void Oracle::add_shown(Allowed& result, const std::string& url, const LivePage& page) const {
  result.revisions.insert(page.revision);
  for (const auto& [revision, modified] : site_.revisions(url))
    if (traits_.lastmods && modified == page.modified) result.revisions.insert(revision);
}

/// (a) `ok` means that the copy is the newest state that the site offers. If collections cannot be used, it
/// is what its pages show.
void Oracle::judge_ok(const SiteCopy& copy, const pull::PullReport& report, std::size_t first, Instant now) {
  for (const pull::PullSectionReport& section : report.sections)
    if (report.route == pull::PullRoute::collections && section.proven == false && !section.covered)
      fault(fmt::format("(a) ok, but section {} differs from its digest", section.section));
  std::set<std::string> urls;
  for (const auto& [url, held] : copy) urls.insert(url);
  for (std::size_t i = first; i < site_.states().size(); ++i) {
    for (const auto& [url, page] : site_.states()[i]->live) urls.insert(url);
    for (const auto& [name, section] : site_.states()[i]->sections)
      for (const auto& [url, version] : section.pages) urls.insert(url);
  }
  // A crawl keeps what it must not ask for, or has never seen it.
  const auto is_disallowed = [&](const std::string& url) {
    return std::any_of(site_.states().begin() + static_cast<std::ptrdiff_t>(first), site_.states().end(),
                       [&](const auto& state) { return state->disallows(url); });
  };
  for (const std::string& url : urls) {
    if (is_misled(url, now) || is_disallowed(url)) continue;
    Allowed may = allowed_since(first, url, now);
    if (report.route == pull::PullRoute::html) {
      may.add(shown_since(first, url));
      for (const auto& [name, section] : site_.now().sections)  // an intact section is not crawled
        if (const auto found = section.pages.find(url); found != section.pages.end())
          may.revisions.insert(found->second.revision);
      add_ghosts(may, site_.now(), url, now);
    }
    // Other sections may replace `all` if they have as many pages, whatever these are.
    const bool is_covered = std::ranges::any_of(report.sections, &pull::PullSectionReport::covered);
    if (is_covered)
      for (const auto& [name, section] : site_.now().sections)
        if (const auto found = section.pages.find(url); found != section.pages.end())
          may.revisions.insert(found->second.revision);
    const auto held = copy.find(url);
    if (held == copy.end()) {
      if (is_covered) continue;
      if (!may.absent) fault(fmt::format("(a) ok, but {} is not in the copy", url));
      continue;
    }
    const HeldPage& page = held->second.front();
    // A client whose clock was wrong cannot tell which version is newer, of those that it fetched itself.
    const auto end = clock_wrong_ == Instant{} ? held->second.begin() + 1 : held->second.end();
    if (!may.present)
      fault(fmt::format("(a) ok, but {} is in the copy (section {})", url, page.section));
    else if (std::none_of(held->second.begin(), end,
                          [&](const HeldPage& each) { return may.revisions.contains(each.revision); }))
      fault(fmt::format("(a) ok, but {} is in the copy as revision {} (section {})", url, page.revision,
                        page.section));
  }
}

/// (b) No page that is alive is lost, unless robots.txt disallows it.
void Oracle::judge_losses(const SiteCopy& copy, PullKind kind, Instant now) {
  const auto was_disallowed = [&](const std::string& url) {
    return std::ranges::any_of(site_.states().begin() + static_cast<std::ptrdiff_t>(seen_),
                               site_.states().end(),
                               [&](const auto& state) { return state->disallows(url); });
  };
  for (const auto& [url, held] : before_) {
    if (copy.contains(url) || is_misled(url, now) || was_disallowed(url)) continue;
    // Nobody knows yet to which of the other sections it moved.
    if (kind == PullKind::one_section && !held.front().crawled) continue;
    // What was fetched page by page is not lost because a section does not have it.
    const bool was_crawled = held.front().crawled && !was_in_section(url);
    if ((was_crawled || !allowed_since(seen_, url, now).absent) && !shown_since(seen_, url).absent)
      fault(fmt::format("(b) {} is alive, but was deleted (section {})", url, held.front().section));
  }
}

bool Oracle::was_in_section(const std::string& url) const {
  for (std::size_t i = seen_; i < site_.states().size(); ++i)
    for (const auto& [name, section] : site_.states()[i]->sections)
      if (section.pages.contains(url)) return true;
  return false;
}

/// (c) Nothing older replaces anything newer in a section.
void Oracle::judge_order(const SiteCopy& copy, Instant now) {
  for (const auto& [url, held] : copy) {
    const auto before = before_.find(url);
    if (before == before_.end() || is_misled(url, now)) continue;
    for (const HeldPage& is : held) {
      const auto was = std::ranges::find(before->second, is.section, &HeldPage::section);
      if (was == before->second.end() || is.modified >= was->modified || is.revision >= was->revision)
        continue;
      if (!allowed(site_.now(), url, now).revisions.contains(is.revision))
        fault(fmt::format("(c) in section {}, revision {} of {} replaced the newer revision {}", is.section,
                          is.revision, url, was->revision));
    }
  }
}

/// (d) Nothing of another site is in the copy, and no text that the site never had.
void Oracle::judge_strangers(const SiteCopy& copy, bool is_ok, Instant now) {
  for (const auto& [url, held] : copy) {
    if (bare_host(url) != bare_host(name_)) fault(fmt::format("(d) {} is not a page of the site", url));
    const auto before = before_.find(url);
    const bool is_kept = !is_ok && before != before_.end() && before->second == held;
    if (is_misled(url, now) || is_kept) continue;
    for (const HeldPage& page : held)
      if (!site_.revisions(url).contains(page.revision))
        fault(fmt::format("(d) {} has a text that the site never had (section {})", url, page.section));
  }
}

/// (e) The change feed, replayed, gives the store.
void Oracle::judge_feed(const SiteCopy& copy) {
  const auto read = store_.changes(position_, [&](const store::StoreChange& change) {
    if (change.site != name_) return true;
    if (change.kind != store::ChangeKind::removed)
      followed_.emplace(change.url, change.section);
    else
      followed_.erase({change.url, change.section});
    return true;
  });
  if (!read) fault(fmt::format("(e) the change feed cannot be read: {}", read.error().message));
  position_ = store_.newest_change().value();
  std::set<std::pair<std::string, std::string>> stored;
  for (const auto& [url, held] : copy)
    for (const HeldPage& page : held) stored.emplace(url, page.section);
  for (const auto& [url, section] : stored)
    if (!followed_.contains({url, section}))
      fault(fmt::format("(e) {} is in section {}, but not by the change feed", url, section));
  for (const auto& [url, section] : followed_)
    if (!stored.contains({url, section}))
      fault(fmt::format("(e) {} is not in section {}, but is by the change feed", url, section));
}

/// (f) A failure has a code that fits, and no URL is requested again and again.
void Oracle::judge_report(const pull::PullReport& report, const ServerLog& log, bool killed, PullKind kind,
                          Instant now) {
  using pull::FailureCode;
  for (const auto& [url, requests] : log.requests)
    if (requests > kMaxRequests) fault(fmt::format("(f) {} was requested {} times", url, requests));
  const FailureCode code = report.failure.code;
  if (report.ok != (code == FailureCode::none))
    fault(fmt::format("(f) ok is {}, but the failure is {}", report.ok, pull::to_string(code)));
  const bool is_ours = code == FailureCode::internal || code == FailureCode::store_error ||
                       code == FailureCode::damaged_store || code == FailureCode::disk_full;
  if (is_ours && !killed) fault(fmt::format("(f) {}: {}", pull::to_string(code), report.failure.message));
  const bool is_network = code == FailureCode::unreachable || code == FailureCode::http_status ||
                          code == FailureCode::robots_unavailable || code == FailureCode::not_a_collection ||
                          code == FailureCode::invalid_collection;
  const bool is_excused = log.faulty || killed || is_clock_wrong_;
  if (is_network && !is_excused)
    fault(fmt::format("(f) nothing failed, but the failure is {}: {}", pull::to_string(code),
                      report.failure.message));
  for (const pull::PullSectionReport& section : report.sections)
    if (section.invalid && !is_excused)
      fault(fmt::format("(f) nothing failed, but a file of section {} could not be read", section.section));
  if (!log.robots_misled) judge_closed(report, log, killed, kind == PullKind::plan_only);
  if (report.ok && report.route == pull::PullRoute::collections) judge_age(report, now);
}

/// (f) What is closed to crawlers is left alone.
void Oracle::judge_closed(const pull::PullReport& report, const ServerLog& log, bool killed, bool is_plan) {
  const WebState& site = site_.now();
  if (site.disallowed.empty() || report.failure.code == pull::FailureCode::retry_later) return;
  for (const auto& [url, requests] : log.requests)
    if (site.disallows(url) && url.starts_with(site_.origin()) && !url.ends_with("/robots.txt"))
      fault(fmt::format("(f) {} was requested, but is disallowed", url));
  const bool is_closed = site.disallowed == "/" && name_ == site_.origin() && !killed && !is_plan;
  if (is_closed && report.failure.code != pull::FailureCode::robots_disallowed)
    fault(fmt::format("(f) the site is closed, but the failure is {}", pull::to_string(report.failure.code)));
}

/// (f) A section that is dated years ago is mentioned.
void Oracle::judge_age(const pull::PullReport& report, Instant now) {
  for (const auto& [name, section] : site_.now().sections) {
    const bool is_old = section.dated && now.seconds - section.generated.seconds > kOldSeconds;
    const auto pulled = std::ranges::find(report.sections, name, &pull::PullSectionReport::section);
    if (!is_old || pulled == report.sections.end() || !pulled->plan.newest) continue;
    const auto is_mentioned = [&](const std::string& note) {
      return note.contains("section " + name) && note.contains("days ago");
    };
    if (now.seconds - pulled->plan.newest->seconds > kOldSeconds &&
        std::ranges::none_of(report.notes, is_mentioned))
      fault(fmt::format("(f) section {} is years old, and nothing says so", name));
  }
}

}  // namespace sheaf::simulation
