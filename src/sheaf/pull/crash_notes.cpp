#include "sheaf/pull/crash_notes.h"

#include "sheaf/pull/fleet.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace sheaf::pull {
namespace {

std::string note_name(const base::Url& site) { return folder_of_site({}, site).string(); }

}  // namespace

CrashNotes::CrashNotes(const std::filesystem::path& downloads, Instant now)
    : folder_(downloads / "in-flight") {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    Note note{.in_flight = true};  // also if the file cannot be read
    std::ifstream(entry.path()) >> note.strikes >> note.last >> note.in_flight;
    const std::string name = entry.path().filename().string();
    if (note.in_flight) note = {.strikes = note.strikes + 1, .last = now.seconds};
    notes_[name] = note;
  }
  for (const auto& [name, note] : notes_) write(name, note);
}

bool CrashNotes::is_suspect(const base::Url& site) const {
  const std::lock_guard lock(mutex_);
  const auto found = notes_.find(note_name(site));
  return found != notes_.end() && found->second.strikes > 0;
}

std::optional<PullReport> CrashNotes::skip(const base::Url& site, Instant now) const {
  const std::lock_guard lock(mutex_);
  const auto found = notes_.find(note_name(site));
  if (found == notes_.end() || found->second.strikes < kMaxStrikes) return std::nullopt;
  const std::chrono::seconds left = kSkipTime - std::chrono::seconds(now.seconds - found->second.last);
  if (left.count() <= 0 || left > kSkipTime) return std::nullopt;
  PullReport report;
  report.site = site.origin();
  report.began = now;
  report.retry_after = left;
  report.failure = {
      FailureCode::crashed,
      fmt::format(
          "{} pulls of {} did not end, because the program crashed or was killed; it is skipped until {}. "
          "To try it now, name it: sheaf pull {}. If the program crashes again, please report this",
          found->second.strikes, report.site, format_time({now.seconds + left.count(), 0}), report.site)};
  return report;
}

void CrashNotes::write(const std::string& name, const Note& note) const {
  std::error_code ignored;
  if (note.strikes == 0 && !note.in_flight)
    std::filesystem::remove(folder_ / name, ignored);
  else
    std::ofstream(folder_ / name) << note.strikes << ' ' << note.last << ' ' << note.in_flight << '\n';
}

CrashNotes::Pull::Pull(CrashNotes& notes, const base::Url& site) : notes_(notes), name_(note_name(site)) {
  const std::lock_guard lock(notes_.mutex_);
  Note& note = notes_.notes_[name_];
  note.in_flight = true;
  notes_.write(name_, note);
}

CrashNotes::Pull::~Pull() {
  const std::lock_guard lock(notes_.mutex_);
  Note& note = notes_.notes_[name_];
  note.in_flight = false;
  if (completed_) note.strikes = 0;
  notes_.write(name_, note);
  if (note.strikes == 0) notes_.notes_.erase(name_);
}

}  // namespace sheaf::pull
