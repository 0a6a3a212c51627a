#pragma once

#include "sheaf/http/server.h"
#include "sheaf/serve/folder.h"
#include "sheaf/serve/site_notices.h"

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

/// Serves a folder: collections with what their heads say, everything else as ordinary files.
///
/// Every request looks at its file anew (but where others did so milliseconds ago), so that a file published
/// a moment ago is what is served. What a file is (its head, its header lines) is kept, with the file open,
/// as long as inode, size and times are the same, and forgotten when nobody asked for ten seconds; a replaced
/// file is held open no longer than its downloads and that.
class FileSite final : public http::Site {
 public:
  using Log = std::function<void(const std::string&)>;
  static constexpr std::size_t kMostKept = 1'024;

  /// `most_kept` files at most are kept open between requests.
  FileSite(Folder folder, SiteNotices notices, Log log, std::size_t most_kept = kMostKept);

  http::Answer answer(const http::Request& request) override;
  /// Forgets what was not asked for, and reads the sitemap again when it has changed.
  void tick() override;

 private:
  struct PathHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view path) const noexcept {
      return std::hash<std::string_view>()(path);
    }
  };
  struct Entry {
    FileVersion version;
    std::shared_ptr<const http::Resource> resource;
    std::int64_t last_used = 0;  ///< in milliseconds, as all of these
    std::int64_t looked_at = 0;
    std::int64_t second_began = 0;  ///< in which `looks` were taken
    unsigned looks = 0;

    bool is_fresh(std::int64_t now);
  };
  struct Kept {
    std::mutex mutex;
    std::unordered_map<std::string, Entry, PathHash, std::equal_to<>> entries;
  };

  http::Answer answer_folder(std::string_view path);
  http::Answer answer_found(Found found, std::string_view path);
  Kept& kept_for(std::string_view path) { return kept_[PathHash()(path) % kept_.size()]; }
  std::shared_ptr<const http::Resource> find_kept(std::string_view path);
  std::shared_ptr<const http::Resource> open_anew(Found found, std::string_view path);
  std::shared_ptr<const http::Resource> make_resource(Found found, std::string_view path);
  void describe_collection(const Found& found, const std::string& name, http::Representation& representation,
                           std::vector<http::Header>& headers);
  std::shared_ptr<const SiteNotices> notices();

  Folder folder_;
  Log log_;
  std::array<Kept, 16> kept_;  ///< by hash of the path, so that threads seldom meet
  std::size_t most_in_part_;
  std::mutex notices_mutex_;
  std::shared_ptr<const SiteNotices> notices_;
  FileVersion sitemap_;  ///< the tick's own
};

}  // namespace sheaf::serve
