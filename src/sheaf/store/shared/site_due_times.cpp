#include "sheaf/store/shared/site_due_times.h"

#include <fmt/format.h>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr int kUpgradedAtOnce = 10'000;

}  // namespace

void DueTimes::add(int b, std::string_view origin, const std::optional<SiteSchedule>& schedule) {
  const SiteSchedule times = schedule.value_or(SiteSchedule{.next = sheaf::now()});
  b_.add(b);
  origin_.add_text(origin);
  due_.add(times.next.seconds);
  last_.add(times.last.seconds);
  fails_.add(times.failures);
  ++size_;
}

void DueTimes::add_note(int b, std::string_view origin, std::string_view name,
                        const std::optional<std::string>& value) {
  if (name != kScheduleNote) return;
  const auto schedule = value ? decode_schedule(*value) : std::nullopt;
  if (schedule || !value) add(b, origin, schedule);
}

Result<void> DueTimes::write(PgConnection& connection) const {
  if (size_ == 0) return {};
  SHEAF_TRY(connection.query(
      "UPDATE sheaf.site SET due = x.due, last = x.last, fails = x.fails FROM unnest($1::int[], $2::text[], "
      "$3::bigint[], $4::bigint[], $5::int[]) AS x(b, origin, due, last, fails) WHERE site.b = x.b AND "
      "site.origin = x.origin",
      {b_.param(), origin_.param(), due_.param(), last_.param(), fails_.param()}));
  return {};
}

Result<void> add_due_times(PgConnection& connection) {
  // A site that was never pulled is due from now on.
  SHEAF_TRY(connection.query(fmt::format(
      "ALTER TABLE sheaf.site ADD COLUMN due bigint NOT NULL DEFAULT {}, ADD COLUMN last bigint NOT NULL "
      "DEFAULT 0, ADD COLUMN fails int NOT NULL DEFAULT 0",
      sheaf::now().seconds)));
  SHEAF_TRY(connection.query("ALTER TABLE sheaf.site ALTER COLUMN due SET DEFAULT 0"));
  std::int64_t b = -1;
  std::string origin;
  while (true) {
    SHEAF_TRY_ASSIGN(
        const auto rows,
        connection.query(fmt::format("SELECT s.b, s.origin, n.value FROM sheaf.site s JOIN sheaf.note n ON "
                                     "n.b = s.b AND n.origin = s.origin AND n.name = $3 WHERE (s.b, "
                                     "s.origin) > ($1::int, $2) ORDER BY s.b, s.origin LIMIT {}",
                                     kUpgradedAtOnce),
                         {b, origin, SqlParam::bytes(kScheduleNote)}));
    DueTimes times;
    for (int i = 0; i < rows.size(); ++i) {
      b = rows.number(i, 0);
      origin = rows.text(i, 1);
      times.add_note(static_cast<int>(b), origin, kScheduleNote, std::string(rows.text(i, 2)));
    }
    SHEAF_TRY(times.write(connection));
    if (rows.size() < kUpgradedAtOnce) break;
  }
  SHEAF_TRY(connection.query("CREATE INDEX site_due ON sheaf.site (b, due)"));
  return {};
}

}  // namespace sheaf::store::shared
