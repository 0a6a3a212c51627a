#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/pg_connection.h"
#include "sheaf/store/site_notes.h"

#include <cstddef>
#include <optional>
#include <string_view>

// When each site of the list is due. The note `schedule` of a site has all that is known of its last pull;
// what decides which site is next is repeated in columns of the table `site`, which have an index: due, last
// (when the last pull ended) and fails.
namespace sheaf::store::shared {

/// Collects due times of sites for one statement.
class DueTimes {
 public:
  /// Without a schedule the site is due as if it had never been pulled.
  void add(int b, std::string_view origin, const std::optional<SiteSchedule>& schedule);
  /// The value of a note of that name; ignores other names, and what is not a schedule.
  void add_note(int b, std::string_view origin, std::string_view name,
                const std::optional<std::string>& value);
  /// Sites that are not listed are ignored.
  base::Result<void> write(PgConnection& connection) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  SqlArray b_, origin_, due_, last_, fails_;
  std::size_t size_ = 0;
};

/// Columns and index, and the due times of all listed sites according to their notes: for stores of format 1.
base::Result<void> add_due_times(PgConnection& connection);

}  // namespace sheaf::store::shared
