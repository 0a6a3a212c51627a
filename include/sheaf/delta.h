// sheaf/delta.h - diff, merge and convert collections
//
// diff_collections() writes the delta between two snapshots. merge_collections() applies deltas to a
// snapshot, or joins several deltas into one. convert_collection() rewrites a collection, for example in
// another codec. Collections may be far larger than memory, because pages are sorted on disk.
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
// What they write passes `validate --strict`. Flaws of the inputs whose meaning is clear are repaired: a time
// without an offset is written in UTC, the language en_US as en-US. Blocks of unknown type, pages without
// content, and URLs such as javascript: in schema and unknown members are left out. A delta whose times or
// pages such a change affects has no state digest.
//
// Inputs are read twice and must not change in between. "-" and pipes are copied to a temporary file first.
// Outputs are written atomically: a file appears complete or not at all.
//
// Errors: invalid_data if the inputs are not valid collections of one section in the given order; refused if
// a safety check stops the operation (DeltaOptions lists the checks); otherwise an I/O error.
//
// Threads: all functions are thread-safe.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/error.h>
#include <sheaf/writer.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// Whether an update may remove all pages of a section, or more than half of five or more.
enum class Shrink : std::uint8_t { refuse, allow };
/// What to do with stale pages: pages that differ although their `modified` is not later than before. A
/// client that applies the delta would keep the old version of such a page.
enum class Stale : std::uint8_t { refuse, leave_out };
/// What to do if the merged pages do not match the state digest of the last collection.
enum class StateMismatch : std::uint8_t { refuse, allow };

struct DeltaOptions {
  Limits limits;
  unsigned threads = 1;
  std::size_t sort_memory = std::size_t{32} << 20;
  std::filesystem::path temporary_folder;  ///< default: the folder of the first target
  std::string id;  ///< id of the collection to write; default: made from section and time
  Shrink shrink = Shrink::refuse;
  Stale stale = Stale::refuse;
  StateMismatch state_mismatch = StateMismatch::refuse;
  FindingSink findings;  ///< receives the problems of the inputs
  /// Called for each page that is written otherwise than it came, or left out, with a sentence that says why.
  std::function<void(std::string_view url, std::string_view repair)> repaired;
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
};

/// Numbers of pages of a section that a run added, changed, did not change, and removed.
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
  std::uint64_t stale = 0;            ///< stale pages, skipped because of Stale::leave_out
  std::uint64_t without_content = 0;  ///< pages left out because they have no content
  WriteSummary written;
};

struct MergeSummary {
  std::uint64_t pages = 0;
  std::uint64_t replaced = 0;
  std::uint64_t inserted = 0;
  std::uint64_t removed = 0;
  std::uint64_t duplicates = 0;       ///< pages dropped because the same input has a newer page with that URL
  std::uint64_t ignored_deltas = 0;   ///< deltas that are not newer than the inputs before them
  std::uint64_t without_content = 0;  ///< pages left out because they have no content
  WriteSummary written;
};

struct ConvertSummary {
  std::uint64_t skipped = 0;          ///< pages of the input that a reader skips
  std::uint64_t duplicates = 0;       ///< pages dropped because the input has a newer page with the same URL
  std::uint64_t without_content = 0;  ///< pages left out because they have no content
  std::uint64_t findings = 0;         ///< all problems of the input
  WriteSummary written;
};

/// Writes the delta that updates a client from the snapshot `older` to the snapshot `newer`. It has the pages
/// that are new or have a later `modified`, and the removed URLs. Its `since` is the `generated` of the older
/// snapshot; its `generated` and `state` are those of the newer one. A delta without changes is written too.
Result<DiffSummary> diff_collections(const std::filesystem::path& older, const std::filesystem::path& newer,
                                     std::vector<WriterTarget> targets, const DeltaOptions& options = {});

/// Writes the snapshot that a client has after applying `deltas` to the snapshot `first`. Deltas are applied
/// in the order of their `generated`, so the order of the arguments does not matter. If `first` is a delta
/// too, the result is one delta that replaces them all. Fails with `refused` if there is a gap between two
/// inputs.
Result<MergeSummary> merge_collections(const std::filesystem::path& first,
                                       const std::vector<std::filesystem::path>& deltas,
                                       std::vector<WriterTarget> targets, const DeltaOptions& options = {});

/// Rewrites a collection in the form that docs/format.md describes: canonical lines, a checksum, for
/// snapshots a state digest, and without anything that a strict reader rejects. The head keeps its id and its
/// unknown members.
Result<ConvertSummary> convert_collection(const std::filesystem::path& input,
                                          std::vector<WriterTarget> targets,
                                          const DeltaOptions& options = {});

}  // namespace sheaf
