#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Parses what a browser sends with a request. Pure functions.
namespace sheaf::browse {

/// The parameters of a query or of a form (application/x-www-form-urlencoded). At most 64 are kept, each
/// value as valid UTF-8.
class RequestValues {
 public:
  explicit RequestValues(std::string_view encoded);

  /// The first value of this name, without white space at its ends; empty if there is none.
  [[nodiscard]] std::string_view text(std::string_view name) const;
  /// The value as a number; `otherwise` if it is not a number within the bounds.
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise, std::uint64_t least,
                                     std::uint64_t most) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

/// Returns the boundary of a Content-Type multipart/form-data; empty if it has none that RFC 2046 allows.
std::string_view form_boundary(std::string_view content_type);

/// The one file in a form (multipart/form-data).
struct FormFile {
  std::uint64_t begin = 0;  ///< offset of its bytes in the body
  std::uint64_t size = 0;
  std::string name;  ///< as the browser gives it; may be empty
};

inline constexpr std::size_t kFormHeadBytes = 8'192;  ///< bytes needed from the front of a body
inline constexpr std::size_t kFormTailBytes = 128;    ///< bytes needed from its end

/// Finds the file in a body of `size` bytes of which only the two ends are known. The file must be the only
/// part of the form. Returns nullopt for other bodies.
std::optional<FormFile> find_form_file(std::string_view head, std::string_view tail, std::uint64_t size,
                                       std::string_view boundary);

}  // namespace sheaf::browse
