// What a browser sends to the web app, and texts of pages that it shows: the input as query, form, header and
// text.
#include "fuzz_support.h"
#include "sheaf/base/escaping.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/browse/request_values.h"
#include "sheaf/http/message/client_check.h"
#include "sheaf/markup/html_writer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace sheaf;
using fuzz::require;

/// No character of the input can begin markup or end an attribute.
void check_escaped(std::string_view input) {
  std::string escaped;
  base::append_visible_html(escaped, input);
  require(escaped.find_first_of("<>\"'") == std::string::npos);
  std::string value;
  markup::append_query_value(value, input);
  require(value.find_first_of("<>\"'&=#? \n") == std::string::npos);
  require(browse::RequestValues("a=" + value + "&b=1").text("b") == "1");
}

/// Every `<` in code is one of ours.
void check_code(std::string_view input) {
  markup::HtmlWriter out;
  browse::write_code(out, input, input.substr(0, 8));
  const std::string html = std::move(out).take();
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1))
    require(html.compare(at, 12, "<span class=") == 0 || html.compare(at, 7, "</span>") == 0);
}

void check_form(std::string_view input) {
  const std::size_t line = std::min(input.find('\n'), input.size());
  const std::string_view boundary = browse::form_boundary(input.substr(0, line));
  const auto file = browse::find_form_file(input, input, input.size(), boundary.empty() ? "abc" : boundary);
  if (file) require(file->begin + file->size <= input.size());
}

void check_inlines(std::string_view input) {
  std::vector<Inline> ranges;
  for (std::size_t i = 0; i + 2 < input.size() && ranges.size() < 16; i += 3)
    ranges.push_back({static_cast<std::uint8_t>(input[i]), static_cast<std::uint8_t>(input[i + 1]),
                      static_cast<InlineKind>(static_cast<std::uint8_t>(input[i + 2]) % 7), input});
  markup::HtmlWriter out;
  browse::write_inline(out, input, List<Inline>(std::span<const Inline>(ranges)));
  require(out.depth() == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  check_escaped(input);
  check_code(input);
  check_form(input);
  check_inlines(input);
  (void)http::message::cookie_value(input, "sheaf");
  (void)http::message::bearer_token(input);
  if (http::message::is_loopback_authority(input)) require(input.size() >= 5);
  return 0;
}
