#pragma once

#include <string_view>

namespace sheaf::model {

/// Whether a text is a duration by the drafts' schema: ISO 8601 with hours, minutes and seconds only
/// ("PT1H5M20.5S").
bool is_duration(std::string_view text) noexcept;

}  // namespace sheaf::model
