#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::http {

/// The methods we tell apart; every other registered or unknown one is `other`.
enum class Method : std::uint8_t { get, head, options, known, other };

/// `known` are the methods of RFC 9110 that a file server has no use for: POST, PUT, DELETE, CONNECT, TRACE,
/// PATCH.
Method method_of(std::string_view name) noexcept;

/// One field line of a request. Both views borrow the request.
struct Field {
  std::string_view name;
  std::string_view value;
};

/// One field line of an answer.
struct Header {
  std::string name;
  std::string value;

  friend bool operator==(const Header&, const Header&) = default;
};

/// The fields of a request in the order they came.
class Fields {
 public:
  Fields() = default;
  explicit Fields(std::span<const Field> lines) : lines_(lines) {}

  /// How many lines have this name, in any case.
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
  /// The value of the first line with this name, or an empty view.
  [[nodiscard]] std::string_view first(std::string_view name) const noexcept;
  /// The values of all lines with this name as one list, as RFC 9110 5.3 allows for list fields.
  [[nodiscard]] std::string joined(std::string_view name) const;

  [[nodiscard]] std::span<const Field> lines() const noexcept { return lines_; }

 private:
  std::span<const Field> lines_;
};

/// ASCII only, as names, tokens and units of HTTP are.
bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// `text` without spaces and tabs at both ends.
std::string_view trim_blanks(std::string_view text) noexcept;

/// Whether a Content-Type, parameters or not, is one that browsers parse as HTML pages.
bool is_html_type(std::string_view content_type) noexcept;

/// tchar of RFC 9110 5.6.2: what methods and field names are made of.
bool is_token(std::string_view text) noexcept;

/// What a field value may hold: no control character but the tab.
bool is_field_value(std::string_view text) noexcept;

/// "Not Found" for 404; "Unknown" for a number without a name.
std::string_view reason_phrase(unsigned status) noexcept;

}  // namespace sheaf::http
