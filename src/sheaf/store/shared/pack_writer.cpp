#include "sheaf/store/shared/pack_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kHeldPackBytes = std::size_t{2} << 20U;
constexpr std::size_t kUpdatesAtOnce = 5'000;

constexpr const char* kInsertPack =
    "INSERT INTO sheaf.pack (b, pack, pages, live, raw, dictionary, bytes, object) "
    "VALUES ($1, $2, $3, $4, $5, $6::boolean, $7, $8) ON CONFLICT (b, pack) DO NOTHING";

}  // namespace

PackWriter::PackWriter(SharedCore& core, BucketPtr bucket)
    : core_(core),
      bucket_(std::move(bucket)),
      builder_(core.meta().objects.empty() ? kPackBytes : kObjectPackBytes) {}

PackWriter::~PackWriter() {
  if (kept_ || written_.empty()) return;
  // gc deletes packs that cannot be deleted here, once the epoch of the bucket has changed.
  SqlArray numbers;
  for (const std::uint64_t number : written_) numbers.add(static_cast<std::int64_t>(number));
  const auto lease = core_.database().take();
  if (!lease) return;
  (void)(*lease)->query("DELETE FROM sheaf.pack WHERE b = $1 AND pack = ANY($2::bigint[]) AND live = 0",
                        {bucket_->b, numbers.param()});
}

std::uint64_t PackWriter::new_number() {
  return (static_cast<std::uint64_t>(bucket_->epoch) << kPackEpochShift) + ++bucket_->next_pack;
}

Result<Place> PackWriter::add(const PageData& data) {
  if (data.json.size() > kMaxPackBytes / 2)
    return fail(Errc::invalid_data, fmt::format("the page {} is too large for a shared store", data.url));
  if (builder_.pages() == 0) number_ = new_number();
  const Place place{number_, builder_.add(data)};
  if (builder_.is_full()) SHEAF_TRY(end_pack());
  return place;
}

Result<void> PackWriter::close() { return builder_.pages() > 0 ? end_pack() : Result<void>(); }

Result<void> PackWriter::end_pack() {
  Pack pack{number_, builder_.pages(), builder_.raw().size(), !dictionary_.empty(),
            compress_pack(builder_.raw(), dictionary_,
                          core_.meta().objects.empty() ? kPackLevel : kObjectPackLevel)};
  if (pack.bytes.empty()) return fail(Errc::io, "a pack of pages cannot be compressed: out of memory");
  if (dictionary_.empty() && builder_.raw().size() >= kPackBytes)
    dictionary_ = make_dictionary(builder_.raw());
  builder_.clear();
  if (!core_.meta().objects.empty() && pack.bytes.size() >= kObjectBytes) SHEAF_TRY(put_object(pack));
  held_bytes_ += pack.bytes.size();
  held_.push_back(std::move(pack));
  return held_bytes_ > kHeldPackBytes ? write_held() : Result<void>();
}

Result<void> PackWriter::put_object(Pack& pack) {
  if (!objects_) {
    SHEAF_TRY_ASSIGN(objects_, core_.open_objects());
  }
  SHEAF_TRY_ASSIGN(pack.object, objects_->put(pack.bytes));
  pack.bytes.clear();
  return {};
}

Result<void> PackWriter::insert(PgConnection& connection, const Pack& pack, std::uint32_t live) const {
  SHEAF_TRY(connection.query(kInsertPack,
                             {bucket_->b, static_cast<std::int64_t>(pack.number), pack.pages, live,
                              static_cast<std::int64_t>(pack.raw), pack.with_dictionary ? "true" : "false",
                              pack.object.empty() ? SqlParam::bytes(pack.bytes) : SqlParam::null(),
                              pack.object.empty() ? SqlParam::null() : SqlParam(pack.object)}));
  return {};
}

Result<void> PackWriter::write_held() {
  SHEAF_TRY(core_.leases().check(*bucket_));
  const auto work = [&](PgConnection& connection) -> Result<void> {
    // This transaction need not wait for the disk: the log is written in order, and the commit of the
    // operation waits for it.
    SHEAF_TRY(connection.query("SET LOCAL synchronous_commit = off"));
    for (const Pack& pack : held_) SHEAF_TRY(insert(connection, pack, 0));
    return {};
  };
  SHEAF_TRY(core_.database().transact(work));
  for (const Pack& pack : held_) written_.push_back(pack.number);
  held_.clear();
  held_bytes_ = 0;
  return {};
}

std::uint32_t PackWriter::live_of(std::uint64_t pack) const {
  const auto found = live_.find(pack);
  return found == live_.end() ? 0 : found->second;
}

Result<void> PackWriter::commit(PgConnection& connection) const {
  for (const Pack& pack : held_)
    if (const std::uint32_t live = live_of(pack.number); live > 0) SHEAF_TRY(insert(connection, pack, live));
  for (std::size_t begin = 0; begin < written_.size(); begin += kUpdatesAtOnce) {
    SqlArray numbers;
    SqlArray counts;
    const std::size_t end = std::min(begin + kUpdatesAtOnce, written_.size());
    for (std::size_t i = begin; i < end; ++i) {
      numbers.add(static_cast<std::int64_t>(written_[i]));
      counts.add(live_of(written_[i]));
    }
    SHEAF_TRY_ASSIGN(const auto updated,
                     connection.query("UPDATE sheaf.pack SET live = x.live FROM unnest($2::bigint[], "
                                      "$3::int[]) AS x(pack, live) WHERE pack.b = $1 AND pack.pack = x.pack",
                                      {bucket_->b, numbers.param(), counts.param()}));
    if (updated.changed() != static_cast<std::int64_t>(end - begin))
      return fail(Errc::io,
                  "pages that were written are gone: the database was restored or lost commits; "
                  "pull the site again");
  }
  return {};
}

}  // namespace sheaf::store::shared
