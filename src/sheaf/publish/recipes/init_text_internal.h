#pragma once

#include <string>
#include <string_view>

// Text of a sheaf.toml.
namespace sheaf::publish {

/// The text as a quoted TOML string.
std::string toml_text(std::string_view text);
/// `text` as one comment line. The text may come from untrusted files, so control characters become spaces.
std::string comment_line(std::string_view text);

}  // namespace sheaf::publish
