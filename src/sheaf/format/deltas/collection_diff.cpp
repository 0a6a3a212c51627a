#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/deltas/collection_pass.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::format {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using Role = Selected::Role;

constexpr std::uint32_t kOlder = 0;
constexpr std::uint32_t kNewer = 1;

class Diff : DeltaWork {
 public:
  Diff(std::vector<WriterTarget> targets, const DeltaOptions& options)
      : DeltaWork(std::move(targets), options) {}

  Result<DiffSummary> run(const SourceOpener& older, const SourceOpener& newer) {
    SHEAF_TRY_ASSIGN(older_, pass_.open_head(older));
    SHEAF_TRY_ASSIGN(newer_, pass_.open_head(newer));
    SHEAF_TRY(check_heads());
    SHEAF_TRY(pass_.index(older_, kOlder, CollectionPass::Fingerprints::yes, index_));
    SHEAF_TRY(pass_.index(newer_, kNewer, CollectionPass::Fingerprints::yes, index_));
    SHEAF_TRY(select());
    SHEAF_TRY(guard());
    SHEAF_TRY(write());
    return std::move(summary_);
  }

 private:
  Result<void> check_heads() {
    for (const IndexedInput* input : {&older_, &newer_})
      if (input->head.type != model::CollectionType::snapshot)
        return fail(Errc::invalid_data,
                    input->name + " is a delta; diff compares two snapshots (sheaf merge makes one)");
    if (older_.head.section != newer_.head.section)
      return fail(Errc::invalid_data,
                  fmt::format("{} is of section {}, {} of section {}: a delta is within one section",
                              older_.name, older_.head.section, newer_.name, newer_.head.section));
    if (newer_.head.generated_at <= older_.head.generated_at)
      return fail(
          Errc::invalid_data,
          fmt::format("{} (generated {}) is not newer than {} (generated {}): name the older one first",
                      newer_.name, newer_.head.generated, older_.name, older_.head.generated));
    return {};
  }

  /// Goes over the sorted records URL by URL and selects the pages to write.
  Result<void> select() {
    SHEAF_TRY(index_.sort());
    std::optional<PageRecord> previous;
    UrlOffer<PageRecord> older;
    UrlOffer<PageRecord> newer;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto record, index_.next());
      if (previous && (!record || record->url != previous->url)) {
        SHEAF_TRY(decide(older.page(), newer.page()));
        older = {};
        newer = {};
      }
      if (!record) break;
      const auto duplicate = (record->input == kOlder ? older : newer).add(*record);
      if (duplicate && duplicate->input == kNewer)
        SHEAF_TRY(selection_.add({kNewer, Role::leave_out, duplicate->sequence}));
      previous = record;
    }
    return selection_.sort();
  }

  static std::optional<SnapshotVersion> version_of(const std::optional<PageRecord>& record) {
    if (!record) return std::nullopt;
    return SnapshotVersion{record->modified(), record->fingerprint};
  }

  Result<void> decide(const std::optional<PageRecord>& older, const std::optional<PageRecord>& newer) {
    older_urls_ += older ? 1 : 0;
    switch (classify(version_of(older), version_of(newer))) {
      case DiffKind::unchanged: ++summary_.unchanged; return {};
      case DiffKind::added: ++summary_.added; return selection_.add({kNewer, Role::write, newer->sequence});
      case DiffKind::changed:
        ++summary_.changed;
        return selection_.add({kNewer, Role::write, newer->sequence});
      case DiffKind::removed:
        ++summary_.removed;
        return selection_.add({kOlder, Role::write, older->sequence});
      case DiffKind::stale: break;
    }
    // A client keeps the older page, so its state has that page's time.
    ++summary_.stale;
    SHEAF_TRY(selection_.add({kOlder, Role::note, older->sequence}));
    return selection_.add({kNewer, Role::leave_out, newer->sequence});
  }

  Result<void> guard() {
    if (summary_.stale > 0 && options_.stale == Stale::refuse)
      return fail(
          Errc::refused,
          fmt::format(
              "{} page(s) differ although `modified` is not later than before, so a reader of the delta "
              "would "
              "keep the old ones{}; give them a later `modified`, publish a snapshot, or leave them out with "
              "--skip-stale",
              summary_.stale, first_stale()));
    SHEAF_TRY(check_shrink(older_urls_, summary_.removed));
    return {};
  }

  /// " (the first: URL)", from another pass over the older file.
  std::string first_stale() {
    std::string text;
    SelectionCursor cursor(selection_);
    const auto stop = pass_.replay(older_, [&](const Page& page, std::uint64_t sequence) -> Result<void> {
      SHEAF_TRY_ASSIGN(const auto role, cursor.role_of(kOlder, sequence));
      if (role != Role::note) return {};
      text = fmt::format(" (the first: {}, modified {})", page.url, page.modified);
      return fail(Errc::refused, "found");
    });
    return text;
  }

  Result<void> write() {
    model::CollectionHead head = newer_.head;
    head.type = model::CollectionType::delta;
    head.since = older_.head.generated;
    head.since_at = older_.head.generated_at;
    head.version = "0.1";
    head.state.reset();
    head.removed.clear();
    head.checksum.reset();
    head.id = options_.id.empty() ? default_collection_id(head) : options_.id;
    SHEAF_TRY_ASSIGN(auto writer, create_writer(head));
    SelectionCursor cursor(selection_);
    StateDigest state;
    if (summary_.removed + summary_.stale > 0) {
      SHEAF_TRY(visit_older(cursor, writer, state));
    } else {
      pass_.skip(older_);
    }
    SHEAF_TRY(pass_.replay(newer_, [&](const Page& page, std::uint64_t sequence) -> Result<void> {
      SHEAF_TRY_ASSIGN(const auto role, cursor.role_of(kNewer, sequence));
      std::string_view modified = page.modified;
      if (role == Role::write) {
        SHEAF_TRY_ASSIGN(modified, writer.add(page));
      }
      if (role != Role::leave_out) state.add(page.url, modified);
      return {};
    }));
    std::ranges::sort(writer.head().removed);
    writer.head().state = state.to_string();
    summary_.without_content = writer.without_content();
    SHEAF_TRY_ASSIGN(summary_.written, writer.finish());
    return {};
  }

  Result<void> visit_older(SelectionCursor& cursor, ResultWriter& writer, StateDigest& state) {
    return pass_.replay(older_, [&](const Page& page, std::uint64_t sequence) -> Result<void> {
      SHEAF_TRY_ASSIGN(const auto role, cursor.role_of(kOlder, sequence));
      if (role == Role::write) writer.head().removed.emplace_back(page.url);
      if (role == Role::note) state.add(page.url, page.modified);
      return {};
    });
  }

  IndexedInput older_;
  IndexedInput newer_;
  std::uint64_t older_urls_ = 0;
  DiffSummary summary_;
};

}  // namespace

Result<DiffSummary> diff_collections(const SourceOpener& older, const SourceOpener& newer,
                                     std::vector<WriterTarget> targets, const DeltaOptions& options) {
  if (targets.empty())
    return fail(Errc::invalid_argument, "a delta needs at least one file to be written to");
  return Diff(std::move(targets), options).run(older, newer);
}

}  // namespace sheaf::format
