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

/// Reads the notes that a pull asks for one by one with a single query. Pulls of all sites ask for the same
/// few names (robots, the pinned key, history...): a name that was asked for of two sites is read ahead for
/// the next ones.
///
/// Only for sites that this process pulls as a worker: nobody else changes their notes meanwhile, and what
/// this process commits makes it forget them. Any thread.
class NoteReadAhead {
 public:
  void enter(std::string_view site);
  void leave(std::string_view site);
  /// Notes of the site were committed.
  void forget(std::string_view site);

  using Values = std::map<std::string, std::string, std::less<>>;  ///< of notes that exist
  using Read = std::function<base::Result<Values>(std::span<const std::string> names)>;
  /// The note, read unless it is known.
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
  std::set<std::string, std::less<>> usual_;                      ///< names that are read ahead
  std::map<std::string, std::string, std::less<>> asked_of_one_;  ///< name and site
};

}  // namespace sheaf::store::shared
