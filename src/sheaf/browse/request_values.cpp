#include "sheaf/browse/request_values.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/http/message/message.h"

#include <algorithm>
#include <charconv>

namespace sheaf::browse {
namespace {

constexpr std::size_t kMaxValues = 64;
constexpr std::size_t kMaxBoundaryLength = 70;  // RFC 2046 5.1.1

std::string decode_value(std::string_view encoded) {
  std::string text(encoded);
  std::ranges::replace(text, '+', ' ');
  text = base::make_valid_utf8(base::percent_decode(text));
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const auto begin = std::ranges::find_if_not(text, is_space);
  text.erase(text.begin(), begin);
  while (!text.empty() && is_space(text.back())) text.pop_back();
  return text;
}

/// The value of `name="..."` in a header of a part.
std::string quoted_parameter(std::string_view headers, std::string_view name) {
  const std::string mark = std::string(" ") + std::string(name) + "=\"";
  const std::size_t at = headers.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = headers.substr(at + mark.size());
  return base::make_valid_utf8(rest.substr(0, std::min(rest.find('"'), rest.size())));
}

}  // namespace

RequestValues::RequestValues(std::string_view encoded) {
  while (!encoded.empty() && values_.size() < kMaxValues) {
    const std::size_t end = std::min(encoded.find('&'), encoded.size());
    const std::string_view pair = encoded.substr(0, end);
    encoded.remove_prefix(std::min(end + 1, encoded.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (pair.empty()) continue;
    values_.emplace_back(decode_value(pair.substr(0, equals)),
                         decode_value(pair.substr(std::min(equals + 1, pair.size()))));
  }
}

std::string_view RequestValues::text(std::string_view name) const {
  const auto found =
      std::ranges::find(values_, name, [](const auto& value) { return std::string_view(value.first); });
  return found == values_.end() ? std::string_view() : std::string_view(found->second);
}

std::uint64_t RequestValues::number(std::string_view name, std::uint64_t otherwise, std::uint64_t least,
                                    std::uint64_t most) const {
  const std::string_view digits = text(name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_number = !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
  return is_number && value >= least && value <= most ? value : otherwise;
}

std::string_view form_boundary(std::string_view content_type) {
  constexpr std::string_view kType = "multipart/form-data";
  constexpr std::string_view kParameter = "boundary=";
  if (base::lower_text(content_type.substr(0, kType.size())) != kType) return {};
  const std::size_t at = base::lower_text(content_type).find(kParameter);
  if (at == std::string::npos) return {};
  std::string_view boundary = content_type.substr(at + kParameter.size());
  boundary = base::trim_blanks(boundary.substr(0, boundary.find(';')));
  if (boundary.size() >= 2 && boundary.starts_with('"') && boundary.ends_with('"'))
    boundary = boundary.substr(1, boundary.size() - 2);
  const bool is_allowed = std::ranges::all_of(boundary, [](char c) {
    return base::is_alphanumeric(c) || std::string_view("'()+_,-./:=?").find(c) != std::string_view::npos;
  });
  return is_allowed && boundary.size() <= kMaxBoundaryLength ? boundary : std::string_view();
}

std::optional<FormFile> find_form_file(std::string_view head, std::string_view tail, std::uint64_t size,
                                       std::string_view boundary) {
  if (boundary.empty()) return std::nullopt;
  const std::string opening = "--" + std::string(boundary) + "\r\n";
  const std::string closing = "\r\n--" + std::string(boundary) + "--";
  if (!head.starts_with(opening)) return std::nullopt;
  const std::size_t headers_end = head.find("\r\n\r\n", opening.size() - 2);
  if (headers_end == std::string_view::npos) return std::nullopt;
  if (tail.ends_with("\r\n")) tail.remove_suffix(2), size -= 2;
  if (!tail.ends_with(closing)) return std::nullopt;
  FormFile file;
  file.begin = headers_end + 4;
  // The closing boundary begins with a line break, which must not overlap the blank line after the headers.
  if (size < closing.size() || size - closing.size() < file.begin) return std::nullopt;
  file.size = size - closing.size() - file.begin;
  const std::string_view headers = head.substr(opening.size() - 2, headers_end + 2 - (opening.size() - 2));
  file.name = quoted_parameter(headers, "filename");
  return file;
}

}  // namespace sheaf::browse
