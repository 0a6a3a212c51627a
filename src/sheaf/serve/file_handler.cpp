#include "sheaf/serve/file_handler.h"

#include "sheaf/base/escaping.h"
#include "sheaf/serve/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>

namespace sheaf::serve {
namespace {

constexpr std::int64_t kKeepMs = 10'000;  // a file is closed if it was not requested for this long
/// A file that was already checked kManyLooks times within a second is assumed unchanged for kLookMs after
/// each check. A check costs a tenth of a 304 response. Less popular files are checked on every request.
constexpr unsigned kManyLooks = 50;
constexpr std::int64_t kLookMs = 20;
std::int64_t monotonic_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

http::server::Response error_response(unsigned status, std::string text) {
  http::server::Response answer;
  answer.status = status;
  answer.text = std::move(text);
  return answer;
}

/// RFC 9110 8.8.2.1: Last-Modified must not be later than the response itself.
std::int64_t not_in_future(std::int64_t seconds) {
  return std::min(seconds, static_cast<std::int64_t>(std::time(nullptr)));
}

std::string location_of(std::string_view path) {
  // The encoder keeps percent signs, but in a decoded path they are literal characters.
  std::string escaped;
  for (const char c : path) {
    if (c == '%')
      escaped += "%25";
    else
      escaped += c;
  }
  std::string location;
  base::append_percent_encoded(location, escaped, base::EncodeSet::path);
  return location + "/";
}

}  // namespace

/// Whether the last check is recent enough. If not, the caller must check the file.
bool FileHandler::Entry::is_fresh(std::int64_t now) {
  if (now - second_began >= 1'000) {
    second_began = now;
    looks = 0;
  }
  if (looks >= kManyLooks && now - looked_at < kLookMs) return true;
  ++looks;
  looked_at = now;  // requests that arrive during the check use the old version
  return false;
}

FileHandler::FileHandler(Folder folder, FolderSitemaps notices, Log log, std::size_t most_kept)
    : folder_(std::move(folder)),
      log_(std::move(log)),
      most_in_part_(most_kept / kept_.size()),
      notices_(std::make_shared<const FolderSitemaps>(std::move(notices))) {}

http::server::Response FileHandler::respond(const http::server::Request& request) {
  if (request.has_encoded_slash) return error_response(404, "no such file");
  http::server::Response answer;
  answer.resource = find_kept(request.path);
  if (answer.resource) return answer;
  Found found = folder_.find(request.path);
  if (found.lookup == Lookup::folder) return respond_with_folder(request.path);
  return respond_with(std::move(found), request.path);
}

/// A folder serves its index.html at the URL with a trailing slash. There are no directory listings.
http::server::Response FileHandler::respond_with_folder(std::string_view path) {
  const bool has_slash = path.ends_with('/');
  const std::string index = std::string(path) + (has_slash ? "index.html" : "/index.html");
  Found found = folder_.find(index);
  if (found.lookup != Lookup::file) return error_response(404, "no such file");
  if (has_slash) return respond_with(std::move(found), index);
  http::server::Response answer = error_response(301, "");
  answer.headers.push_back({"Location", location_of(path)});
  return answer;
}

http::server::Response FileHandler::respond_with(Found found, std::string_view path) {
  const auto report = [&](std::string_view what) {
    log_(fmt::format("{}: {}: {}", path.substr(1), what, std::strerror(found.error)));
  };
  switch (found.lookup) {
    case Lookup::file: {
      http::server::Response answer;
      answer.resource = open_anew(std::move(found), path);
      return answer;
    }
    case Lookup::forbidden: report("cannot be read"); return error_response(403, "the file cannot be read");
    case Lookup::failed: {
      report("cannot be opened");
      http::server::Response answer = error_response(503, "the file cannot be opened now");
      answer.headers.push_back({"Retry-After", "5"});
      return answer;
    }
    default: return error_response(404, "no such file");
  }
}

FileHandler::OpenFile FileHandler::find_kept(std::string_view path) {
  Kept& kept = kept_for(path);
  FileVersion version;
  OpenFile file;
  {
    const std::lock_guard lock(kept.mutex);
    const auto known = kept.entries.find(path);
    if (known == kept.entries.end()) return {};
    Entry& entry = known->second;
    const std::int64_t now = monotonic_ms();
    entry.last_used = now;
    if (entry.is_fresh(now)) return entry.file;
    version = entry.version;
    file = entry.file;
  }
  if (folder_.version_at(path) == version) return file;
  const std::lock_guard lock(kept.mutex);
  if (const auto known = kept.entries.find(path);
      known != kept.entries.end() && known->second.version == version)
    kept.entries.erase(known);
  return {};
}

FileHandler::OpenFile FileHandler::open_anew(Found found, std::string_view path) {
  const FileVersion version = found.version;
  const std::int64_t looked_at = monotonic_ms();
  // Outside the lock, because reading a metadata line takes a while. If two threads do this for the same
  // file, one result is kept.
  OpenFile file = make_resource(std::move(found), path);
  Kept& kept = kept_for(path);
  const std::lock_guard lock(kept.mutex);
  const auto known = kept.entries.find(path);
  // Beyond this limit, files are served without being cached: each cached file is an open descriptor.
  if (known == kept.entries.end() && kept.entries.size() >= most_in_part_) return file;
  kept.entries[std::string(path)] = {.version = version, .file = file, .last_used = looked_at};
  return file;
}

FileHandler::OpenFile FileHandler::make_resource(Found found, std::string_view path) {
  const std::string name(name_of(path));
  http::message::Representation representation;
  representation.size = found.version.size;
  representation.entity_tag = fmt::format("\"{:x}-{:x}\"", found.version.modified_ns, representation.size);
  representation.last_modified = not_in_future(found.version.modified_ns / 1'000'000'000);
  std::vector<http::message::Header> headers;
  if (is_collection_name(name)) {
    describe_collection(found, std::string(path.substr(1)), representation, headers);
  } else {
    headers.push_back({"Content-Type", std::string(content_type_of(name))});
    headers.push_back({"Cache-Control", std::string(kPlainCacheControl)});
  }
  headers.push_back({"X-Content-Type-Options", "nosniff"});
  return std::make_shared<const http::server::Resource>(std::move(found.file), std::move(representation),
                                                        std::move(headers));
}

void FileHandler::describe_collection(const Found& found, const std::string& name,
                                      http::message::Representation& representation,
                                      std::vector<http::message::Header>& headers) {
  headers.push_back({"Content-Type", "application/scp"});
  if (const auto codec = codec_of(found.file.get()); codec != format::Codec::plain)
    headers.push_back({"Content-Encoding", std::string(format::to_string(codec))});
  const auto facts = read_facts(found.file.get(), name);
  if (!facts) {
    log_(facts.error().message + "; it is served without a checksum");
    headers.push_back({"Cache-Control", std::string(kPlainCacheControl)});
    return;
  }
  representation.last_modified = not_in_future(facts->generated.seconds);
  if (facts->checksum) representation.entity_tag = fmt::format("\"{}\"", *facts->checksum);
  // A collection that no sitemap lists is assumed to change often.
  const auto update = notices()->frequency_of(facts->section).value_or(site::UpdateFreq::hourly);
  headers.push_back({"Cache-Control", site::cache_control_of(facts->type, update)});
}

std::shared_ptr<const FolderSitemaps> FileHandler::notices() {
  const std::lock_guard lock(notices_mutex_);
  return notices_;
}

void FileHandler::tick() {
  folder_.follow_path();
  const bool changed = is_outdated(*notices(), folder_);
  if (changed) {
    auto fresh = std::make_shared<const FolderSitemaps>(read_notices(folder_));
    const std::lock_guard lock(notices_mutex_);
    notices_ = std::move(fresh);
  }
  const std::int64_t oldest = monotonic_ms() - kKeepMs;
  for (Kept& kept : kept_) {
    const std::lock_guard lock(kept.mutex);
    // The Cache-Control of collections depends on the sitemaps.
    std::erase_if(kept.entries,
                  [&](const auto& entry) { return changed || entry.second.last_used < oldest; });
  }
}

}  // namespace sheaf::serve
