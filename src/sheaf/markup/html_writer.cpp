#include "sheaf/markup/html_writer.h"

#include "sheaf/base/html_text.h"
#include "sheaf/base/url.h"

#include <algorithm>
#include <array>

namespace sheaf::markup {
namespace {

constexpr std::array<std::string_view, 7> kVoidElements = {"br",  "hr",  "input", "meta",
                                                           "col", "wbr", "track"};

bool is_void_element(std::string_view name) {
  return std::ranges::find(kVoidElements, name) != kVoidElements.end();
}

}  // namespace

void HtmlWriter::begin(std::string_view name, Attributes attributes) {
  html_.append("<").append(name);
  for (const HtmlAttribute& attribute : attributes) {
    html_.append(" ").append(attribute.name.text());
    if (attribute.value.empty()) continue;
    html_ += "=\"";
    base::append_visible_html(html_, attribute.value);
    html_ += '"';
  }
}

void HtmlWriter::address(std::string_view name, std::string_view value) {
  html_.append(" ").append(name).append("=\"");
  base::append_visible_html(html_, value);
  html_ += '"';
}

void HtmlWriter::end(std::string_view name) {
  html_ += '>';
  if (!is_void_element(name)) open_.push_back(name);
}

HtmlWriter& HtmlWriter::open(ElementName name, Attributes attributes) {
  begin(name.text(), attributes);
  end(name.text());
  return *this;
}

HtmlWriter& HtmlWriter::close() {
  if (open_.empty()) return *this;
  html_.append("</").append(open_.back()).append(">");
  open_.pop_back();
  return *this;
}

HtmlWriter& HtmlWriter::text(std::string_view text) {
  base::append_visible_html(html_, text);
  return *this;
}

HtmlWriter& HtmlWriter::element(ElementName name, std::string_view text, Attributes attributes) {
  return open(name, attributes).text(text).close();
}

HtmlWriter& HtmlWriter::open_link(const OwnPath& path, Attributes attributes) {
  begin("a", attributes);
  address("href", path.text());
  end("a");
  return *this;
}

HtmlWriter& HtmlWriter::link(const OwnPath& path, std::string_view text, Attributes attributes) {
  return open_link(path, attributes).text(text).close();
}

HtmlWriter& HtmlWriter::open_web_link(std::string_view url, Attributes attributes) {
  if (!base::is_http_url(url)) return open("span", attributes);
  begin("a", attributes);
  address("href", url);
  html_ += " rel=\"noopener noreferrer nofollow external\"";
  end("a");
  return *this;
}

HtmlWriter& HtmlWriter::web_link(std::string_view url, std::string_view text, Attributes attributes) {
  return open_web_link(url, attributes).text(text).close();
}

HtmlWriter& HtmlWriter::open_form(const OwnPath& action, FormMethod method, Attributes attributes) {
  begin("form", attributes);
  address("action", action.text());
  html_ += method == FormMethod::get ? " method=\"get\"" : " method=\"post\"";
  if (method == FormMethod::post_file) html_ += " enctype=\"multipart/form-data\"";
  end("form");
  return *this;
}

HtmlWriter& HtmlWriter::sandboxed_frame(const OwnPath& path, std::string_view title) {
  begin("iframe", {{"title", title}, {"loading", "lazy"}, {"referrerpolicy", "no-referrer"}});
  html_ += " sandbox=\"\"";
  address("src", path.text());
  end("iframe");
  return close();
}

HtmlWriter& HtmlWriter::stylesheet(const OwnPath& path) {
  html_ += "<link rel=\"stylesheet\"";
  address("href", path.text());
  html_ += '>';
  return *this;
}

HtmlWriter& HtmlWriter::inline_style(Literal style) {
  html_.append("<style>").append(style.text()).append("</style>");
  return *this;
}

HtmlWriter& HtmlWriter::script(const OwnPath& path) {
  html_ += "<script defer";
  address("src", path.text());
  html_ += "></script>";
  return *this;
}

HtmlWriter& HtmlWriter::icon(const OwnPath& path) {
  html_ += "<link rel=\"icon\" type=\"image/svg+xml\"";
  address("href", path.text());
  html_ += '>';
  return *this;
}

HtmlWriter& HtmlWriter::reload_after(unsigned seconds) {
  html_.append("<meta http-equiv=\"refresh\" content=\"").append(std::to_string(seconds)).append("\">");
  return *this;
}

std::string HtmlWriter::take() && {
  while (!open_.empty()) close();
  return std::move(html_);
}

std::string HtmlWriter::take_document() && { return "<!doctype html>\n" + std::move(*this).take() + "\n"; }

}  // namespace sheaf::markup
