#include "sheaf/store/shared/bucket_share.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr std::chrono::milliseconds kBetweenLooks{100};

SqlParam array_of(std::span<const int> numbers) {
  SqlArray array;
  for (const int number : numbers) array.add(number);
  return array.param();
}

class BucketShare final : public WorkShare {
 public:
  explicit BucketShare(SharedCore& core) : core_(core) { core.leases().join_fleet(); }

  Result<Parts> parts() override {
    SHEAF_TRY_ASSIGN(const auto rows,
                     core_.database().query("SELECT value FROM sheaf.meta WHERE key = 'list'"));
    Parts parts;
    for (const auto& [b, epoch] : core_.leases().owned()) parts.owned.push_back({b, epoch});
    if (!rows.empty()) parts.list = rows.text(0, 0);
    return parts;
  }

  Result<void> wait_for_part() override {
    // Other workers may need this long to notice us and release buckets.
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(2 * core_.meta().lease_milliseconds);
    while (!core_.leases().has_share() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(kBetweenLooks);
    return {};
  }

  [[nodiscard]] int part_of(std::string_view site) const override { return core_.bucket_of(site); }

  /// The query has a subquery for each bucket, which reads only the first entries of the bucket's range of
  /// the index. One condition on all buckets would sort all of their sites.
  Result<std::vector<ScheduledSite>> first_due(std::span<const int> parts, std::size_t limit,
                                               std::int64_t until) override {
    SHEAF_TRY_ASSIGN(
        const auto rows,
        core_.database().query(
            fmt::format("SELECT k.b, s.url, s.due, s.fails FROM unnest($1::int[]) AS k(b) CROSS JOIN LATERAL "
                        "(SELECT url, due, fails FROM sheaf.site WHERE site.b = k.b AND site.due <= "
                        "$2::bigint ORDER BY site.due LIMIT {}) AS s ORDER BY k.b, s.due",
                        limit),
            {array_of(parts), until}));
    std::vector<ScheduledSite> sites;
    sites.reserve(static_cast<std::size_t>(rows.size()));
    for (int i = 0; i < rows.size(); ++i)
      sites.push_back({static_cast<int>(rows.number(i, 0)), std::string(rows.text(i, 1)), rows.number(i, 2),
                       static_cast<std::uint32_t>(rows.number(i, 3))});
    return sites;
  }

  Result<void> bring_forward(std::span<const int> parts, const Latest& latest) override {
    SHEAF_TRY(core_.database().query(
        "UPDATE sheaf.site SET due = $2::bigint WHERE b = ANY($1::int[]) AND due > $2::bigint",
        {array_of(parts), latest.due}));
    if (!latest.after_last) return {};
    SHEAF_TRY(
        core_.database().query("UPDATE sheaf.site SET due = last + $2::bigint WHERE b = ANY($1::int[]) AND "
                               "fails = 0 AND last > 0 AND due > last + $2::bigint",
                               {array_of(parts), *latest.after_last}));
    return {};
  }

  /// Not retried, unlike other queries: if the database cannot be reached, the caller continues without the
  /// counts.
  Result<Totals> count(const CountTimes& times) override {
    SHEAF_TRY_ASSIGN(const auto lease, core_.database().take());
    SqlArray owned;
    for (const auto& [b, epoch] : core_.leases().owned()) owned.add(b);
    SHEAF_TRY_ASSIGN(
        const auto rows,
        lease->query(
            "SELECT count(*), count(*) FILTER (WHERE due <= $2::bigint), count(*) FILTER (WHERE due "
            "<= $3::bigint), count(*) FILTER (WHERE fails > 0), count(*) FILTER (WHERE last >= "
            "$4::bigint AND fails = 0 AND due > last), count(*) FILTER (WHERE last >= $4::bigint AND "
            "fails > 0), count(*) FILTER (WHERE due <= $2::bigint AND (last < $4::bigint OR (fails = "
            "0 AND due <= last))), count(*) FILTER (WHERE due > $2::bigint AND last < $4::bigint AND "
            "fails > 0) FROM sheaf.site WHERE b = ANY($1::int[])",
            {owned.param(), times.now, times.late, times.started}));
    return Totals{rows.number(0, 0), rows.number(0, 1), rows.number(0, 2), rows.number(0, 3),
                  rows.number(0, 4), rows.number(0, 5), rows.number(0, 6), rows.number(0, 7)};
  }

  bool enter(std::string_view site) override {
    if (!core_.leases().enter(core_.bucket_of(site))) return false;
    core_.note_read_ahead().enter(site);
    return true;
  }
  void leave(std::string_view site) override {
    core_.note_read_ahead().leave(site);
    core_.leases().leave(core_.bucket_of(site));
  }
  [[nodiscard]] bool owns(std::string_view site) const override {
    return core_.leases().owns(core_.bucket_of(site));
  }
  void report(const WorkerLoad& load) override { core_.leases().set_load(load); }

 private:
  SharedCore& core_;
};

}  // namespace

std::unique_ptr<WorkShare> make_bucket_share(SharedCore& core) { return std::make_unique<BucketShare>(core); }

}  // namespace sheaf::store::shared
