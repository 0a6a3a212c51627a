#pragma once

#include "sheaf/base/url.h"
#include "sheaf/pull/pull.h"
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace sheaf::pull {

/// Remembers which sites are being pulled, in a small file for each. If the process dies, the next one finds
/// the files: each of these sites gets a strike, because one of them may have caused it. A pull that ends
/// clears the strikes of its site. So a site whose pull crashes the process cannot end the pulls of all
/// others for ever:
///
/// - A site with a strike is a suspect. The fleet pulls one suspect at a time, so the next crash accuses only
///   one of them.
/// - After kMaxStrikes a site is skipped for kSkipTime, then tried again. An operator who kills the process
/// in
///   the same site again and again delays that site by a day, but no other.
///
/// The files are not synced: they survive the process, and after a power failure nobody is accused.
/// Thread-safe.
class CrashNotes {
 public:
  static constexpr std::uint32_t kMaxStrikes = 2;
  static constexpr std::chrono::hours kSkipTime{24};

  /// Reads the notes of the last process below `downloads` and counts the strikes. Only one process may use
  /// the folder. If it cannot be written, crashes are not counted.
  CrashNotes(const std::filesystem::path& downloads, Instant now);

  [[nodiscard]] bool is_suspect(const base::Url& site) const;
  /// The report of a site that is skipped at the moment; nullopt if it may be pulled.
  [[nodiscard]] std::optional<PullReport> skip(const base::Url& site, Instant now) const;

  /// A pull that is under way.
  class Pull {
   public:
    Pull(CrashNotes& notes, const base::Url& site);
    ~Pull();
    Pull(const Pull&) = delete;
    Pull& operator=(const Pull&) = delete;
    /// The pull came to its end, so it did not crash. Without this call the strikes stay as they were.
    void complete() { completed_ = true; }

   private:
    CrashNotes& notes_;
    std::string name_;
    bool completed_ = false;
  };

 private:
  struct Note {
    std::uint32_t strikes = 0;
    std::int64_t last = 0;   ///< time of the last strike
    bool in_flight = false;  ///< a pull is under way
  };
  void write(const std::string& name, const Note& note) const;

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::map<std::string, Note> notes_;  ///< by file name: suspects and pulls that are under way
};

}  // namespace sheaf::pull
