#include "sheaf/store/shared/note_read_ahead.h"

#include <utility>
#include <vector>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr std::size_t kMaxUsual = 16;
constexpr std::size_t kMaxAskedOfOne = 256;
constexpr std::size_t kMaxCommonLength = 64;

}  // namespace

void NoteReadAhead::enter(std::string_view site) {
  const std::lock_guard lock(mutex_);
  sites_.insert_or_assign(std::string(site), Site{});
}

void NoteReadAhead::leave(std::string_view site) {
  const std::lock_guard lock(mutex_);
  if (const auto found = sites_.find(site); found != sites_.end()) sites_.erase(found);
}

void NoteReadAhead::forget(std::string_view site) {
  const std::lock_guard lock(mutex_);
  const auto found = sites_.find(site);
  if (found == sites_.end()) return;
  ++found->second.commits;
  found->second.known.clear();
}

/// Requires the mutex. Names that are used by one site only, such as those of its pages, are never read
/// ahead.
void NoteReadAhead::learn(std::string_view site, std::string_view name) {
  if (usual_.size() >= kMaxUsual || name.size() > kMaxCommonLength || usual_.contains(name)) return;
  const auto found = asked_of_one_.find(name);
  if (found == asked_of_one_.end()) {
    if (asked_of_one_.size() >= kMaxAskedOfOne) asked_of_one_.clear();
    asked_of_one_.emplace(name, site);
  } else if (found->second != site) {
    usual_.insert(std::string(name));
    asked_of_one_.erase(found);
  }
}

Result<std::optional<std::string>> NoteReadAhead::find(std::string_view site, std::string_view name,
                                                       const Read& read) {
  std::vector<std::string> names{std::string(name)};
  std::optional<std::uint64_t> commits;
  {
    const std::lock_guard lock(mutex_);
    if (const auto entered = sites_.find(site); entered != sites_.end()) {
      learn(site, name);
      const auto& known = entered->second.known;
      if (const auto found = known.find(name); found != known.end()) return found->second;
      for (const std::string& usual : usual_)
        if (usual != name && !known.contains(usual)) names.push_back(usual);
      commits = entered->second.commits;
    }
  }
  SHEAF_TRY_ASSIGN(Values values, read(names));
  const auto value_of = [&](const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const std::lock_guard lock(mutex_);
  const auto entered = sites_.find(site);
  if (commits && entered != sites_.end() && entered->second.commits == *commits)
    for (const std::string& each : names) entered->second.known[each] = value_of(each);
  return value_of(names.front());
}

}  // namespace sheaf::store::shared
