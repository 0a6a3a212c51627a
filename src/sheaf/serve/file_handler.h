#pragma once

#include "sheaf/http/server/server.h"
#include "sheaf/serve/folder.h"
#include "sheaf/serve/folder_sitemaps.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sheaf::serve {

/// Serves a folder: collections with headers from their metadata lines, everything else as ordinary files.
///
/// Every request checks its file (unless another request did so milliseconds ago), so a newly published file
/// is served at once. The open file and its response headers are cached as long as inode, size and times are
/// unchanged, and dropped after ten seconds without a request. A replaced file stays open until its downloads
/// are finished.
class FileHandler final : public http::server::RequestHandler {
 public:
  using Log = std::function<void(const std::string&)>;
  static constexpr std::size_t kMaxKept = 1'024;

  /// Keeps at most `most_kept` files open between requests.
  FileHandler(Folder folder, FolderSitemaps notices, Log log, std::size_t most_kept = kMaxKept);

  http::server::Response respond(const http::server::Request& request) override;

  /// Drops unused files, switches to the new folder if the folder's path was replaced, and reads the sitemap
  /// again if it has changed.
  void tick() override;

 private:
  struct PathHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view path) const noexcept {
      return std::hash<std::string_view>()(path);
    }
  };
  using OpenFile = std::shared_ptr<const http::server::Resource>;
  struct Entry {
    FileVersion version;
    OpenFile file;
    std::int64_t last_used = 0;  ///< in milliseconds, like the other times here
    std::int64_t looked_at = 0;
    std::int64_t second_began = 0;  ///< start of the second in which `looks` are counted
    unsigned looks = 0;

    bool is_fresh(std::int64_t now);
  };
  struct Kept {
    std::mutex mutex;
    std::unordered_map<std::string, Entry, PathHash, std::equal_to<>> entries;
  };

  http::server::Response respond_with_folder(std::string_view path);
  http::server::Response respond_with(Found found, std::string_view path);
  Kept& kept_for(std::string_view path) { return kept_[PathHash()(path) % kept_.size()]; }
  OpenFile find_kept(std::string_view path);
  OpenFile open_anew(Found found, std::string_view path);
  OpenFile make_resource(Found found, std::string_view path);
  void describe_collection(const Found& found, const std::string& name,
                           http::message::Representation& representation,
                           std::vector<http::message::Header>& headers);
  std::shared_ptr<const FolderSitemaps> notices();

  Folder folder_;
  Log log_;
  std::array<Kept, 16> kept_;  ///< partitioned by hash of the path, so that threads seldom wait for each
                               ///< other
  std::size_t most_in_part_;
  std::mutex notices_mutex_;
  std::shared_ptr<const FolderSitemaps> notices_;
};

}  // namespace sheaf::serve
