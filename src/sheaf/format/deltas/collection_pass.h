#pragma once

#include "sheaf/base/external_sort.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/sha256.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/deltas/page_index.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sheaf::format {

/// A finding that ended the reading of `name`, as an error for callers that speak in errors.
base::Error to_error(const std::string& name, const Finding& finding);

/// One collection among those worked on: its head, and what a second pass must find again.
struct IndexedInput {
  SourceOpener open;
  std::string name;
  model::CollectionHead head;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< as it lies on disk
  std::string digest;       ///< of its bytes in the first pass
};

/// Which page of which input to act on in the second pass, and how.
struct Selected {
  enum class Role : std::uint32_t { write, leave_out, note };
  std::uint32_t input = 0;
  Role role = Role::write;
  std::uint64_t sequence = 0;
  friend bool operator<(const Selected& a, const Selected& b) {
    return std::tie(a.input, a.sequence) < std::tie(b.input, b.sequence);
  }
};

/// Reads collections page by page for diff and merge, in passes that see the same pages in the same order.
class CollectionPass {
 public:
  explicit CollectionPass(const DeltaOptions& options) : options_(options) {}

  /// Only the metadata line.
  base::Result<IndexedInput> open_head(const SourceOpener& open);

  enum class Fingerprints : std::uint8_t { yes, no };
  /// First pass: a record for each page, and for each URL in `removed`, goes to `index`.
  base::Result<void> index(IndexedInput& input, std::uint32_t number, Fingerprints fingerprints,
                           base::ExternalSort<PageRecord>& index);

  /// Second pass: `visit` gets every page with its sequence number. An input that changed in between is an
  /// error.
  using Visit = std::function<base::Result<void>(const Page& page, std::uint64_t sequence)>;
  base::Result<void> replay(const IndexedInput& input, const Visit& visit);
  /// A second pass over this input is not needed: for the progress it counts as done.
  void skip(const IndexedInput& input) { bytes_before_ += input.bytes; }

 private:
  [[nodiscard]] ReaderOptions reader_options(Detail detail) const;
  base::Result<CollectionReader> open_reader(const SourceOpener& open, const ReaderOptions& how,
                                             const FindingSink& sink, std::string& name);
  PageRecord make_record(std::string_view url, std::uint32_t input);
  void report_progress(const CollectionReader& reader);

  const DeltaOptions& options_;
  base::HashKey key_ = base::HashKey::random();
  base::Sha256 sha_;
  std::string encoded_;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t pages_ = 0;
};

/// Pages of a second pass matched with what was selected in it.
class SelectionCursor {
 public:
  explicit SelectionCursor(base::ExternalSort<Selected>& selection) : selection_(selection) {}

  /// The role of page `sequence` of `input`, or nullopt. Asked for in ascending order.
  base::Result<std::optional<Selected::Role>> role_of(std::uint32_t input, std::uint64_t sequence);

 private:
  base::ExternalSort<Selected>& selection_;
  std::optional<Selected> next_;
  bool started_ = false;
};

/// What diff and merge both work with: where to write, the sorted records of the first pass and the pages
/// chosen.
class DeltaWork {
 protected:
  DeltaWork(std::vector<WriterTarget> targets, const DeltaOptions& options);

  /// Errc::refused where `removed` of `before` pages would go and nobody said that this is meant.
  [[nodiscard]] base::Result<void> check_shrink(std::uint64_t before, std::uint64_t removed) const;
  base::Result<CollectionWriter> create_writer(model::CollectionHead head);

  std::vector<WriterTarget> targets_;
  const DeltaOptions& options_;
  std::filesystem::path folder_;
  CollectionPass pass_;
  base::ExternalSort<PageRecord> index_;
  base::ExternalSort<Selected> selection_;
};

}  // namespace sheaf::format
