#pragma once

#include "sheaf/base/ascii.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::http::message {

/// The methods that we distinguish.
enum class Method : std::uint8_t { get, head, post, options, known, other };

/// `known` stands for the registered methods that no handler supports: PUT, DELETE, CONNECT, TRACE, PATCH.
/// `other` is any unregistered method.
Method method_of(std::string_view name) noexcept;

/// One field line of a request. Both views borrow the request.
struct Field {
  std::string_view name;
  std::string_view value;
};

/// One field line of a response.
struct Header {
  std::string name;
  std::string value;

  friend bool operator==(const Header&, const Header&) = default;
};

/// The fields of a request, in order.
class Fields {
 public:
  Fields() = default;
  explicit Fields(std::span<const Field> lines) : lines_(lines) {}

  /// Number of lines with this name (case-insensitive).
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
  /// The value of the first line with this name, or an empty view.
  [[nodiscard]] std::string_view first(std::string_view name) const noexcept;
  /// The values of all lines with this name as one list, as RFC 9110 5.3 allows for list fields.
  [[nodiscard]] std::string joined(std::string_view name) const;

  [[nodiscard]] std::span<const Field> lines() const noexcept { return lines_; }

 private:
  std::span<const Field> lines_;
};

/// Compares without case, ASCII only, as HTTP does for names, tokens and units.
bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;

using base::trim_blanks;

/// Whether browsers parse this Content-Type, with or without parameters, as HTML.
bool is_html_type(std::string_view content_type) noexcept;

/// Whether `text` is a token (RFC 9110 5.6.2), as methods and field names must be.
bool is_token(std::string_view text) noexcept;

/// Whether `text` may be a field value: it has no control character other than tab.
bool is_field_value(std::string_view text) noexcept;

/// "Not Found" for 404; "Unknown" for a status that the server does not send.
std::string_view reason_phrase(unsigned status) noexcept;

/// An HTTP-date in any of its three forms (RFC 9110 5.6.7) as seconds since 1970:
///   Sun, 06 Nov 1994 08:49:37 GMT    Sunday, 06-Nov-94 08:49:37 GMT    Sun Nov  6 08:49:37 1994
/// A two-digit year in the second form means the latest matching year that is at most 50 years after `now`.
/// The day name must be valid but is not compared with the date. Nullopt for anything else. Does not
/// allocate.
std::optional<std::int64_t> parse_http_date(std::string_view text, std::int64_t now) noexcept;

/// Writes the first form. Times outside the years 1 to 9999 are clamped.
std::string format_http_date(std::int64_t seconds);

}  // namespace sheaf::http::message
