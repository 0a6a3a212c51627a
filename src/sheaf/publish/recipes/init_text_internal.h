#pragma once

#include <string>
#include <string_view>

// Text of a sheaf.toml.
namespace sheaf::publish {

/// A text in quotes.
std::string toml_text(std::string_view text);
/// `text` as one comment line: it comes from untrusted files.
std::string comment_line(std::string_view text);

}  // namespace sheaf::publish
