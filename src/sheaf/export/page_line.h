#pragma once

#include "sheaf/store/page_store.h"

#include <string>
#include <string_view>

namespace sheaf::exporting {

/// The member that export adds to a page: where the store has it from. Pages that came with a member of that
/// name lose theirs, so whatever is under it is ours.
inline constexpr std::string_view kProvenanceMember = "sheaf";

/// Appends the page's JSON as it came, with one member more as its last:
/// "sheaf":{"site":"https://example.com","section":"blog","fetched":"2026-01-15T00:00:00Z"}.
/// No line feed. The page must have its JSON.
void append_page_line(std::string& out, const store::StoredPage& page);

}  // namespace sheaf::exporting
