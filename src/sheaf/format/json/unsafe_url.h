#pragma once

#include <string>
#include <string_view>

// Parts of a page that are kept as JSON (`schema`, unknown members, objects in media fields) may contain
// URLs. Consumers show them as links and images, so URLs that run code or read local files are dropped from
// them.
namespace sheaf::format {

/// Whether a string is a URL of a scheme that is never safe to follow: javascript, vbscript, data, file,
/// blob, filesystem. It is read as browsers do: they ignore leading spaces, and tabs and line ends anywhere.
/// `name` is the name of its member. A text such as "JavaScript: The Good Parts" counts only in members for
/// URLs.
bool is_unsafe_url(std::string_view name, std::string_view text);

/// Copies a valid JSON value without the strings that are unsafe URLs: members and array elements are left
/// out. White space is left out too. Empty if the value itself is such a string. `name` is the name of its
/// member. Takes linear time; recursion is as deep as the nesting.
std::string without_unsafe_urls(std::string_view name, std::string_view json);

}  // namespace sheaf::format
