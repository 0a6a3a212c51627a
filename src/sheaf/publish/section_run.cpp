#include "sheaf/publish/section_run.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/free_memory.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/publish/delta_merger.h"
#include "sheaf/publish/output_run.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::publish {
namespace {

using model::CollectionType;

// How long removed pages are remembered. Clients that were away longer start from a snapshot anyway.
constexpr std::int64_t kRememberRemoved = std::int64_t{90} * 86'400;

/// The `generated` of the newest collection that was not dated by a wrong clock.
std::optional<Instant> last_well_dated(const CatalogSection& state, Instant now) {
  std::optional<Instant> last;
  for (const PublishedFile& file : state.files)
    if (!is_misdated(file.name.generated, now)) last = std::max(last, std::optional(file.name.generated));
  return last;
}

KnownPage known_page(const CatalogEntry& page) {
  return {page.fingerprint, page.modified_at, page.removed_at.has_value()};
}

bool is_below(std::string_view address, const base::Url& base) {
  const auto url = base::Url::parse(address);
  return url && site::is_same_site(*url, base) && url->path().starts_with(base.path());
}

void name(std::vector<std::string>& list, std::string_view url) {
  if (list.size() < PublishSectionReport::kNamed) list.emplace_back(url);
}

}  // namespace

base::Result<SectionRun> SectionRun::begin(Catalog& catalog, SectionOptions options) {
  SHEAF_TRY_ASSIGN(auto before, catalog.section(options.name));
  SectionRun run(catalog, std::move(options), std::move(before));
  run.report_.section = run.options_.name;
  SHEAF_TRY_ASSIGN(run.other_sections_, catalog.sections());
  std::erase(run.other_sections_, run.options_.name);
  std::optional<Instant> last;
  std::optional<Instant> last_snapshot;
  if (run.before_) {
    run.misdated_ = is_misdated(run.before_->generated, run.options_.now);
    last = run.misdated_ ? last_well_dated(*run.before_, run.options_.now) : run.before_->generated;
    last_snapshot = run.before_->snapshot;
    run.digest_.add(run.before_->state);
  }
  run.generated_ = next_generated(last, run.options_.now);
  if (run.has_delta()) run.merges_ = plan_merges(*run.before_, run.options_.merge_days, run.generated_);
  const bool due = run.is_first() || run.misdated_ || run.options_.force_snapshot ||
                   is_snapshot_due(last_snapshot, run.options_.update, run.options_.now);
  if (due) {
    SHEAF_TRY_ASSIGN(run.snapshot_, run.open_writer(CollectionType::snapshot));
  }
  return run;
}

std::vector<format::WriterTarget> SectionRun::targets(CollectionType type) const {
  std::vector<format::WriterTarget> targets;
  targets.reserve(options_.codecs.size());
  for (const format::Codec codec : options_.codecs)
    targets.push_back(
        {options_.folder / to_string(CollectionName{options_.name, type, generated_, codec}), codec, {}});
  return targets;
}

base::Result<format::CollectionWriter> SectionRun::open_writer(CollectionType type) const {
  model::CollectionHead head;
  head.section = options_.name;
  head.type = type;
  head.set_generated(generated_);
  if (type == CollectionType::delta) head.set_since(before_->generated);
  head.id = format::default_collection_id(head);
  const format::WriterOptions how{
      .limits = options_.limits, .spool_folder = {}, .threads = options_.threads, .strict = true};
  if (options_.dry_run)
    return format::CollectionWriter::create_checker(std::move(head), options_.codecs.front(), how);
  return format::CollectionWriter::create(std::move(head), targets(type), how);
}

base::Result<void> SectionRun::skip(SkipReason reason, const std::string& what, const std::string& detail) {
  auto entry = std::ranges::find(report_.skipped, reason, &SkippedItems::reason);
  if (entry == report_.skipped.end()) {
    report_.skipped.push_back({reason, 0, {}});
    entry = report_.skipped.end() - 1;
  }
  ++entry->count;
  if (entry->named.size() < PublishSectionReport::kNamed) entry->named.push_back({what, detail});
  if (options_.quality == nullptr) return {};
  return options_.quality->skip(
      {.section = options_.name, .item = what, .reason = to_string(reason), .detail = detail});
}

base::Result<void> SectionRun::report_quality(const PreparedItem& item) {
  if (options_.quality == nullptr) return {};
  if (!item.unread) return options_.quality->add_page(options_.name, item.url, item.page.title, item.quality);
  options_.quality->count_unread();
  return {};
}

void SectionRun::note_repairs(const PreparedItem& item) {
  if (item.repairs.empty()) return;
  ++report_.repaired;
  for (const std::string& repair : item.repairs)
    if (report_.repairs.size() < PublishSectionReport::kNamed) report_.repairs.push_back({item.name, repair});
}

base::Result<void> SectionRun::note_item(const PreparedItem& item) {
  if (!item.remember || item.unread || options_.dry_run) return {};
  return catalog_->stage(options_.name, item.name, {item.bytes, item.skip, item.detail, item.url});
}

base::Result<std::optional<Instant>> SectionRun::add(const PreparedItem& item,
                                                     std::optional<Instant> source_time, bool remember) {
  report_.bytes += item.size;
  // The first run has no records of items to forget, and some items are never recorded.
  if (remember && item.remember && !is_first()) items_.insert(Catalog::item_id(item.name));
  if (item.skip != SkipReason::none) {
    SHEAF_TRY(skip(item.skip, item.name, item.detail));
    if (remember) SHEAF_TRY(note_item(item));
    return std::nullopt;
  }
  if (!seen_.insert(item.url)) {
    SHEAF_TRY(skip(SkipReason::duplicate, item.name, item.url));
    return std::nullopt;
  }
  SHEAF_TRY_ASSIGN(const auto modified, item.unread ? keep_known(item) : keep(item, source_time));
  if (modified) SHEAF_TRY(report_quality(item));
  if (modified && remember) {
    if (!item.note.empty()) report_.notes.push_back(item.note);
    note_repairs(item);
    SHEAF_TRY(note_item(item));
  }
  return modified;
}

base::Result<std::optional<Instant>> SectionRun::keep_known(const PreparedItem& item) {
  SHEAF_TRY_ASSIGN(const auto known, catalog_->page(options_.name, item.url));
  if (!known || known->removed_at)
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("the catalog has lost the page {}; move the state folder away to start again", item.url));
  ++report_.unchanged;
  ++report_.pages;
  return known->modified_at;
}

base::Result<std::optional<Instant>> SectionRun::keep(const PreparedItem& item,
                                                      std::optional<Instant> source_time) {
  SHEAF_TRY_ASSIGN(const auto known, catalog_->page(options_.name, item.url));
  std::optional<KnownPage> published;
  if (known) published = known_page(*known);
  PageVerdict verdict = judge(published, item.fingerprint, source_time);
  if (verdict.change != PageChange::none) {
    SHEAF_TRY_ASSIGN(const auto newest, newest_elsewhere(item.url));
    if (newest)
      verdict.modified = follow_clock(verdict.modified, published, *newest, item.fingerprint, options_.now);
  }
  const std::string modified =
      verdict.change == PageChange::none ? known->modified : format_time(verdict.modified);
  Page page = item.page;
  page.modified = modified;
  page.modified_at = verdict.modified;
  SHEAF_TRY_ASSIGN(const bool written, write_page(page, verdict.change, item.name));
  if (!written) return std::nullopt;
  ++report_.pages;
  if (snapshot_ || verdict.change != PageChange::none) {
    html_bytes_ += item.html_bytes;
    all_have_html_ = all_have_html_ && item.html_bytes > 0;
  }
  if (options_.outputs != nullptr)
    SHEAF_TRY(options_.outputs->add(options_.name, page, verdict.change != PageChange::none && !is_first()));
  if (verdict.change == PageChange::none) {
    ++report_.unchanged;
    return verdict.modified;
  }
  if (known && !known->removed_at) digest_.subtract(known->url, known->modified);
  digest_.add(page.url, page.modified);
  const bool added = verdict.change == PageChange::added;
  ++(added ? report_.added : report_.changed);
  name(added ? report_.added_urls : report_.changed_urls, page.url);
  if (!options_.dry_run)
    SHEAF_TRY(catalog_->stage(options_.name,
                              {item.url, item.fingerprint, modified, verdict.modified, std::nullopt}));
  return verdict.modified;
}

/// Decides about a page. If the published state is misdated, it is replaced, including pages with a
/// `modified` in the far future; removed pages with such a time may remain in the catalog.
PageVerdict SectionRun::judge(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                              std::optional<Instant> source_time) {
  const bool redate =
      known && is_too_far_in_future(known->modified, options_.now) && (misdated_ || known->removed);
  if (!redate) return judge_page(known, fingerprint, source_time, options_.now);
  PageVerdict verdict = judge_page(std::nullopt, fingerprint, source_time, options_.now);
  if (known->removed) return verdict;
  verdict.change = PageChange::changed;
  ++report_.redated;
  return verdict;
}

/// The newest version of a page in the other sections. A time in the far future does not count: it is
/// replaced.
base::Result<std::optional<KnownPage>> SectionRun::newest_elsewhere(std::string_view url) const {
  std::optional<KnownPage> newest;
  for (const std::string& section : other_sections_) {
    SHEAF_TRY_ASSIGN(const auto entry, catalog_->page(section, url));
    if (!entry || is_too_far_in_future(entry->modified_at, options_.now)) continue;
    const KnownPage page = known_page(*entry);
    if (!newest || std::pair(page.modified, !page.removed) > std::pair(newest->modified, !newest->removed))
      newest = page;
  }
  return newest;
}

base::Result<bool> SectionRun::write_page(const Page& page, PageChange change, const std::string& name) {
  if (change != PageChange::none && has_delta() && !delta_) {
    SHEAF_TRY_ASSIGN(delta_, open_writer(CollectionType::delta));
  }
  for (auto* writer :
       {snapshot_ ? &*snapshot_ : nullptr, change != PageChange::none && delta_ ? &*delta_ : nullptr}) {
    if (writer == nullptr) continue;
    const auto added = writer->add(page);
    if (added) continue;
    if (added.error().code != base::Errc::refused) return std::unexpected(added.error());
    SHEAF_TRY(skip(SkipReason::refused, name, added.error().message));
    refused_.emplace(page.url);
    return false;
  }
  return true;
}

base::Result<void> SectionRun::remove(const CatalogEntry& page) {
  if (page.removed_at) {
    const bool old = page.removed_at->seconds + kRememberRemoved < options_.now.seconds;
    return old && !options_.dry_run ? catalog_->stage_forget(options_.name, page.url) : base::Result<void>();
  }
  // insert() returns whether the URL is new, which means that no source had it.
  if (!seen_.insert(page.url) && !refused_.contains(page.url)) return {};
  ++report_.removed;
  name(report_.removed_urls, page.url);
  removed_.push_back(page.url);
  if (!is_below(page.url, options_.base)) ++removed_outside_base_;
  if (options_.site_pages != nullptr && !options_.site_pages->insert(page.url)) ++moved_;
  digest_.subtract(page.url, page.modified);
  if (options_.dry_run) return {};
  if (options_.outputs != nullptr) SHEAF_TRY(options_.outputs->remove(options_.name, page.url));
  CatalogEntry gone = page;
  gone.removed_at = options_.now;
  return catalog_->stage(options_.name, gone);
}

base::Result<void> SectionRun::end_items() {
  const base::Result<void> ended = forget_gone();
  // No longer needed: frees memory for writing.
  seen_ = {};
  items_ = {};
  base::free_storage(refused_);
  return ended && options_.dry_run ? measure_saving() : ended;
}

/// Measures what a dry run would write for the pages that it read.
base::Result<void> SectionRun::measure_saving() {
  auto& writer = snapshot_ ? snapshot_ : delta_;
  if (!writer || html_bytes_ == 0 || !all_have_html_) return {};
  SHEAF_TRY_ASSIGN(const std::uint64_t compressed, writer->compressed_size());
  report_.saving = {options_.codecs.front(), html_bytes_, compressed};
  return {};
}

/// If all pages to be removed are outside the base, the reason is that the base was changed.
std::unexpected<base::Error> SectionRun::refuse_shrink() const {
  if (options_.site_pages != nullptr)
    return base::fail(
        base::Errc::refused,
        fmt::format("section {} is not configured any more, and {} of its {} pages are in no other "
                    "section; to confirm this, use --allow-shrink",
                    options_.name, report_.removed - moved_, before_->pages));
  std::string reason;
  if (report_.pages == 0) reason = " (is the site built?)";
  if (removed_outside_base_ == report_.removed)
    reason = fmt::format(
        ", because the base has changed: it is {} now, and {} was published; if the new base is wrong, "
        "correct "
        "it",
        options_.base.href(), removed_.front());
  return base::fail(
      base::Errc::refused,
      fmt::format("section {} would lose {} of its {} pages{}; to confirm this, use --allow-shrink",
                  options_.name, report_.removed, before_->pages, reason));
}

base::Result<void> SectionRun::forget_gone() {
  if (is_first()) return {};
  SHEAF_TRY(catalog_->each_page(options_.name, [this](const CatalogEntry& page) { return remove(page); }));
  if (options_.shrink == format::Shrink::refuse &&
      format::is_suspicious_shrink(before_->pages, report_.removed - moved_))
    return refuse_shrink();
  if (options_.dry_run) return {};
  // insert() returns whether the item is new, which means that no source had it.
  return catalog_->stage_forget_items(options_.name,
                                      [this](std::string_view id) { return !items_.insert(id); });
}

std::vector<std::string> SectionRun::file_names() const {
  std::vector<std::string> names;
  const auto add = [&](CollectionType type) {
    for (const format::WriterTarget& target : targets(type)) names.push_back(target.path.filename().string());
  };
  if (snapshot_) add(CollectionType::snapshot);
  if (has_delta()) add(CollectionType::delta);
  for (const DeltaSpan& span : merges_)
    for (const CollectionName& name : merged_names(options_, span)) names.push_back(to_string(name));
  return names;
}

base::Result<void> SectionRun::finish(format::CollectionWriter& writer, CollectionType type,
                                      CatalogSection& state) {
  writer.head().state = digest_.to_string();
  if (type == CollectionType::snapshot && !writer.state().matches(*writer.head().state))
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the pages of section {} do not match what was published: the catalog is "
                                  "damaged; move the state folder away to start again",
                                  options_.name));
  if (type == CollectionType::delta) writer.head().removed = removed_;
  SHEAF_TRY_ASSIGN(const format::WriteSummary summary, writer.finish());
  for (const format::WrittenFile& file : summary.files) {
    PublishedFile published;
    published.name = {options_.name, type, generated_, file.codec};
    published.bytes = file.bytes;
    published.pages = summary.pages;
    if (type == CollectionType::delta) published.since = before_->generated;
    published.checksum = summary.head.checksum.value_or("");
    report_.written.push_back(published);
    state.files.push_back(std::move(published));
  }
  return {};
}

/// Clients do not depend on merged deltas, so a failure does not end the run.
void SectionRun::merge_earlier_deltas(CatalogSection& state) {
  for (const DeltaSpan& span : merges_) {
    const auto merged = merge_deltas(state, options_, span);
    if (!merged) {
      report_.notes.push_back(fmt::format("the deltas of section {} from {} to {} were not merged: {}",
                                          options_.name, format_time(span.since), format_time(span.generated),
                                          merged.error().message));
      continue;
    }
    for (const PublishedFile& file : *merged) {
      report_.written.push_back(file);
      state.files.push_back(file);
    }
  }
}

base::Result<void> SectionRun::write() {
  const bool changed = report_.has_changes();
  // A scheduled snapshot with the same content as the last one would only cost clients a download.
  const bool newer_than_snapshot = before_ && (!before_->snapshot || *before_->snapshot < before_->generated);
  const bool snapshot = snapshot_ && report_.pages > 0 &&
                        (!has_delta() || changed || newer_than_snapshot || options_.force_snapshot);
  if (options_.dry_run || (!changed && !snapshot)) return {};
  CatalogSection state = before_.value_or(CatalogSection{});
  if (has_delta()) {
    // A delta is written even if it is empty and only a snapshot is due: up-to-date clients then need not
    // fetch the snapshot.
    if (!delta_) {
      SHEAF_TRY_ASSIGN(delta_, open_writer(CollectionType::delta));
    }
    SHEAF_TRY(finish(*delta_, CollectionType::delta, state));
  }
  if (snapshot) {
    SHEAF_TRY(finish(*snapshot_, CollectionType::snapshot, state));
    state.snapshot = generated_;
  }
  merge_earlier_deltas(state);
  if (state.files.empty()) return {};
  state.generated = generated_;
  state.state = digest_.sum();
  state.pages = report_.pages;
  return catalog_->stage(options_.name, state);
}

}  // namespace sheaf::publish
