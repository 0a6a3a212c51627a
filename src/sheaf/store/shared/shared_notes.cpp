#include "sheaf/store/shared/shared_notes.h"

#include <algorithm>
#include <utility>
#include <vector>

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

namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kSitesAtOnce = 256;
constexpr std::size_t kNoteBytesAtOnce = std::size_t{1} << 20U;

std::size_t size_of(const NoteBatches::Notes& notes) {
  std::size_t bytes = 0;
  for (const SectionEdit::NoteChange& note : notes)
    bytes += note.name.size() + (note.value ? note.value->size() : 0);
  return bytes;
}

}  // namespace

Result<bool> NoteBatches::commit(const BucketPtr& bucket, std::string_view site, const Notes& notes) {
  if (std::ranges::any_of(notes, &SectionEdit::NoteChange::whole_prefix)) return false;
  Request request{bucket, site, &notes};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&request);
  while (!request.done) {
    if (busy_) {
      ended_.wait(lock);
      continue;
    }
    busy_ = true;
    const Batch batch = take();
    lock.unlock();
    run(batch);
    lock.lock();
    for (Request* const each : batch) each->done = true;
    busy_ = false;
    ended_.notify_all();
  }
  return std::move(request.result);
}

/// Requires the mutex.
NoteBatches::Batch NoteBatches::take() {
  Batch batch;
  std::size_t bytes = 0;
  while (!waiting_.empty() && batch.size() < kSitesAtOnce && bytes < kNoteBytesAtOnce) {
    bytes += size_of(*waiting_.front()->notes);
    batch.push_back(waiting_.front());
    waiting_.pop_front();
  }
  return batch;
}

void NoteBatches::run(const Batch& batch) {
  std::map<int, BucketPtr> buckets;
  std::vector<std::unique_lock<std::mutex>> locks;
  Rows rows;
  Batch committed;
  for (Request* const request : batch) {
    const int b = request->bucket->b;
    if (const auto checked = leases_.check(*request->bucket); !checked) {
      request->result = std::unexpected(checked.error());
      continue;
    }
    const auto [place, is_new] = buckets.emplace(b, request->bucket);
    if (is_new) {
      std::unique_lock lock(request->bucket->commit_mutex, std::try_to_lock);
      if (!lock.owns_lock()) {  // it may be held for minutes, and the other requests must not wait
        buckets.erase(place);
        continue;
      }
      locks.push_back(std::move(lock));
    } else if (place->second != request->bucket) {  // of another epoch
      continue;
    }
    for (const SectionEdit::NoteChange& note : *request->notes)
      rows.insert_or_assign({b, request->site, note.name}, &note.value);
    committed.push_back(request);
  }
  if (committed.empty()) return;
  const auto ours = write(buckets, rows);
  for (Request* const request : committed) {
    if (!ours) {
      request->result = std::unexpected(ours.error());
    } else if (std::ranges::find(*ours, request->bucket->b) == ours->end()) {
      request->bucket->lost = true;
      request->result = fail(Errc::in_use, "the site now belongs to another worker, which continues with it");
    } else {
      request->result = true;
    }
  }
}

/// Returns the buckets that this process still owns. Their notes are now written.
Result<std::vector<int>> NoteBatches::write(const std::map<int, BucketPtr>& buckets, const Rows& rows) {
  std::vector<int> ours;
  // BucketLeases updates the same rows, perhaps in another order, which would deadlock.
  const std::lock_guard lock(leases_.rows_mutex());
  SHEAF_TRY(database_.transact([&](PgConnection& connection) -> Result<void> {
    SHEAF_TRY_ASSIGN(ours, write_once(connection, buckets, rows));
    return {};
  }));
  return ours;
}

/// May be repeated if the answer to the COMMIT is lost: the values are the same, and while this transaction
/// locks the row of a bucket, nobody else changes its notes.
Result<std::vector<int>> NoteBatches::write_once(PgConnection& connection,
                                                 const std::map<int, BucketPtr>& buckets,
                                                 const Rows& rows) const {
  SqlArray numbers;
  SqlArray epochs;
  for (const auto& [b, bucket] : buckets) {
    numbers.add(b);
    epochs.add(bucket->epoch);
  }
  SHEAF_TRY_ASSIGN(const auto held,
                   connection.query("UPDATE sheaf.bucket SET run = bucket.run + 1 FROM unnest($1::int[], "
                                    "$2::bigint[]) AS x(b, epoch) WHERE bucket.b = x.b AND bucket.epoch = "
                                    "x.epoch AND bucket.owner = $3 RETURNING bucket.b",
                                    {numbers.param(), epochs.param(), leases_.id()}));
  std::vector<int> ours;
  for (int i = 0; i < held.size(); ++i) ours.push_back(static_cast<int>(held.number(i, 0)));
  std::ranges::sort(ours);
  struct Columns {
    SqlArray b, origin, name, value;
    bool any = false;
  } put, gone;
  DueTimes due_times;
  for (const auto& [key, value] : rows) {
    const auto& [b, site, name] = key;
    if (!std::ranges::binary_search(ours, b)) continue;
    Columns& columns = *value ? put : gone;
    columns.any = true;
    columns.b.add(b);
    columns.origin.add_text(site);
    columns.name.add_bytes(name);
    if (*value) columns.value.add_bytes(**value);
    due_times.add_note(b, site, name, *value);
  }
  if (gone.any)
    SHEAF_TRY(connection.query(
        "DELETE FROM sheaf.note USING unnest($1::int[], $2::text[], $3::bytea[]) AS x(b, origin, name) WHERE "
        "note.b = x.b AND note.origin = x.origin AND note.name = x.name",
        {gone.b.param(), gone.origin.param(), gone.name.param()}));
  if (put.any)
    SHEAF_TRY(connection.query(
        "INSERT INTO sheaf.note (b, origin, name, value) SELECT * FROM unnest($1::int[], $2::text[], "
        "$3::bytea[], $4::bytea[]) ON CONFLICT (b, origin, name) DO UPDATE SET value = excluded.value",
        {put.b.param(), put.origin.param(), put.name.param(), put.value.param()}));
  SHEAF_TRY(due_times.write(connection));
  return ours;
}

namespace {

constexpr std::size_t kMaxUsual = 16;
constexpr std::size_t kMaxAskedOfOne = 256;
constexpr std::size_t kMaxCommonLength = 64;

}  // namespace

void NoteReadAhead::enter(std::string_view site) {
  const std::lock_guard lock(mutex_);
  sites_.insert_or_assign(std::string(site), Site{});
}

void NoteReadAhead::leave(std::string_view site) {
  const std::lock_guard lock(mutex_);
  if (const auto found = sites_.find(site); found != sites_.end()) sites_.erase(found);
}

void NoteReadAhead::forget(std::string_view site) {
  const std::lock_guard lock(mutex_);
  const auto found = sites_.find(site);
  if (found == sites_.end()) return;
  ++found->second.commits;
  found->second.known.clear();
}

/// Requires the mutex. Names that are used by one site only, such as those of its pages, are never read
/// ahead.
void NoteReadAhead::learn(std::string_view site, std::string_view name) {
  if (usual_.size() >= kMaxUsual || name.size() > kMaxCommonLength || usual_.contains(name)) return;
  const auto found = asked_of_one_.find(name);
  if (found == asked_of_one_.end()) {
    if (asked_of_one_.size() >= kMaxAskedOfOne) asked_of_one_.clear();
    asked_of_one_.emplace(name, site);
  } else if (found->second != site) {
    usual_.insert(std::string(name));
    asked_of_one_.erase(found);
  }
}

Result<std::optional<std::string>> NoteReadAhead::find(std::string_view site, std::string_view name,
                                                       const Read& read) {
  std::vector<std::string> names{std::string(name)};
  std::optional<std::uint64_t> commits;
  {
    const std::lock_guard lock(mutex_);
    if (const auto entered = sites_.find(site); entered != sites_.end()) {
      learn(site, name);
      const auto& known = entered->second.known;
      if (const auto found = known.find(name); found != known.end()) return found->second;
      for (const std::string& usual : usual_)
        if (usual != name && !known.contains(usual)) names.push_back(usual);
      commits = entered->second.commits;
    }
  }
  SHEAF_TRY_ASSIGN(Values values, read(names));
  const auto value_of = [&](const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const std::lock_guard lock(mutex_);
  const auto entered = sites_.find(site);
  if (commits && entered != sites_.end() && entered->second.commits == *commits)
    for (const std::string& each : names) entered->second.known[each] = value_of(each);
  return value_of(names.front());
}

}  // namespace sheaf::store::shared
