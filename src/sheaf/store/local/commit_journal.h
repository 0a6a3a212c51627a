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

/// What the store was after its newest commit, in a small file beside the database. A database whose newest
/// log was lost opens as if those commits had never been made: nothing in it says that anything is missing.
/// This file does. It is appended to after each commit, so the database is never behind it unless something
/// was lost; and it is not synced, so after a power failure it may be some commits behind the database.
class CommitJournal {
 public:
  struct Section {
    std::uint64_t pages = 0;
    base::Digest state{};

    friend bool operator==(const Section&, const Section&) = default;
  };

  explicit CommitJournal(const std::filesystem::path& folder) : path_(folder / "commits") {}

  /// Reads the file. What is not there, or cannot be read any more, is as if it had never been written.
  void read();
  /// Whether the file ends with a whole record, so that more can be appended.
  [[nodiscard]] bool is_whole() const { return whole_; }
  /// After the newest commit that is in it.
  [[nodiscard]] const Meta& meta() const { return meta_; }
  /// By their keys (section_key).
  [[nodiscard]] const std::map<std::string, Section, std::less<>>& sections() const { return sections_; }

  // For the one who writes the store.

  /// A commit was made that left the section so, or without a record. A failure to write is no failure of the
  /// commit; the whole file is then written anew with the next one.
  void add(const Meta& meta, std::string_view section_key, const std::optional<Section>& section);
  void add(const Meta& meta);
  /// Starts anew from what the database has.
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
  std::uint64_t rewritten_bytes_ = 0;  ///< when it was last written as a whole
};

}  // namespace sheaf::store::local
