#pragma once

#include "sheaf/store/page_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::exporting {

/// The member that export adds to a page: its provenance. A member of that name in the page itself is
/// removed, so a consumer can trust it.
inline constexpr std::string_view kProvenanceMember = "sheaf";

/// Appends the page's JSON as stored, with one more member at the end:
/// "sheaf":{"site":"https://example.com","section":"blog","fetched":"2026-01-15T00:00:00Z"}.
/// If changes are exported, the member also has the number of the newest change: "sequence":12.
/// Appends no line feed. `page.json` must not be empty.
void append_page_line(std::string& out, const store::StoredPage& page,
                      std::optional<std::uint64_t> sequence = std::nullopt);

/// Appends the line of a removed page:
/// {"url":..,"sheaf":{"site":..,"section":..,"sequence":12,"removed":true}}.
void append_removal_line(std::string& out, const store::StoreChange& change);

}  // namespace sheaf::exporting
