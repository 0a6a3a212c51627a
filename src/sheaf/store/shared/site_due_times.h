#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/pg_connection.h"
#include "sheaf/store/site_notes.h"

#include <cstddef>
#include <optional>
#include <string_view>

// When each site of the list is due. The note `schedule` of a site describes its last pull. The values that
// decide which site is next are repeated in columns of the table `site`, which can be indexed: `due`, `last`
// (when the last pull ended) and `fails`.
namespace sheaf::store::shared {

/// Collects due times of sites, to write them with one statement.
class DueTimes {
 public:
  /// Without a schedule the site is due as if it had never been pulled.
  void add(int b, std::string_view origin, const std::optional<SiteSchedule>& schedule);
  /// Adds the due time of a site from its note `schedule`; without a value, as if the site had never been
  /// pulled. Ignores other notes and invalid values.
  void add_note(int b, std::string_view origin, std::string_view name,
                const std::optional<std::string>& value);
  /// Writes the due times. Ignores sites that are not listed.
  base::Result<void> write(PgConnection& connection) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  SqlArray b_, origin_, due_, last_, fails_;
  std::size_t size_ = 0;
};

}  // namespace sheaf::store::shared
