#include "sheaf/store/shared/site_due_times.h"

namespace sheaf::store::shared {
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

base::Result<void> DueTimes::write(PgConnection& connection) const {
  if (size_ == 0) return {};
  SHEAF_TRY(connection.query(
      "UPDATE sheaf.site SET due = x.due, last = x.last, fails = x.fails FROM unnest($1::int[], $2::text[], "
      "$3::bigint[], $4::bigint[], $5::int[]) AS x(b, origin, due, last, fails) WHERE site.b = x.b AND "
      "site.origin = x.origin",
      {b_.param(), origin_.param(), due_.param(), last_.param(), fails_.param()}));
  return {};
}

}  // namespace sheaf::store::shared
