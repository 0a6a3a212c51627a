#include "sheaf/browse/html_writer.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/url.h"
#include "sheaf/format/json/json_text.h"

#include <algorithm>
#include <array>

namespace sheaf::browse {
namespace {

constexpr std::array<std::string_view, 7> kVoidElements = {"br",  "hr",  "input", "meta",
                                                           "col", "wbr", "track"};

bool is_void_element(std::string_view name) {
  return std::ranges::find(kVoidElements, name) != kVoidElements.end();
}

/// What a person cannot see, or what makes other text look like something else.
bool is_deceptive(char32_t c) {
  const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
  return is_control || format::is_bidi_control(c) || c == 0xFFFE || c == 0xFFFF;
}

std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

/// Nearly all text is such characters, which are copied together.
bool is_plain_ascii(char c) { return c >= 0x20 && c < 0x7F && entity_of(c).empty(); }

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  while (true) {
    const std::size_t plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain_ascii) - text.begin());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const char c = text.front();
    if (static_cast<unsigned char>(c) >= 0x80) {
      const char32_t code_point = base::take_code_point(text);
      base::append_utf8(out, is_deceptive(code_point) ? base::kReplacementCharacter : code_point);
      continue;
    }
    text.remove_prefix(1);
    if (const std::string_view entity = entity_of(c); !entity.empty())
      out += entity;
    else if (is_deceptive(static_cast<unsigned char>(c)))
      base::append_utf8(out, base::kReplacementCharacter);
    else
      out += c;
  }
}

void HtmlWriter::begin(std::string_view name, Attributes attributes) {
  html_.append("<").append(name);
  for (const HtmlAttribute& attribute : attributes) {
    html_.append(" ").append(attribute.name.text());
    if (attribute.value.empty()) continue;
    html_ += "=\"";
    append_escaped(html_, attribute.value);
    html_ += '"';
  }
}

void HtmlWriter::address(std::string_view name, std::string_view value) {
  html_.append(" ").append(name).append("=\"");
  append_escaped(html_, value);
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
  append_escaped(html_, text);
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

}  // namespace sheaf::browse
