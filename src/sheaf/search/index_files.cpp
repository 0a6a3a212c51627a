#include "sheaf/base/record.h"
#include "sheaf/search/index_files_internal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace sheaf::search {
namespace {

constexpr const char* kPositionKey = "sheaf";

// How a position is written: not at all, as its number, or as the text of a position with several parts.
constexpr std::uint64_t kAbsent = 0;
constexpr std::uint64_t kNumber = 1;
constexpr std::uint64_t kText = 2;

void write_optional(base::RecordWriter& out, const std::optional<store::FeedCursor>& cursor) {
  if (!cursor) {
    out.number(kAbsent).number(0);
  } else if (cursor->parts() == 1) {
    out.number(kNumber).number(cursor->total());
  } else {
    out.number(kText).text(cursor->text());
  }
}

std::optional<store::FeedCursor> read_optional(base::RecordReader& in) {
  const std::uint64_t kind = in.number();
  if (kind == kText) {
    auto cursor = store::FeedCursor::parse(in.text());
    return cursor ? std::optional(std::move(*cursor)) : std::nullopt;
  }
  const std::uint64_t number = in.number();
  return kind == kNumber ? std::optional(store::FeedCursor(number)) : std::nullopt;
}

}  // namespace

IndexPosition read_position(const Xapian::Database& database) {
  const std::string bytes = database.get_metadata(kPositionKey);
  base::RecordReader in(bytes);
  IndexPosition position;
  position.version = in.number();
  position.sequence = read_optional(in);
  position.rebuilding = read_optional(in);
  return in.good() ? position : IndexPosition{};
}

void write_position(Xapian::WritableDatabase& database, const IndexPosition& position) {
  base::RecordWriter out;
  out.number(position.version);
  write_optional(out, position.sequence);
  write_optional(out, position.rebuilding);
  database.set_metadata(kPositionKey, out.bytes());
}

std::filesystem::path index_folder(const std::string& location) {
  return std::filesystem::path(location) / "search";
}

base::Error describe_failure(const Xapian::Error& error, const std::filesystem::path& folder) {
  using base::Errc;
  const std::string type = error.get_type();
  const char* const reason = error.get_error_string();
  const std::string what =
      reason != nullptr ? fmt::format("{}: {}", error.get_msg(), reason) : error.get_msg();
  if (type == "DatabaseLockError")
    return {Errc::in_use, fmt::format("{} is being updated by another process; try again when it is done",
                                      folder.string())};
  // The message of a failed commit contains the reason.
  if (what.find(std::strerror(ENOSPC)) != std::string::npos)
    return {Errc::no_space, fmt::format("cannot write the index in {}: {}", folder.string(), what)};
  // What is not a failed call of the system is something in the files that should not be there.
  if (reason == nullptr && type.starts_with("Database"))
    return {Errc::invalid_data,
            fmt::format("the index in {} is damaged ({}); `sheaf index --rebuild` makes it anew",
                        folder.string(), what)};
  return {Errc::io, fmt::format("the index in {} cannot be used: {}", folder.string(), what)};
}

}  // namespace sheaf::search
