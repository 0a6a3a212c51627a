#pragma once

#include "sheaf/base/external_sort.h"
#include "sheaf/base/hash.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/deltas/page_index.h"
#include "sheaf/format/deltas/result_writer.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sheaf::format {

/// Converts the finding that ended the reading of `name` to an error.
base::Error to_error(const std::string& name, const Finding& finding);

/// An input collection: its head, and what identifies its content in the second pass.
struct IndexedInput {
  SourceOpener open;
  std::string name;
  model::CollectionHead head;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< compressed
  std::string digest;       ///< of its bytes in the first pass
};

/// A page of an input that is selected for the second pass, and what to do with it there.
struct Selected {
  enum class Role : std::uint32_t { write, leave_out, note };
  std::uint32_t input = 0;
  Role role = Role::write;
  std::uint64_t sequence = 0;
  friend bool operator<(const Selected& a, const Selected& b) {
    return std::tie(a.input, a.sequence) < std::tie(b.input, b.sequence);
  }
};

/// Reads collections for diff and merge in passes that see the same pages in the same order.
class CollectionPass {
 public:
  explicit CollectionPass(const DeltaOptions& options) : options_(options) {}

  /// Identifies a URL in the index.
  PageRecord::UrlKey key_of(std::string_view url);

  /// Reads only the metadata line.
  base::Result<IndexedInput> open_head(const SourceOpener& open);

  enum class Fingerprints : std::uint8_t { yes, no };
  /// First pass: adds a record for each page, and for each URL in `removed`, to `index`.
  base::Result<void> index(IndexedInput& input, std::uint32_t number, Fingerprints fingerprints,
                           base::ExternalSort<PageRecord>& index);

  /// Second pass: calls `visit` for every page with its sequence number. Fails if the input has changed since
  /// the first pass.
  using Visit = std::function<base::Result<void>(const Page& page, std::uint64_t sequence)>;
  base::Result<void> replay(const IndexedInput& input, const Visit& visit);
  /// For an input that needs no second pass: counts it as done in the progress.
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
  Arena memory_;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t pages_ = 0;
};

/// Matches the pages of the second pass with the selection.
class SelectionCursor {
 public:
  explicit SelectionCursor(base::ExternalSort<Selected>& selection) : selection_(selection) {}

  /// The role of page `sequence` of `input`; nullopt if it is not selected. Must be called in ascending
  /// order.
  base::Result<std::optional<Selected::Role>> role_of(std::uint32_t input, std::uint64_t sequence);

 private:
  base::ExternalSort<Selected>& selection_;
  std::optional<Selected> next_;
  bool started_ = false;
};

/// State that diff and merge share: the targets, the sorted records of the first pass and the selected pages.
class DeltaWork {
 protected:
  DeltaWork(std::vector<WriterTarget> targets, const DeltaOptions& options);

  /// Fails with Errc::refused if removing `removed` of `before` pages needs --allow-shrink.
  [[nodiscard]] base::Result<void> check_shrink(std::uint64_t before, std::uint64_t removed) const;
  base::Result<ResultWriter> create_writer(model::CollectionHead head);

  std::vector<WriterTarget> targets_;
  const DeltaOptions& options_;
  std::filesystem::path folder_;
  CollectionPass pass_;
  base::ExternalSort<PageRecord> index_;
  base::ExternalSort<Selected> selection_;
};

}  // namespace sheaf::format
