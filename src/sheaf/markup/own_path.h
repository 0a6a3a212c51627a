#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::markup {

/// A text from the source code. Only string literals convert to it, so text from outside cannot be used where
/// a Literal is required.
class Literal {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals convert
  consteval Literal(const char* text) : text_(text) {}
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// A path of this server with its query. Values are percent-encoded, so that they can leave neither their
/// parameter nor the server.
class OwnPath {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals convert
  OwnPath(Literal path) : text_(path.text()) {}

  /// Returns the path with one more parameter, or unchanged if the value is empty.
  [[nodiscard]] OwnPath with(Literal name, std::string_view value) const& {
    return OwnPath(*this).with(name, value);
  }
  [[nodiscard]] OwnPath with(Literal name, std::string_view value) &&;
  [[nodiscard]] OwnPath with(Literal name, std::uint64_t value) const&;
  /// Returns the path with a fragment.
  [[nodiscard]] OwnPath at(Literal prefix, std::uint64_t number) const;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Appends `value` with everything except letters, digits and "-._~" as %XX.
void append_query_value(std::string& out, std::string_view value);

}  // namespace sheaf::markup
