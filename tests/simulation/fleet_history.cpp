#include "simulation/fleet_history.h"

#include "sheaf/pull/fleet_feed.h"
#include "simulation/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace sheaf::simulation {
namespace {

using store::ScheduledSite;
using store::WorkShare;

constexpr int kParts = 6;
constexpr std::int64_t kFleetStart = 1'800'000'000;
constexpr std::int64_t kLease = 60;      // seconds without which a worker loses its parts
constexpr std::int64_t kInTime = 2'400;  // seconds in which calm workers, perhaps only one, pull what is due

/// The list, as the database has it.
struct SharedList {
  struct Site {
    int part = 0;
    std::int64_t due = 0;
  };
  struct Lease {
    int owner = -1;
    std::int64_t epoch = 0;
    std::int64_t until = 0;
  };
  std::map<std::string, Site> sites;  ///< by URL
  std::map<int, Lease> leases;
  int version = 1;
  std::int64_t now = kFleetStart;
  [[nodiscard]] bool owns(int worker, int part) const {
    const auto found = leases.find(part);
    return found != leases.end() && found->second.owner == worker && found->second.until > now;
  }
};

int part_of_site(std::string_view site) {
  int sum = 0;
  for (const char c : site) sum += c;
  return sum % kParts;
}

/// One worker's view of it.
class Share final : public WorkShare {
 public:
  Share(const SharedList& list, int worker) : list_(list), worker_(worker) {}
  base::Result<Parts> parts() override {
    Parts parts{{}, std::to_string(list_.version)};
    for (const auto& [number, lease] : list_.leases)
      if (list_.owns(worker_, number)) parts.owned.push_back({number, lease.epoch});
    return parts;
  }
  base::Result<void> wait_for_part() override { return {}; }
  [[nodiscard]] int part_of(std::string_view site) const override { return part_of_site(site); }
  base::Result<std::vector<ScheduledSite>> first_due(std::span<const int> parts, std::size_t limit,
                                                     std::int64_t until) override {
    std::vector<ScheduledSite> found;
    for (const int part : parts) {
      std::vector<ScheduledSite> due;
      for (const auto& [origin, site] : list_.sites)
        if (site.part == part && site.due <= until) due.push_back({part, origin + "/", site.due, 0});
      std::ranges::stable_sort(due, {}, &ScheduledSite::due);
      due.resize(std::min(due.size(), limit));
      found.insert(found.end(), due.begin(), due.end());
    }
    return found;
  }
  base::Result<void> bring_forward(std::span<const int> /*parts*/, const Latest& /*latest*/) override {
    return {};
  }
  base::Result<Totals> count(const CountTimes& /*times*/) override { return Totals{}; }
  bool enter(std::string_view site) override { return owns(site); }
  void leave(std::string_view /*site*/) override {}
  [[nodiscard]] bool owns(std::string_view site) const override {
    return list_.owns(worker_, part_of_site(site));
  }
  void report(const store::WorkerLoad& /*load*/) override {}

 private:
  const SharedList& list_;
  int worker_;
};

/// A worker process. It takes due sites as Fleet does, but in virtual time.
class Worker {
 public:
  Worker(SharedList& list, int number)
      : list_(list),
        number_(number),
        share_(list, number),
        options_(make_options(list)),
        feed_(state_, share_, options_) {}

  struct Turn {
    std::size_t member = 0;
    std::string site;
    std::int64_t epoch = 0;  ///< of its part's lease, when it began
    std::int64_t ends = 0;
  };

  void look(std::vector<std::string>& faults) {
    seen_ = list_.version;
    if (const auto fed = feed_.feed(); !fed) faults.push_back("(h) feed: " + fed.error().message);
    if (state_.roster.count() > kParts * 4 * (options_.window + 4))
      faults.push_back(fmt::format("(h) {} sites are in memory", state_.roster.count()));
  }

  /// Begins a turn, if a site is due and a place is free.
  const Turn* begin_turn(std::int64_t seconds, std::vector<std::string>& faults) {
    if (turns_.size() >= 3) return nullptr;
    const auto number = state_.queue.first_due(list_.now, [](std::size_t) { return true; });
    if (!number) return nullptr;
    pull::FleetMember& member = state_.roster[*number];
    state_.remove_from_queue(*number);
    const std::string site(member.origin);
    if (!share_.enter(site)) return nullptr;  // its part was lost; the feed drops it
    member.running = true;
    if (!list_.sites.contains(site) && seen_ == list_.version)
      faults.push_back(fmt::format("(h) {} is pulled, but was removed", site));
    turns_.push_back({*number, site, list_.leases.at(part_of_site(site)).epoch, list_.now + seconds});
    return &turns_.back();
  }

  /// Ends turns whose time has come. A worker that lost the lease meanwhile cannot commit.
  void end_turns(Random& random) {
    for (std::size_t i = 0; i < turns_.size();) {
      if (turns_[i].ends > list_.now) {
        ++i;
        continue;
      }
      const Turn turn = turns_[i];
      turns_.erase(turns_.begin() + static_cast<std::ptrdiff_t>(i));
      end_turn(turn, random);
    }
  }

  [[nodiscard]] const std::vector<Turn>& turns() const { return turns_; }

 private:
  static pull::FleetJob make_options(const SharedList& list) {
    pull::FleetJob options;
    options.once = false;
    options.window = 8;
    options.pull.clock = [&list] { return Instant{list.now, 0}; };
    return options;
  }

  void end_turn(const Turn& turn, Random& random) {
    pull::FleetMember& member = state_.roster[turn.member];
    member.running = false;
    const int part = part_of_site(turn.site);
    const auto listed = list_.sites.find(turn.site);
    if (list_.owns(number_, part) && list_.leases.at(part).epoch == turn.epoch) {
      member.due = list_.now + 300 + random.below(3000);
      if (listed != list_.sites.end()) listed->second.due = member.due;
      if (feed_.keeps(turn.member)) state_.put_into_queue(turn.member);
    }
    feed_.end_turn(turn.member);
  }

  SharedList& list_;
  int number_;
  Share share_;
  pull::FleetJob options_;
  pull::FleetState state_;
  pull::FleetFeed feed_;
  std::vector<Turn> turns_;
  int seen_ = 0;  ///< the version of the list that it read last
};

class FleetRun {
 public:
  explicit FleetRun(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 3; ++i) workers_.push_back(std::make_unique<Worker>(list_, next_worker_++));
    paused_.resize(workers_.size());
    for (std::uint32_t i = 10 + random_.below(150); i > 0; --i) add_site();
  }

  std::vector<std::string> run() {
    for (int step = 0; step < 400 && faults_.empty(); ++step) {
      if (random_.chance(20)) disturb();
      advance(1 + random_.below(random_.chance(5) ? 300 : 12));
    }
    std::ranges::fill(paused_, 0);
    const std::int64_t calm = list_.now;
    while (list_.now < calm + kInTime && faults_.empty()) advance(5);
    for (const auto& [site, state] : list_.sites)
      if (state.due <= calm && faults_.empty())
        faults_.push_back(
            fmt::format("(h) {} is due for {} seconds and is not pulled", site, list_.now - state.due));
    return std::move(faults_);
  }

 private:
  void add_site() {
    const std::string site = fmt::format("https://s{}.example", next_site_++);
    list_.sites[site] = {part_of_site(site), list_.now + random_.below(2000)};
    ++list_.version;
  }

  void disturb() {
    const std::size_t number = random_.below(static_cast<std::uint32_t>(workers_.size()));
    switch (random_.below(6)) {
      case 0: add_site(); break;
      case 1:
        if (!list_.sites.empty()) {
          list_.sites.erase(
              std::next(list_.sites.begin(), random_.below(static_cast<std::uint32_t>(list_.sites.size()))));
          ++list_.version;
        }
        break;
      case 2: kill(number); break;
      case 3: paused_[number] = list_.now + random_.below(200); break;
      case 4: {  // somebody asks for a pull at once
        if (list_.sites.empty()) break;
        auto& site =
            *std::next(list_.sites.begin(), random_.below(static_cast<std::uint32_t>(list_.sites.size())));
        site.second.due = std::min(site.second.due, list_.now);
        ++list_.version;
        break;
      }
      default:  // a part moves
        list_.leases[static_cast<int>(random_.below(kParts))].until = 0;
    }
  }

  /// A worker dies, and another takes its place.
  void kill(std::size_t number) {
    workers_[number] = std::make_unique<Worker>(list_, next_worker_++);
    owners_[number] = next_worker_ - 1;
  }

  void advance(std::int64_t seconds) {
    list_.now += seconds;
    lease_parts();
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (paused_[i] > list_.now) continue;
      Worker& worker = *workers_[i];
      worker.end_turns(random_);
      if (random_.chance(70)) worker.look(faults_);
      while (const Worker::Turn* turn = worker.begin_turn(1 + random_.below(30), faults_)) note_begin(*turn);
    }
  }

  /// What the database decides: a lease that its owner renewed stays, others go to some worker.
  void lease_parts() {
    for (int part = 0; part < kParts; ++part) {
      SharedList::Lease& lease = list_.leases[part];
      for (std::size_t i = 0; i < workers_.size(); ++i)
        if (owners_[i] == lease.owner && paused_[i] <= list_.now && lease.until > 0)
          lease.until = list_.now + kLease;
      if (lease.until > list_.now) continue;
      const std::size_t next = random_.below(static_cast<std::uint32_t>(workers_.size()));
      if (paused_[next] > list_.now) continue;
      lease = {owners_[next], lease.epoch + 1, list_.now + kLease};
    }
  }

  void note_begin(const Worker::Turn& turn) {
    // A worker that lost its lease may still be busy, but what it does is not committed.
    std::size_t valid = 0;
    for (const auto& worker : workers_)
      for (const Worker::Turn& other : worker->turns())
        if (other.site == turn.site && other.epoch == turn.epoch) ++valid;
    if (valid > 1) faults_.push_back(fmt::format("(h) {} is pulled twice at once", turn.site));
  }

  Random random_;
  SharedList list_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<int> owners_ = {0, 1, 2};  ///< number of the worker in each place
  std::vector<std::int64_t> paused_;
  int next_worker_ = 0;
  int next_site_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> run_fleet_history(std::uint64_t seed) { return FleetRun(seed).run(); }

}  // namespace sheaf::simulation
