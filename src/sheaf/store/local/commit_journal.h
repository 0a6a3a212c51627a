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

/// The state of the store after its newest commit, in a small file next to the database. If the newest log of
/// the database is lost, the database opens without an error but without the newest commits; this file
/// reveals the loss. A record is appended after each commit, so the database is never behind this file unless
/// data was lost. The file is not synced, because that would cost another fsync per commit. So after a power
/// failure it may be some commits behind the database.
class CommitJournal {
 public:
  struct Section {
    std::uint64_t pages = 0;
    base::Digest state{};

    friend bool operator==(const Section&, const Section&) = default;
  };

  /// The content of the file. Missing records, and those after damage, count as never written.
  struct Records {
    Meta meta;                                             ///< after the newest recorded commit
    std::map<std::string, Section, std::less<>> sections;  ///< by their keys (section_key)
    bool is_whole = true;  ///< the file ends with a complete record, so that more can be appended
    bool is_damaged =
        false;  ///< it cannot be read, and not only because a writer or a power loss cut its end
    std::uint64_t bytes = 0;  ///< size of the file
  };

  explicit CommitJournal(const std::filesystem::path& folder) : path_(folder / "commits") {}

  /// Opens the file and remembers its size, without reading it: only `verify` needs the records, and their
  /// number grows with the number of sites. Writers only append to the file or replace it, so these records
  /// can be read later.
  void hold();
  /// The records that the file had at the last hold().
  [[nodiscard]] Records read_held() const;

  // For the process that writes the store.

  /// Reads the held file, so that add() can continue it.
  void load();
  /// As of the last commit.
  [[nodiscard]] const Records& records() const { return records_; }
  /// Records a commit and the state of the section after it; nullopt if the section was dropped. A failure to
  /// write does not fail the commit; the file is then rewritten at the next commit.
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
  base::FileDescriptor file_;  ///< open for appending
  Records records_;
  std::uint64_t rewritten_bytes_ = 0;  ///< size after the last rewrite
};

}  // namespace sheaf::store::local
