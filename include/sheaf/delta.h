// sheaf/delta.h - diff, merge and convert collections
//
// The delta that leads from one snapshot to the next, the snapshot that results from applying deltas, one
// delta instead of several, and the same collection in another codec. For collections far larger than memory:
// pages are sorted on disk.
//
//     #include <sheaf/delta.h>
//
//     #include <cstdio>
//
//     int main() {
//       const std::vector<sheaf::WriterTarget> delta = {{"delta.scp.gz", sheaf::Codec::gzip, {}}};
//       const auto made = sheaf::diff_collections("monday.scp", "tuesday.scp", delta);
//       if (!made) return std::fprintf(stderr, "%s\n", made.error().message.c_str()), 1;
//       std::printf("%d new, %d changed, %d removed\n", static_cast<int>(made->added),
//                   static_cast<int>(made->changed), static_cast<int>(made->removed));
//       const std::vector<sheaf::WriterTarget> copy = {{"copy.scp", sheaf::Codec::plain, {}}};
//       return sheaf::merge_collections("monday.scp", {"delta.scp.gz"}, copy) ? 0 : 1;
//     }
//
// Inputs are read twice and must not change in between. "-" and pipes are copied to a temporary file first.
// Outputs appear whole or not at all.
//
// Errors: invalid_data for inputs that are not valid collections of one section in this order; refused when a
// safety check stops the operation (DeltaOptions says which there are); or a failure to read or write.
//
// Threads: any number of calls at a time.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/error.h>
#include <sheaf/writer.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sheaf {

/// Whether more than half of a section of over 20 pages may disappear at once.
enum class Shrink : std::uint8_t { refuse, allow };
/// Pages that changed although their `modified` did not move on: a reader of the delta would keep the old
/// ones.
enum class Stale : std::uint8_t { refuse, leave_out };
/// What to do when merged pages do not add up to the state that the last collection states.
enum class StateMismatch : std::uint8_t { refuse, allow };

struct DeltaOptions {
  Limits limits;
  unsigned threads = 1;
  std::size_t sort_memory = std::size_t{32} << 20;
  std::filesystem::path temporary_folder;  ///< beside the first target unless given
  std::string id;  ///< of the collection written; made from section and time unless given
  Shrink shrink = Shrink::refuse;
  Stale stale = Stale::refuse;
  StateMismatch state_mismatch = StateMismatch::refuse;
  FindingSink findings;  ///< what is wrong with the inputs
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
};

/// How many pages of a section a run added, changed, left as they were, and removed.
struct PageChanges {
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;

  PageChanges& operator+=(const PageChanges& other) {
    added += other.added;
    changed += other.changed;
    unchanged += other.unchanged;
    removed += other.removed;
    return *this;
  }
};

struct DiffSummary : PageChanges {
  std::uint64_t stale = 0;  ///< left out because of Stale::leave_out
  WriteSummary written;
};

struct MergeSummary {
  std::uint64_t pages = 0;
  std::uint64_t replaced = 0;
  std::uint64_t inserted = 0;
  std::uint64_t removed = 0;
  std::uint64_t duplicates = 0;      ///< pages of an input that a newer page of it with the same URL replaces
  std::uint64_t ignored_deltas = 0;  ///< not newer than the inputs before them
  WriteSummary written;
};

struct ConvertSummary {
  std::uint64_t skipped = 0;     ///< pages of the input that a reader skips
  std::uint64_t duplicates = 0;  ///< pages of the input that a newer page with the same URL replaces
  std::uint64_t findings = 0;    ///< everything that is wrong with the input
  WriteSummary written;
};

/// Writes the delta that takes a reader from the snapshot `older` to the snapshot `newer`: pages that are new
/// or have a later `modified`, removed URLs, `since` the older and `generated` the newer time, and the
/// newer's state digest. A delta without changes is written too.
Result<DiffSummary> diff_collections(const std::filesystem::path& older, const std::filesystem::path& newer,
                                     std::vector<WriterTarget> targets, const DeltaOptions& options = {});

/// Writes the snapshot that a reader has after applying `deltas` to the snapshot `first`, in the order of
/// their `generated`, whatever their order here. If `first` is a delta too, the result is one delta that
/// takes the place of all. A gap between two inputs is refused.
Result<MergeSummary> merge_collections(const std::filesystem::path& first,
                                       const std::vector<std::filesystem::path>& deltas,
                                       std::vector<WriterTarget> targets, const DeltaOptions& options = {});

/// Writes a collection again in the form of docs/format.md: canonical lines, a checksum, for snapshots a
/// state digest, without what a reader would drop. The head keeps its id and its unknown members.
Result<ConvertSummary> convert_collection(const std::filesystem::path& input,
                                          std::vector<WriterTarget> targets,
                                          const DeltaOptions& options = {});

}  // namespace sheaf
