#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/sha256.h"
#include "sheaf/store/local/store_records.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::store::local {

/// The state of the store after its newest commit, in a small file beside the database. A database that lost
/// its newest log opens without those commits and without an error; this file reveals the loss. It is
/// appended after each commit, so the database is never behind it unless data was lost. It is not synced, so
/// after a power failure it may be some commits behind the database; syncing it would cost another fsync per
/// commit.
class CommitJournal {
 public:
  struct Section {
    std::uint64_t pages = 0;
    base::Digest state{};

    friend bool operator==(const Section&, const Section&) = default;
  };

  /// What the file says. Missing and unreadable records count as never written.
  struct Records {
    Meta meta;                                             ///< after the newest recorded commit
    std::map<std::string, Section, std::less<>> sections;  ///< by their keys (section_key)
    bool is_whole = true;     ///< the file ends with a complete record, so that more can be appended
    std::uint64_t bytes = 0;  ///< of the file
  };

  explicit CommitJournal(const std::filesystem::path& folder) : path_(folder / "commits") {}

  /// Holds the file as it is now, without reading it: only `verify` needs the records, and they grow with the
  /// number of sites. The file is appended to and replaced, never changed, so they can be read later.
  void hold();
  /// The records of the file as it was when it was held.
  [[nodiscard]] Records read_held() const;

  // For the process that writes the store.

  /// Reads the held file, to continue it.
  void load();
  /// As of the last commit.
  [[nodiscard]] const Records& records() const { return records_; }
  /// Records a commit that left the section in this state, or without a record. A failure to write does not
  /// fail the commit; the file is rewritten at the next one.
  void add(const Meta& meta, std::string_view section_key, const std::optional<Section>& section);
  void add(const Meta& meta);
  /// Rewrites the file from the database.
  void replace(const Meta& meta, std::map<std::string, Section, std::less<>> sections);

 private:
  bool append(std::string_view bytes);
  void rewrite();

  std::filesystem::path path_;
  base::FileDescriptor held_;
  std::uint64_t held_bytes_ = 0;
  base::FileDescriptor file_;  ///< to append to
  Records records_;
  std::uint64_t rewritten_bytes_ = 0;  ///< size after the last rewrite
};

}  // namespace sheaf::store::local
