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

  explicit CommitJournal(const std::filesystem::path& folder) : path_(folder / "commits") {}

  /// Reads the file. Missing and unreadable records count as never written.
  void read();
  /// Whether the file ends with a complete record, so that more can be appended.
  [[nodiscard]] bool is_whole() const { return whole_; }
  /// The state after the newest recorded commit.
  [[nodiscard]] const Meta& meta() const { return meta_; }
  /// By their keys (section_key).
  [[nodiscard]] const std::map<std::string, Section, std::less<>>& sections() const { return sections_; }

  // For the process that writes the store.

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
  base::FileDescriptor file_;
  Meta meta_;
  std::map<std::string, Section, std::less<>> sections_;
  bool whole_ = true;
  std::uint64_t bytes_ = 0;            ///< of the file
  std::uint64_t rewritten_bytes_ = 0;  ///< size after the last rewrite
};

}  // namespace sheaf::store::local
