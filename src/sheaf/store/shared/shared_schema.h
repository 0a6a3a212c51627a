#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/s3_credentials.h"
#include "sheaf/store/shared/pg_connection.h"

#include <cstdint>
#include <string>

// The tables of a shared store: schema `sheaf` of a database, which nothing else uses.
//
//   meta     what is fixed for the whole store
//   worker   processes that pull, for people: nothing depends on it but how many buckets each may hold
//   bucket   sites are spread over buckets by a hash of their host. A bucket has one owner at a time, and an
//            epoch that grows with every change of the owner; its part of the change feed ends with `seq`
//   site     the list of sites to pull, with the time when each is due (site_due_times.h)
//   section  a row for each section; `record` is encoded by section_record.h
//   page     the index: a row for each page, with the place of its bytes
//   pack     pages, about 128 KiB of them, compressed together; `live` counts those that are in the index
//   stage    rows of large changes before they are committed; without a write-ahead log, because they mean
//            nothing after a crash
//   change   the change feed
//   note     named bytes of a site
//   garbage  objects that no pack refers to any more, and since when
//
// `b` is first in every key: it spreads the rows over the machines of a distributed PostgreSQL. Only plain
// SQL is used, without session state, so any pool of connections may be in between.
namespace sheaf::store::shared {

struct SharedMeta {
  static constexpr std::int64_t kFormat = 2;

  std::int64_t format = kFormat;
  std::int64_t buckets = 1024;
  std::string objects;  ///< where packs are kept; empty: in the database
  std::int64_t feed_days = 90;
  std::int64_t lease_milliseconds = 15'000;
};

struct CreateOptions {
  std::int64_t buckets = 1024;
  std::string objects;
  std::int64_t feed_days = 90;
};
inline constexpr std::int64_t kMostBuckets = 65'536;

/// Creates schema and tables. Needs the right CREATE on the database, nothing more. Errors: already_exists,
/// also if the place for objects belongs to another store; invalid_argument for a database that is not UTF-8.
base::Result<void> create_shared_store(const std::string& url, const CreateOptions& options,
                                       const objects::Environment& environment = {});

/// Changes the tables of an older version. Returns the format before. Errc::in_use while workers use it.
base::Result<std::int64_t> upgrade_shared_store(const std::string& url);

/// Errors: not_found if the database has no store; invalid_data if it is of a newer or an older version.
base::Result<SharedMeta> read_meta(PgConnection& connection, const std::string& name);

}  // namespace sheaf::store::shared
