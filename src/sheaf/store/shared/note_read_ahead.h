#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::store::shared {

/// Reads several notes of a site with a single query, although a pull asks for them one by one. Pulls of all
/// sites ask for the same few names (robots, the pinned key, history...), so a name that was requested for
/// two sites is read ahead for all later sites.
///
/// Notes are kept only for sites that this process pulls as a worker: no other process changes them
/// meanwhile, and forget() discards them when this process commits notes. Thread-safe.
class NoteReadAhead {
 public:
  void enter(std::string_view site);
  void leave(std::string_view site);
  /// Discards the notes of the site; must be called when some of them were committed.
  void forget(std::string_view site);

  using Values = std::map<std::string, std::string, std::less<>>;  ///< by name; only notes that exist
  using Read = std::function<base::Result<Values>(std::span<const std::string> names)>;
  /// Returns the note; calls `read` if it is not known.
  base::Result<std::optional<std::string>> find(std::string_view site, std::string_view name,
                                                const Read& read);

 private:
  struct Site {
    std::uint64_t commits = 0;
    std::map<std::string, std::optional<std::string>, std::less<>> known;
  };
  void learn(std::string_view site, std::string_view name);

  std::mutex mutex_;
  std::map<std::string, Site, std::less<>> sites_;
  std::set<std::string, std::less<>> usual_;  ///< names to be read ahead
  /// By name: the only site for which it was requested so far.
  std::map<std::string, std::string, std::less<>> asked_of_one_;
};

}  // namespace sheaf::store::shared
