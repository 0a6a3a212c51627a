#include "sheaf/pull/collection_sync.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/pull/fetch_failure.h"
#include "sheaf/pull/offer_checks.h"
#include "sheaf/pull/section_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <variant>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;
using site::AdvertisedCollection;
using store::ApplyOutcome;

// A file that fails is skipped and the section is planned again. A sitemap may list thousands of files that
// fail, so failures are limited: after kMaxFailures no more deltas are tried, after twice as many the
// section is given up.
constexpr std::size_t kMaxFailures = 16;

class SectionPull {
 public:
  SectionPull(const CollectionsTask& task, const std::string& section) : task_(task) {
    report_.section = section;
    rules_.now = task.site.options.clock();
    rules_.snapshot_every = task.site.options.snapshot_every.count();
    const site::AdvertisedSection* const stated = task.advertised.find_section(section);
    if (stated != nullptr && stated->update_freq)
      rules_.update_seconds = site::seconds_of(*stated->update_freq);
  }

  Result<PullSectionReport> run() {
    SHEAF_TRY(look_at_store());
    take_offers();
    // Each round skips the files that failed in earlier rounds, so the loop ends.
    Round round = Round::again;
    while (round == Round::again) {
      SHEAF_TRY_ASSIGN(round, run_round());
    }
    SHEAF_TRY(look_at_result());
    report_.failure = round == Round::stopped ? trouble_ : judge_copy();
    report_.ok = !report_.failure;
    if (!task_.site.options.plan_only) SHEAF_TRY(remember());
    if (!task_.site.options.plan_only && report_.ok)
      SHEAF_TRY(task_.site.store.settle(task_.site.name, report_.section));
    return std::move(report_);
  }

 private:
  enum class Round : std::uint8_t { done, again, stopped };
  enum class Step : std::uint8_t { applied, plan_again, stop };

  Result<void> look_at_store() {
    SHEAF_TRY_ASSIGN(before_, read_section_memory(task_.site.store, task_.site.name, report_.section));
    memory_ = before_;
    memory_.withdrawn = 0;
    SHEAF_TRY_ASSIGN(const auto state, task_.site.store.section(task_.site.name, report_.section));
    if (!state || state->origin != store::Origin::collections) {  // these validators are of deleted pages
      memory_.seen.clear();
      memory_.snapshot_checked.reset();
      memory_.was_crawled = false;
      return {};
    }
    const auto checked = memory_.snapshot_checked ? memory_.snapshot_checked : state->snapshot;
    held_ = Held{state->generated, state->snapshot, checked, state->proven == true};
    std::erase_if(memory_.seen,
                  [&](const SeenCollection& seen) { return seen.generated > state->generated; });
    unproven_ = state->proven == false;
    return {};
  }

  void take_offers() {
    const auto found = task_.offers.find(report_.section);
    if (found != task_.offers.end()) offers_ = found->second;
    advertised_ = correct_times(offers_, memory_);
    report_.misdated = held_ && is_misdated(*held_, offers_, rules_.now);
    reset_ = task_.site.options.reset || report_.misdated;
    if (reset_) rules_.only_snapshots = true;
  }

  Result<void> look_at_result() {
    SHEAF_TRY_ASSIGN(const auto state, task_.site.store.section(task_.site.name, report_.section));
    if (!state) return {};
    report_.pages = state->pages;
    SHEAF_TRY_ASSIGN(report_.unreadable,
                     store::read_unreadable(task_.site.store, task_.site.name, report_.section));
    if (state->origin == store::Origin::collections) report_.proven = state->proven;
    return {};
  }

  void start_resync() {
    rules_.only_snapshots = true;
    resynchronise_ = true;
  }

  Result<Round> run_round() {
    report_.plan = plan_section(report_.section, held_, offers_, rules_);
    const bool was_proven = held_ && held_->proven;
    newest_ = std::max(newest_, report_.plan.newest);
    future_ = std::max(future_, report_.plan.future);
    const PlanKind kind = report_.plan.kind;
    // Pages that were missing as HTML, perhaps for an hour, are in the collections.
    const bool is_back = memory_.was_crawled && kind != PlanKind::nothing && report_.plan.undated.empty();
    // Deltas cannot repair a copy that differs from the site.
    if (is_back || (unproven_ && kind != PlanKind::current)) {
      memory_.was_crawled = memory_.was_crawled && !is_back;
      unproven_ = false;
      start_resync();
      return Round::again;
    }
    if (kind == PlanKind::nothing || kind == PlanKind::current || task_.site.options.plan_only)
      return Round::done;
    if (resynchronise_ && leads_back()) return Round::done;
    for (const AdvertisedCollection& offer : report_.plan.steps) {
      SHEAF_TRY_ASSIGN(const Step step, apply(offer));
      if (step == Step::plan_again) return Round::again;
      if (step == Step::stop) return Round::stopped;
    }
    const std::optional<Instant> end = report_.plan.steps.back().generated;
    report_.arrived = !newest_ || (end && *end >= *newest_);
    if (report_.proven == false && !report_.resynchronised) {
      report_.resynchronised = true;
      start_resync();
      return Round::again;
    }
    // The plan counted on a proof that these files do not have.
    if (was_proven && offers::is_snapshot_due(*held_, rules_)) return Round::again;
    return Round::done;
  }

  /// Whether the plan ends at an older state than the store has. Applying it would restore pages that have
  /// been deleted since.
  [[nodiscard]] bool leads_back() const {
    const std::optional<Instant> end = report_.plan.steps.back().generated;
    return !reset_ && held_ && end && *end < held_->generated;
  }

  /// Why the copy is not the newest state that the site offers; empty if it is.
  [[nodiscard]] Failure judge_copy() const {
    if (task_.site.options.plan_only)
      return report_.plan.kind == PlanKind::nothing ? nothing_offered() : Failure{};
    if (!held_) return trouble_ ? trouble_ : nothing_offered();
    if (Failure why = judge_age()) return why;
    if (report_.proven == false)
      return {FailureCode::state_mismatch, fmt::format("the pages of section {} do not match the state "
                                                       "digest of the site, so the copy may be incomplete",
                                                       report_.section)};
    if (!report_.plan.undated.empty()) return undated_offered(report_.section, report_.plan.undated);
    if (report_.unreadable.contains(""))
      return {
          FailureCode::unreadable_page,
          fmt::format("section {} has a page that breaks a rule of the format and whose URL cannot be read",
                      report_.section)};
    return judge_files();
  }

  [[nodiscard]] Failure nothing_offered() const {
    return future_ ? future_offered(report_.section, *future_) : pull::nothing_offered(report_.section);
  }

  /// Why the copy is not as new as the newest offer; empty if it is.
  [[nodiscard]] Failure judge_age() const {
    if (future_) return future_offered(report_.section, *future_);
    if (!newest_)
      return report_.plan.kind == PlanKind::nothing ? (trouble_ ? trouble_ : nothing_offered()) : Failure{};
    const Instant reached = std::max(held_->generated, reached_.value_or(held_->generated));
    if (*newest_ > reached) {
      if (trouble_.code == FailureCode::stale_collection || trouble_.code == FailureCode::checksum_mismatch ||
          is_signature_failure(trouble_.code))
        return trouble_;
      return newest_unreachable(report_.section, *newest_, held_->generated, trouble_.message);
    }
    if (newest_->seconds < held_->generated.seconds - kStaleSeconds)
      return offers_outdated(report_.section, *newest_, held_->generated);
    return {};
  }

  /// Compares the files of this pull, and the newest file of an earlier pull, with what the sitemap says
  /// about them.
  [[nodiscard]] Failure judge_files() const {
    if (mismatch_) return mismatch_;
    for (const AdvertisedCollection& offer : offers_) {
      if (!offer.generated || *offer.generated != held_->generated) continue;
      const SeenCollection* const seen = memory_.find(offer.url);
      if (seen == nullptr || seen->generated != held_->generated) continue;
      if (Failure why = compare_file(offer, *seen)) return why;
    }
    return {};
  }

  /// Stores what the next pull needs.
  Result<void> remember() {
    const auto found = task_.offers.find(report_.section);
    if (found != task_.offers.end()) memory_.keep_offered(found->second);
    if (report_.ok) {
      memory_.failures = 0;
      memory_.failing_since.reset();
    } else {
      memory_.was_crawled = before_.was_crawled;
    }
    // Held losses are no failure. But a section that cannot be reached must not hold those of others for
    // ever.
    const bool is_held = report_.losses_held && (task_.losses == store::Losses::hold || report_.arrived);
    if (!report_.ok && report_.failure.code != FailureCode::cancelled && !is_held) {
      ++memory_.failures;
      if (!memory_.failing_since || *memory_.failing_since > rules_.now) memory_.failing_since = rules_.now;
    }
    report_.failures = memory_.failures;
    report_.failing_since = memory_.failing_since;
    if (memory_ == before_) return {};
    return write_section_memory(task_.site.store, task_.site.name, report_.section, memory_);
  }

  Result<Step> apply(const AdvertisedCollection& offer) {
    if (Failure why = check_url(offer, task_)) return give_up_on(offer, std::move(why));
    held_before_ = held_ && !reset_ ? std::optional(held_->generated) : std::nullopt;
    SHEAF_TRY_ASSIGN(auto fetched, fetch(offer));
    const auto* const download = std::get_if<Download>(&fetched);
    if (download == nullptr) return std::get<Step>(fetched);
    const SeenCollection* const seen = seen_before(offer);
    if (download->outcome == DownloadOutcome::unchanged && seen != nullptr &&
        download->validators == seen->validators)
      return settle(offer, *seen);
    SHEAF_TRY_ASSIGN(Failure untrusted, check_signature(offer, *download));
    if (untrusted) {
      task_.site.downloads.drop(offer.url);
      return give_up_on(offer, std::move(untrusted));
    }
    auto source = base::open_source(download->file.string());
    if (!source) return std::unexpected(std::move(source).error());
    store::ApplyOptions options = apply_options(offer);
    SHEAF_TRY_ASSIGN(options.unreadable,
                     store::read_unreadable(task_.site.store, task_.site.name, report_.section));
    auto applied = task_.site.store.apply(task_.site.name, report_.section, std::move(*source), options);
    if (!applied) return judge_failure(offer, *download, applied.error());
    return judge(offer, *download, *applied);
  }

  /// Why a downloaded file must not be applied; empty if its signature is valid or none is required.
  Result<Failure> check_signature(const AdvertisedCollection& offer, const Download& download) {
    if (!task_.site.signing.is_signed()) return Failure{};
    // Rebuilding a section may start with an older snapshot; deltas then lead to the newest state.
    const auto held = held_ && !rules_.only_snapshots ? std::optional(held_->generated) : std::nullopt;
    return task_.site.signing.check({offer.url, report_.section, download.file, advertised_time(offer), held},
                                    task_.site.downloads, task_.site.options.limits);
  }

  /// The record of the file at this URL if the section already contains all of it. Null while the section is
  /// rebuilt: then a file is needed even if it was applied before.
  [[nodiscard]] const SeenCollection* seen_before(const AdvertisedCollection& offer) const {
    return held_ && !rules_.only_snapshots ? memory_.find(offer.url) : nullptr;
  }

  /// The sitemap's time of the offer, before correct_times() changed it.
  [[nodiscard]] std::optional<Instant> advertised_time(const AdvertisedCollection& offer) const {
    const auto found = advertised_.find(offer.url);
    return found == advertised_.end() ? offer.generated : std::optional(found->second);
  }

  /// Records that the section contains everything in the file, and compares the file with what the sitemap
  /// says about it.
  Step settle(const AdvertisedCollection& offer, SeenCollection seen) {
    seen.advertised = advertised_time(offer);
    seen.since = offer.since;
    memory_.put(seen);
    // A snapshot without a date may be older than deltas that have one.
    const bool undated_base = !seen.advertised && newest_;
    if (!undated_base && is_stale(seen.advertised, seen.generated, held_before_)) {
      // If the file stayed on disk, it would be taken for the version that the entry promises and never be
      // requested again.
      task_.site.downloads.drop(offer.url);
      return give_up_on(offer, {FailureCode::stale_collection, describe_stale(offer, seen)});
    }
    reached_ = std::max(reached_, seen.advertised);
    if (seen.type == model::CollectionType::snapshot) memory_.snapshot_checked = rules_.now;
    if (held_ && seen.type == model::CollectionType::snapshot) held_->snapshot_checked = rules_.now;
    if (!mismatch_) mismatch_ = compare_file(offer, seen);
    return Step::applied;
  }

  [[nodiscard]] store::ApplyOptions apply_options(const AdvertisedCollection& offer) {
    store::ApplyOptions options;
    options.limits = task_.site.options.limits;
    options.threads = task_.site.options.threads;
    options.pack_threads = task_.site.options.pack_threads;
    options.shrink = task_.site.options.shrink;
    options.now = rules_.now;
    options.cancelled = task_.site.options.cancelled;
    options.resynchronise = resynchronise_;
    options.reset = reset_;
    options.losses = task_.losses;
    options.checksum = offer.checksum.value_or("");
    options.vouch = [this, &offer](const base::Url& page) {
      return task_.site.hosts.accept(page, offer.sitemaps);
    };
    if (task_.site.on_skipped)
      options.findings = [this, url = offer.url](const Finding& finding) { report_skipped(url, finding); };
    if (task_.site.options.progress)
      options.progress = [this, size = offer.size.value_or(0)](std::uint64_t bytes, std::uint64_t pages) {
        task_.site.options.progress({"apply", report_.section, bytes, pages, size});
      };
    return options;
  }

  void report_skipped(const std::string& file, const Finding& finding) const {
    if (format::level_of(finding.code) != format::Level::page) return;
    const std::string item =
        finding.url.empty() ? fmt::format("line {} of {}", finding.line, file) : finding.url;
    task_.site.on_skipped({.section = report_.section,
                           .item = item,
                           .reason = format::to_string(finding.code),
                           .detail = finding.message});
  }

  /// Downloads the file, or returns how to continue without it.
  Result<std::variant<Download, Step>> fetch(const AdvertisedCollection& offer) {
    std::string label;
    if (offer.generated) label = format_time(*offer.generated);
    DownloadRequest request{.url = offer.url,
                            .limit = task_.site.options.limits.compressed_bytes,
                            .label = label,
                            .is_collection = true,
                            .advertised = offer.size};
    if (const SeenCollection* const seen = seen_before(offer)) request.known = seen->validators;
    if (task_.site.options.progress)
      request.progress = [this, size = offer.size.value_or(0)](std::uint64_t bytes) {
        task_.site.options.progress({"fetch", report_.section, bytes, 0, size});
      };
    auto download = task_.site.downloads.fetch(request);
    if (!download) {
      if (is_local_failure(download.error())) return std::unexpected(std::move(download).error());
      return give_up_on(offer, task_.site.downloads.failure(download.error()));
    }
    if (download->status == kPaymentRequired) {  // other files of the section probably cost something too
      trouble_ = payment_failure(download->url);
      return Step::stop;
    }
    if (download->outcome == DownloadOutcome::answered) {
      return give_up_on(
          offer, {FailureCode::http_status, fmt::format("{} answered {}", offer.url, download->status)});
    }
    return std::move(*download);
  }

  Step give_up_on(const AdvertisedCollection& offer, Failure why) {
    const std::string url = offer.url;  // `offer` may be an element that is erased below
    ++failed_;
    std::erase_if(offers_, [&](const AdvertisedCollection& each) {
      return each.url == url || failed_ >= 2 * kMaxFailures ||
             (failed_ >= kMaxFailures && each.type == model::CollectionType::delta);
    });
    trouble_ = std::move(why);
    if (!task_.site.is_cancelled()) return Step::plan_again;
    trouble_.code = FailureCode::cancelled;
    return Step::stop;
  }

  Result<Step> judge_failure(const AdvertisedCollection& offer, const Download& download,
                             const base::Error& error) {
    if (error.code == Errc::refused) {
      trouble_ = {FailureCode::cancelled, error.message};
      return Step::stop;
    }
    if (error.code != Errc::invalid_data) return std::unexpected(error);
    task_.site.downloads.drop(offer.url);
    // If the file was assembled from several requests or kept from an earlier pull, the disk or an
    // inconsistent server may be the cause, so it is fetched once more.
    const bool doubtful = download.resumed || download.outcome != DownloadOutcome::fetched;
    if (doubtful && again_.insert(offer.url).second) return Step::plan_again;
    report_.invalid = true;
    std::string message = error.message;
    // The local file name means nothing to the user, so show the URL.
    if (const auto at = message.find(download.file.string()); at != std::string::npos)
      message.replace(at, download.file.string().size(), offer.url);
    return give_up_on(offer, {FailureCode::invalid_collection, std::move(message)});
  }

  Result<Step> judge(const AdvertisedCollection& offer, const Download& download,
                     const store::ApplySummary& applied) {
    const bool is_held =
        applied.outcome == ApplyOutcome::shrink_held || applied.outcome == ApplyOutcome::losses_held;
    if (!task_.site.options.keep_files && !is_held) task_.site.downloads.drop(offer.url);
    for (std::size_t i = 0; i < applied.findings.size(); ++i) report_.findings[i] += applied.findings[i];
    SeenCollection seen{.type = applied.head.type,
                        .url = offer.url,
                        .generated = applied.head.generated_at,
                        .validators = download.validators,
                        .bytes = download.bytes,
                        .checksum = base::lower_text(applied.head.checksum.value_or(""))};
    switch (applied.outcome) {
      case ApplyOutcome::older: return settle(offer, std::move(seen));
      case ApplyOutcome::gap:
      case ApplyOutcome::out_of_order:
        if (rules_.only_snapshots)
          return give_up_on(
              offer, {FailureCode::newest_unreachable,
                      fmt::format("{} does not follow what its sitemap says comes before it", offer.url)});
        rules_.only_snapshots = true;
        return Step::plan_again;
      case ApplyOutcome::losses_held:
        report_.losses_held = true;
        if (task_.losses == store::Losses::keep) {
          report_ += applied;
          return Step::applied;
        }
        trouble_ = {FailureCode::newest_unreachable,
                    fmt::format("{} removes pages that may have moved to a section that cannot be pulled now",
                                offer.url)};
        return Step::stop;
      case ApplyOutcome::shrink_held:
        report_.held_back = true;
        trouble_ = {
            FailureCode::shrink_held,
            fmt::format("{} would remove all or more than half of the pages of section {}; to confirm this, "
                        "use --allow-shrink",
                        offer.url, report_.section)};
        return Step::stop;
      case ApplyOutcome::other_checksum:
        return give_up_on(offer,
                          {FailureCode::checksum_mismatch,
                           fmt::format("{} is not the file that its sitemap describes: the checksum of "
                                       "the file differs from {}, so it was not applied",
                                       offer.url, *offer.checksum)});
      case ApplyOutcome::applied: break;
    }
    count(applied);
    SHEAF_TRY(note_signature(applied));
    seen.pages = pages_in_file(applied);
    return settle(offer, std::move(seen));
  }

  /// Stores the signature if it is that of the newest collection, because it proves the state of the section.
  Result<void> note_signature(const store::ApplySummary& applied) {
    if (!task_.site.signing.is_signed() || applied.head.generated_at < held_->generated) return {};
    return task_.site.signing.note_applied(report_.section);
  }

  void count(const store::ApplySummary& applied) {
    const Instant generated = applied.head.generated_at;
    const bool is_snapshot = applied.head.type == model::CollectionType::snapshot;
    if (is_snapshot && std::exchange(reset_, false)) held_.reset();
    if (!held_) held_ = Held{generated, {}, {}, false};
    held_->generated = std::max(held_->generated, generated);
    if (is_snapshot) held_->snapshot = std::max(held_->snapshot, std::optional(generated));
    held_->proven = applied.proven == true;
    ++report_.applied;
    report_ += applied;
    report_.proven = applied.proven;
  }

  const CollectionsTask& task_;
  PullSectionReport report_;
  PlanRules rules_;
  std::optional<Held> held_;
  std::optional<Instant> held_before_;  ///< `generated` before the current file was applied
  SectionMemory before_;                ///< as the last pull stored it
  SectionMemory memory_;
  std::vector<AdvertisedCollection> offers_;  ///< of this section, except those that failed
  AdvertisedTimes advertised_;                ///< the sitemap's times that correct_times() changed
  std::optional<Instant> newest_;             ///< newest state offered
  std::optional<Instant> future_;
  std::optional<Instant> reached_;         ///< time of the newest sitemap entry whose file has been applied
  std::unordered_set<std::string> again_;  ///< URLs of invalid files that are fetched a second time
  std::size_t failed_ = 0;                 ///< number of files that failed
  Failure trouble_;                        ///< of the last file that failed
  Failure mismatch_;                       ///< of the first file that is not what the sitemap promised
  bool unproven_ = false;                  ///< the pages in the store do not match the stated digest
  bool resynchronise_ = false;
  bool reset_ = false;  ///< the next snapshot replaces the section, even if it is older
};

}  // namespace

Result<PullSectionReport> pull_section(const CollectionsTask& task, const std::string& section) {
  return SectionPull(task, section).run();
}

}  // namespace sheaf::pull
