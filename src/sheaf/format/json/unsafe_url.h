#pragma once

#include <optional>
#include <string>
#include <string_view>

// Parts of a page that are kept as JSON (`schema`, unknown members, objects in media fields) may contain
// URLs. Consumers show them as links and images, so sheaf writes no URLs there that run code or read local
// files. Readers keep and report them.
namespace sheaf::format {

/// Whether a string is a URL of a scheme that is never safe to follow: javascript, vbscript, data, file,
/// blob, filesystem. It is read as browsers do: they ignore leading spaces, and tabs and line ends anywhere.
/// `name` is the name of its member. A text such as "JavaScript: The Good Parts" counts only in members for
/// URLs.
bool is_unsafe_url(std::string_view name, std::string_view text);

/// Copies a valid JSON value without the strings that are unsafe URLs: members and array elements are left
/// out. White space is left out too. Empty if the value itself is such a string; nullopt if there is none.
/// `key` is the name of its member, as escaped in JSON. Takes linear time; recursion is as deep as the
/// nesting.
std::optional<std::string> without_unsafe_urls(std::string_view key, std::string_view json);

}  // namespace sheaf::format
