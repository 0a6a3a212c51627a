#include "sheaf/pull/collections_road.h"

#include "sheaf/base/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;
using site::AdvertisedCollection;
using store::ApplyOutcome;

/// Whether the trouble is ours (the disk, the store), and nothing that another file or time would heal.
bool is_ours(const base::Error& error) {
  return error.code == Errc::no_space || error.code == Errc::permission_denied;
}

class SectionPull {
 public:
  SectionPull(const CollectionsTask& task, const std::string& section) : task_(task) {
    report_.section = section;
    rules_.now = task.options.clock();
  }

  Result<SectionReport> run() {
    SHEAF_TRY(look_at_store());
    // Every round leaves out what the one before found to be of no use, so there is an end.
    while (true) {
      SHEAF_TRY_ASSIGN(const Round round, run_round());
      if (round == Round::done) break;
    }
    SHEAF_TRY_ASSIGN(const auto state, task_.store.section(task_.site, report_.section));
    if (state) report_.pages = state->pages;
    return std::move(report_);
  }

 private:
  enum class Round : std::uint8_t { done, again };
  enum class Step : std::uint8_t { applied, plan_again, stop };

  Result<void> look_at_store() {
    SHEAF_TRY_ASSIGN(const auto state, task_.store.section(task_.site, report_.section));
    if (!state || state->origin != store::Origin::collections) return {};
    held_ = Held{state->generated};
    unproven_ = state->proven == false;
    return {};
  }

  void begin_anew() {
    rules_.only_snapshots = true;
    resynchronise_ = true;
  }

  [[nodiscard]] std::vector<AdvertisedCollection> offers() const {
    std::vector<AdvertisedCollection> usable;
    for (const AdvertisedCollection& offer : task_.advertised.collections)
      if (!useless_.contains(offer.url)) usable.push_back(offer);
    return usable;
  }

  Result<Round> run_round() {
    report_.plan = plan_section(report_.section, held_, offers(), rules_);
    if (unproven_ && report_.plan.kind != PlanKind::current) {  // no chain of deltas makes that good
      unproven_ = false;
      begin_anew();
      return Round::again;
    }
    if (report_.plan.kind == PlanKind::nothing) {
      if (!report_.failure)
        report_.failure = {
            FailureCode::nothing_offered,
            fmt::format("the site offers nothing that brings section {} up to date", report_.section)};
      return Round::done;
    }
    if (report_.plan.kind == PlanKind::current || task_.options.plan_only) {
      report_.ok = !report_.failure;
      return Round::done;
    }
    for (const AdvertisedCollection& offer : report_.plan.steps) {
      SHEAF_TRY_ASSIGN(const Step step, apply(offer));
      if (step == Step::plan_again) return Round::again;
      if (step == Step::stop) return Round::done;
    }
    if (report_.proven == false && !report_.resynchronised) {
      report_.resynchronised = true;
      begin_anew();
      return Round::again;
    }
    report_.ok = true;
    report_.failure = {};
    return Round::done;
  }

  /// Whether the address may be asked at all.
  [[nodiscard]] Failure objection(const AdvertisedCollection& offer) const {
    const auto url = base::Url::parse(offer.url);
    if (!url) return {FailureCode::nothing_offered, fmt::format("{} is no address", offer.url)};
    if (task_.site.starts_with("https:") && url->scheme() == "http" && !task_.options.allow_http)
      return {FailureCode::insecure_url,
              fmt::format("{} is offered over http by a site that has https: anybody on the way could change "
                          "it; allow it with --allow-http",
                          offer.url)};
    const auto own = base::Url::parse(task_.site);
    const bool same_site = own && own->origin() == url->origin();
    if (same_site && !task_.rules.judge(*url).allowed)
      return {FailureCode::robots_disallowed, fmt::format("{} is disallowed by robots.txt", offer.url)};
    return {};
  }

  Result<Step> apply(const AdvertisedCollection& offer) {
    if (Failure why = objection(offer)) return give_up_on(offer, std::move(why));
    SHEAF_TRY_ASSIGN(auto download, fetch(offer));
    if (!download) return *failed_step_;
    if (download->outcome == DownloadOutcome::unchanged && !offer.generated && held_) return Step::applied;
    auto source = base::open_source(download->file.string());
    if (!source) return std::unexpected(std::move(source).error());
    auto applied = task_.store.apply(task_.site, report_.section, std::move(*source), apply_options(offer));
    if (!applied) return judge_failure(offer, *download, applied.error());
    return judge(offer, *applied);
  }

  [[nodiscard]] store::ApplyOptions apply_options(const AdvertisedCollection& offer) {
    store::ApplyOptions options;
    options.limits = task_.options.limits;
    options.threads = task_.options.threads;
    options.shrink = task_.options.shrink;
    options.now = rules_.now;
    options.cancelled = task_.options.cancelled;
    options.resynchronise = resynchronise_ && offer.type == model::CollectionType::snapshot;
    if (task_.options.progress)
      options.progress = [this, size = offer.size.value_or(0)](std::uint64_t bytes, std::uint64_t pages) {
        task_.options.progress({"apply", report_.section, bytes, pages, size});
      };
    return options;
  }

  /// The file; nothing if it could not be had, and failed_step_ is what to do then.
  Result<std::optional<Download>> fetch(const AdvertisedCollection& offer) {
    if (task_.options.progress)
      task_.options.progress({"fetch", report_.section, 0, 0, offer.size.value_or(0)});
    std::string label;
    if (offer.generated) label = base::format_time(*offer.generated);
    auto download = task_.downloads.fetch(
        {.url = offer.url, .limit = task_.options.limits.compressed_bytes, .label = label});
    if (!download) {
      if (is_ours(download.error())) return std::unexpected(std::move(download).error());
      failed_step_ = give_up_on(offer, {FailureCode::unreachable, download.error().message});
      return std::nullopt;
    }
    if (download->outcome == DownloadOutcome::answered) {
      failed_step_ = give_up_on(
          offer, {FailureCode::http_status, fmt::format("{} answered {}", offer.url, download->status)});
      return std::nullopt;
    }
    return std::move(*download);
  }

  Step give_up_on(const AdvertisedCollection& offer, Failure why) {
    useless_.insert(offer.url);
    report_.failure = std::move(why);
    return task_.options.cancelled && task_.options.cancelled() ? Step::stop : Step::plan_again;
  }

  Result<Step> judge_failure(const AdvertisedCollection& offer, const Download& download,
                             const base::Error& error) {
    if (error.code == Errc::refused) {
      report_.failure = {FailureCode::cancelled, error.message};
      return Step::stop;
    }
    if (error.code != Errc::invalid_data) return std::unexpected(error);
    task_.downloads.drop(offer.url);
    // Put together from pieces, or kept from another time: the disk or an unfaithful server may be to blame.
    const bool doubtful = download.resumed || download.outcome != DownloadOutcome::fetched;
    if (doubtful && again_.insert(offer.url).second) return Step::plan_again;
    report_.invalid = true;
    std::string message = error.message;
    // The file has a name of ours that tells nobody anything.
    if (const auto at = message.find(download.file.string()); at != std::string::npos)
      message.replace(at, download.file.string().size(), offer.url);
    return give_up_on(offer, {FailureCode::invalid_collection, std::move(message)});
  }

  Result<Step> judge(const AdvertisedCollection& offer, const store::ApplySummary& applied) {
    if (!task_.options.keep_files && applied.outcome != ApplyOutcome::shrink_held)
      task_.downloads.drop(offer.url);
    for (std::size_t i = 0; i < applied.findings.size(); ++i) report_.findings[i] += applied.findings[i];
    switch (applied.outcome) {
      case ApplyOutcome::older:
        held_ =
            Held{std::max(held_ ? held_->generated : applied.head.generated_at, applied.head.generated_at)};
        return Step::applied;
      case ApplyOutcome::gap:
      case ApplyOutcome::out_of_order:
        if (rules_.only_snapshots)
          return give_up_on(
              offer, {FailureCode::newest_unreachable,
                      fmt::format("{} does not follow what its sitemap says comes before it", offer.url)});
        rules_.only_snapshots = true;
        return Step::plan_again;
      case ApplyOutcome::shrink_held:
        report_.held_back = true;
        report_.failure = {
            FailureCode::shrink_held,
            fmt::format(
                "{} would take away more than half of section {}; if that is meant, use --allow-shrink",
                offer.url, report_.section)};
        return Step::stop;
      case ApplyOutcome::applied: break;
    }
    if (offer.type == model::CollectionType::snapshot) resynchronise_ = false;
    held_ = Held{applied.head.generated_at};
    ++report_.applied;
    report_.added += applied.added;
    report_.changed += applied.changed;
    report_.unchanged += applied.unchanged;
    report_.removed += applied.removed;
    report_.proven = applied.proven;
    return Step::applied;
  }

  const CollectionsTask& task_;
  SectionReport report_;
  PlanRules rules_;
  std::optional<Held> held_;
  std::unordered_set<std::string> useless_;  ///< addresses that failed
  std::unordered_set<std::string> again_;    ///< ... and those that were given another try
  std::optional<Step> failed_step_;
  bool unproven_ = false;  ///< what is held was found not to add up
  bool resynchronise_ = false;
};

}  // namespace

Result<SectionReport> pull_section(const CollectionsTask& task, const std::string& section) {
  return SectionPull(task, section).run();
}

}  // namespace sheaf::pull
