#include "sheaf/search/index_files_internal.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

namespace sheaf::search {
namespace {

constexpr const char* kPositionKey = "sheaf";
constexpr const char* kShardsKey = "shards";

}  // namespace

IndexPosition read_position(const Xapian::Database& database) {
  return decode_index_position(database.get_metadata(kPositionKey));
}

void write_position(Xapian::WritableDatabase& database, const IndexPosition& position) {
  database.set_metadata(kPositionKey, encode(position));
}

std::size_t read_shards(const Xapian::Database& head) {
  const std::string text = head.get_metadata(kShardsKey);
  std::size_t shards = 0;
  std::from_chars(text.data(), text.data() + text.size(), shards);
  if (shards == 0 || shards > kMaxShards)
    throw Xapian::DatabaseCorruptError("the number of shards is missing");
  return shards;
}

void write_shards(Xapian::WritableDatabase& head, std::size_t shards) {
  head.set_metadata(kShardsKey, std::to_string(shards));
}

std::filesystem::path shard_folder(const std::filesystem::path& folder, std::size_t number) {
  return folder / std::to_string(number);
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
    return {Errc::in_use,
            fmt::format("{} is being updated by another process or thread; try again when it is done",
                        folder.string())};
  // The message of a failed commit contains the reason.
  if (what.find(std::strerror(ENOSPC)) != std::string::npos)
    return {Errc::no_space, fmt::format("cannot write the index in {}: {}", folder.string(), what)};
  // Without a failed system call, an error of the database means that its files are damaged. If one of them
  // is missing, so is the index: a power loss while it was being created can do that.
  const bool is_missing = reason != nullptr && std::string_view(reason) == std::strerror(ENOENT);
  if ((reason == nullptr || is_missing) && type.starts_with("Database"))
    return {Errc::invalid_data,
            fmt::format("the index in {} is damaged ({}); `sheaf index --rebuild` rebuilds it",
                        folder.string(), what)};
  return {Errc::io, fmt::format("the index in {} cannot be used: {}", folder.string(), what)};
}

}  // namespace sheaf::search
