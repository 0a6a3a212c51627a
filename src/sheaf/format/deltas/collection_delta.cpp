#include "sheaf/format/deltas/collection_delta.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/url_set.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/deltas/result_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::format {
namespace {

using base::Result;

/// Converts in one pass. Returns nullopt if a URL occurs twice: which page counts is known only at the end,
/// so two passes are needed.
Result<std::optional<ConvertSummary>> convert_in_one_pass(const SourceOpener& input,
                                                          const std::vector<WriterTarget>& targets,
                                                          const ConvertOptions& options) {
  SHEAF_TRY_ASSIGN(auto source, input());
  const std::string name = source->name();
  ConvertSummary summary;
  auto opened = CollectionReader::open(
      std::move(source), {options.limits, Detail::everything, options.threads, HeadRule::required},
      [&](const Finding&) { ++summary.findings; });
  if (!opened) return std::unexpected(to_error(name, opened.error()));
  std::optional<CollectionReader> reader(std::move(*opened));
  model::CollectionHead head = reader->head();
  if (head.type == model::CollectionType::snapshot) head.state.reset();
  SHEAF_TRY_ASSIGN(auto writer,
                   ResultWriter::create(std::move(head), targets, options.temporary_folder, options));
  std::optional<base::UrlSet> urls(std::in_place);
  while (true) {
    const auto more = reader->next();
    if (!more) return std::unexpected(to_error(name, more.error()));
    if (!*more) break;
    if (!urls->insert(reader->page().url)) return std::nullopt;
    SHEAF_TRY(writer.add(reader->page()));
    if (options.progress && urls->size() % 256 == 0)
      options.progress(reader->statistics().compressed_bytes, urls->size());
  }
  summary.skipped = reader->statistics().skipped;
  summary.without_content = writer.without_content();
  // Free their memory for the compressor.
  reader.reset();
  urls.reset();
  SHEAF_TRY_ASSIGN(summary.written, writer.finish());
  return summary;
}

}  // namespace

Result<ConvertSummary> convert_collection(const SourceOpener& input, std::vector<WriterTarget> targets,
                                          const ConvertOptions& options) {
  SHEAF_TRY_ASSIGN(auto converted, convert_in_one_pass(input, targets, options));
  if (converted) return std::move(*converted);
  ConvertSummary summary;
  ConvertOptions counting = options;
  counting.findings = [&](const Finding& finding) {
    ++summary.findings;
    if (level_of(finding.code) == Level::page) ++summary.skipped;
  };
  SHEAF_TRY_ASSIGN(auto merged, merge_collections(input, {}, std::move(targets), counting));
  summary.duplicates = merged.duplicates;
  summary.without_content = merged.without_content;
  summary.written = std::move(merged.written);
  return summary;
}

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

namespace {

using base::Errc;
using base::fail;
using base::Result;

/// Standard input, named pipes and devices. A missing file is reported when it is opened.
bool can_be_read_once_only(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  return std::filesystem::is_other(std::filesystem::status(path, ignored));
}

/// 20260115T000000Z
std::string time_stamp(Instant instant) {
  std::string time = format_time({instant.seconds, 0});
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return time;
}

class Merge : DeltaWork {
 public:
  Merge(std::vector<WriterTarget> targets, const DeltaOptions& options)
      : DeltaWork(std::move(targets), options) {}

  Result<MergeSummary> run(const SourceOpener& snapshot, const std::vector<SourceOpener>& deltas) {
    SHEAF_TRY(open_inputs(snapshot, deltas));
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      SHEAF_TRY(
          pass_.index(inputs_[i], static_cast<std::uint32_t>(i), CollectionPass::Fingerprints::no, index_));
    SHEAF_TRY(select());
    // If the result is a delta, the number of pages in the section is unknown.
    if (!makes_delta()) SHEAF_TRY(check_shrink(first_urls_, summary_.removed));
    SHEAF_TRY(write());
    return std::move(summary_);
  }

 private:
  /// Whether deltas alone were merged: the result is a delta too.
  [[nodiscard]] bool makes_delta() const {
    return inputs_.size() > 1 && inputs_.front().head.type == model::CollectionType::delta;
  }

  /// Opens the snapshot, then the deltas sorted by time, without those that add nothing. Each delta must
  /// begin no later than the input before it ends. If there is no snapshot, the earliest delta is the first
  /// input.
  Result<void> open_inputs(const SourceOpener& snapshot, const std::vector<SourceOpener>& deltas) {
    SHEAF_TRY_ASSIGN(auto first, pass_.open_head(snapshot));
    std::vector<IndexedInput> later;
    for (const SourceOpener& open : deltas) {
      SHEAF_TRY_ASSIGN(auto delta, pass_.open_head(open));
      SHEAF_TRY(check_delta(first, delta));
      if (first.head.type == model::CollectionType::delta && times_of(delta) < times_of(first))
        std::swap(first, delta);
      later.push_back(std::move(delta));
    }
    // Of the deltas that end at the same time, only the one with the earliest `since` is applied.
    std::ranges::stable_sort(later, {}, times_of);
    SectionTimes times = advance(std::nullopt, offered_by(first.head), ApplyMode::replacement);
    inputs_.push_back(std::move(first));
    for (IndexedInput& delta : later) SHEAF_TRY(add_delta(std::move(delta), times));
    return {};
  }

  static std::pair<Instant, std::optional<Instant>> times_of(const IndexedInput& input) {
    return {input.head.generated_at, input.head.since_at};
  }

  Result<void> add_delta(IndexedInput delta, SectionTimes& times) {
    const IndexedInput& before = inputs_.back();
    const auto mode = admit(times, offered_by(delta.head));
    if (!mode && mode.error() == NotApplied::older) {
      ++summary_.ignored_deltas;
      return {};
    }
    if (!mode)
      return fail(
          Errc::invalid_data,
          fmt::format("there is a gap: {} has changes since {}, but {} ends at {}; get the delta in between "
                      "or a newer snapshot",
                      delta.name, *delta.head.since, before.name, before.head.generated));
    times = advance(times, offered_by(delta.head), *mode);
    inputs_.push_back(std::move(delta));
    return {};
  }

  static Result<void> check_delta(const IndexedInput& first, const IndexedInput& delta) {
    if (delta.head.type != model::CollectionType::delta)
      return fail(Errc::invalid_data, delta.name + " is a snapshot; only the first input may be one");
    if (delta.head.section != first.head.section)
      return fail(Errc::invalid_data,
                  fmt::format("{} is of section {}, {} of section {}: merge works within one section",
                              first.name, first.head.section, delta.name, delta.head.section));
    return {};
  }

  Result<void> select() {
    SHEAF_TRY(index_.sort());
    std::optional<PageRecord> previous;
    UrlHistory history;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto record, index_.next());
      if (previous && (!record || record->url != previous->url)) {
        SHEAF_TRY(decide(history, previous->url));
        history = {};
      }
      if (!record) break;
      summary_.duplicates += history.add(*record) ? 1 : 0;
      previous = record;
    }
    return selection_.sort();
  }

  Result<void> decide(UrlHistory& history, const PageRecord::UrlKey& url) {
    const auto winner = history.result();
    first_urls_ += history.was_in_first() ? 1 : 0;
    if (!winner) {
      if (makes_delta()) gone_.push_back(url);
      summary_.removed += makes_delta() || history.was_in_first() ? 1 : 0;
      return {};
    }
    ++summary_.pages;
    if (winner->input > 0) ++(history.was_in_first() ? summary_.replaced : summary_.inserted);
    return selection_.add({winner->input, Selected::Role::write, winner->sequence});
  }

  model::CollectionHead output_head() {
    model::CollectionHead head = inputs_.front().head;
    head.checksum.reset();
    if (inputs_.size() > 1) {
      head.generated = inputs_.back().head.generated;
      head.generated_at = inputs_.back().head.generated_at;
      head.removed = removed_urls();
      head.state = inputs_.back().head.state;
      head.id = makes_delta() ? merged_delta_id(head) : default_collection_id(head);
    }
    if (head.type == model::CollectionType::snapshot) head.state.reset();
    if (!options_.id.empty()) head.id = options_.id;
    return head;
  }

  /// For a delta: URLs that an input removes and no later input adds. This includes URLs that were added
  /// after the first input, since a client may have applied some of the inputs. A URL that was added again is
  /// not included: its `modified` is later than that of the removed page.
  std::vector<std::string> removed_urls() {
    std::vector<std::string> urls;
    if (gone_.empty()) return urls;
    for (const IndexedInput& input : inputs_)
      for (const std::string& url : input.head.removed)
        if (std::ranges::binary_search(gone_, pass_.key_of(url))) urls.push_back(url);
    std::ranges::sort(urls);
    urls.erase(std::ranges::unique(urls).begin(), urls.end());
    return urls;
  }

  Result<void> write() {
    SHEAF_TRY_ASSIGN(auto writer, create_writer(output_head()));
    SelectionCursor cursor(selection_);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(i);
      const auto use = [&](const Page& page, std::uint64_t sequence) -> Result<void> {
        SHEAF_TRY_ASSIGN(const auto role, cursor.role_of(number, sequence));
        if (role) SHEAF_TRY(writer.add(page));
        return {};
      };
      SHEAF_TRY(pass_.replay(inputs_[i], use));
    }
    SHEAF_TRY(check_state(writer.given_state()));
    summary_.without_content = writer.without_content();
    SHEAF_TRY_ASSIGN(summary_.written, writer.finish());
    return {};
  }

  /// The last delta states the digest of the result. If it does not match, the copy is wrong.
  [[nodiscard]] Result<void> check_state(const StateDigest& state) const {
    const auto& last = inputs_.back();
    if (inputs_.size() == 1 || makes_delta() || !last.head.state ||
        options_.state_mismatch == StateMismatch::allow)
      return {};
    if (state.matches(*last.head.state)) return {};
    return fail(
        Errc::refused,
        fmt::format("the merged pages do not match the state of {}: an input is not the one the deltas were "
                    "made for; get the newest snapshot, or write it anyway with --ignore-state",
                    last.name));
  }

  std::vector<IndexedInput> inputs_;
  std::uint64_t first_urls_ = 0;
  std::vector<PageRecord::UrlKey> gone_;  ///< if the result is a delta: keys of the URLs it removes, sorted
  MergeSummary summary_;
};

}  // namespace

Result<MergeSummary> merge_collections(const SourceOpener& snapshot, const std::vector<SourceOpener>& deltas,
                                       std::vector<WriterTarget> targets, const DeltaOptions& options) {
  if (targets.empty())
    return fail(Errc::invalid_argument, "the result needs at least one file to be written to");
  return Merge(std::move(targets), options).run(snapshot, deltas);
}

std::filesystem::path working_folder(const std::filesystem::path& given,
                                     const std::vector<WriterTarget>& targets) {
  if (!given.empty()) return given;
  const auto beside = targets.front().path.parent_path();
  return beside.empty() ? "." : beside;
}

std::string default_collection_id(const model::CollectionHead& head) {
  return fmt::format("{}-{}-{}", head.section, model::to_string(head.type), time_stamp(head.generated_at));
}

std::string merged_delta_id(const model::CollectionHead& head) {
  return fmt::format("{}-{}-{}-{}", head.section, model::to_string(head.type), time_stamp(*head.since_at),
                     time_stamp(head.generated_at));
}

Result<SourceOpener> reopenable_source(const std::string& path, const std::filesystem::path& folder,
                                       const Limits& limits) {
  if (!can_be_read_once_only(path)) return SourceOpener([path] { return base::open_source(path); });
  SHEAF_TRY_ASSIGN(auto made, base::SpoolFile::create(folder));
  auto spool = std::make_shared<base::SpoolFile>(std::move(made));
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(path));
  std::vector<char> buffer(kMiB);
  while (true) {
    SHEAF_TRY_ASSIGN(const std::size_t count, source->read(buffer));
    if (count == 0) break;
    // Checked before writing, so that endless input cannot fill the disk.
    if (spool->size() + count > limits.compressed_bytes)
      return fail(Errc::invalid_data,
                  fmt::format("{} is larger than the limit of {} (size-exceeded)", source->name(),
                              base::counted(limits.compressed_bytes, "byte", "bytes")));
    SHEAF_TRY(spool->append({buffer.data(), count}));
  }
  return SourceOpener([spool, name = source->name()] {
    return base::Result<std::unique_ptr<base::ByteSource>>(base::spool_source(spool, name));
  });
}

}  // namespace sheaf::format
