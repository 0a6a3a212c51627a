#include "sheaf/markup/html_writer.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/url.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sheaf::markup {

void append_query_value(std::string& out, std::string_view value) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : value) {
    if (base::is_alphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4U], kHex[byte & 0xFU]};
  }
}

OwnPath OwnPath::with(Literal name, std::string_view value) && {
  if (value.empty()) return std::move(*this);
  text_ += text_.find('?') == std::string::npos ? '?' : '&';
  text_.append(name.text()) += '=';
  append_query_value(text_, value);
  return std::move(*this);
}

OwnPath OwnPath::with(Literal name, std::uint64_t value) const& { return with(name, std::to_string(value)); }

OwnPath OwnPath::at(Literal prefix, std::uint64_t number) const {
  OwnPath path = *this;
  path.text_.append("#").append(prefix.text()).append(std::to_string(number));
  return path;
}

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

namespace {

constexpr unsigned kWidth = 600;
constexpr unsigned kHeight = 160;
constexpr unsigned kBottom = 24;  ///< for labels
constexpr unsigned kTop = 18;     ///< for the largest value

struct ChartBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

std::string short_number(double value) {
  std::string text = std::to_string(value);
  return text.substr(0, text.find('.') + 3);
}

void write_rect(HtmlWriter& out, const ChartBox& box, std::string_view kind, std::string_view title) {
  const std::string x = short_number(box.x);
  const std::string y = short_number(box.y);
  const std::string width = short_number(box.width);
  const std::string height = short_number(box.height);
  out.open("rect", {{"x", x}, {"y", y}, {"width", width}, {"height", height}, {"class", kind}});
  out.element("title", title).close();
}

void write_chart_text(HtmlWriter& out, double x, double y, std::string_view anchor, std::string_view text) {
  const std::string left = short_number(x);
  const std::string top = short_number(y);
  out.element("text", text, {{"x", left}, {"y", top}, {"text-anchor", anchor}});
}

/// Writes the figures, for screen readers and for users who need them exactly.
void write_figures(HtmlWriter& out, const ChartOptions& options, const std::vector<ChartSeries>& series) {
  out.open("details", {{"class", "figures"}}).element("summary", "Figures");
  out.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", options.title}});
  out.open("table").open("tr").element("th", "", {{"scope", "col"}});
  for (const ChartSeries& one : series) out.element("th", one.name, {{"scope", "col"}});
  out.close();
  for (std::size_t i = 0; i < options.labels.size(); ++i) {
    out.open("tr").element("th", options.labels[i], {{"scope", "row"}});
    for (const ChartSeries& one : series)
      out.element("td", options.describe(one.values[i]), {{"class", "number"}});
    out.close();
  }
  out.close().close().close();
}

std::uint64_t largest_of(const std::vector<ChartSeries>& series) {
  std::uint64_t largest = 1;
  for (const ChartSeries& one : series)
    for (const std::uint64_t value : one.values) largest = std::max(largest, value);
  return largest;
}

void write_bars(HtmlWriter& out, const ChartOptions& options, const std::vector<ChartSeries>& series) {
  constexpr std::array<std::string_view, 3> kKinds = {"bar0", "bar1", "bar2"};
  const double largest = static_cast<double>(largest_of(series));
  const double step = static_cast<double>(kWidth) / static_cast<double>(options.labels.size());
  const double bar = step * 0.8 / static_cast<double>(series.size());
  for (std::size_t i = 0; i < options.labels.size(); ++i)
    for (std::size_t s = 0; s < series.size(); ++s) {
      const std::uint64_t value = series[s].values[i];
      if (value == 0) continue;
      const double height =
          std::max(1.5, static_cast<double>(value) / largest * static_cast<double>(kHeight - kBottom - kTop));
      const double x = step * (static_cast<double>(i) + 0.1) + bar * static_cast<double>(s);
      write_rect(out, {x, static_cast<double>(kHeight - kBottom) - height, bar, height},
                 kKinds[s % kKinds.size()],
                 options.labels[i] + ": " + options.describe(value) + " " + std::string(series[s].name));
    }
}

}  // namespace

void write_bar_chart(HtmlWriter& out, const ChartOptions& options, const std::vector<ChartSeries>& series) {
  out.open("figure", {{"class", "chart"}})
      .open("figcaption")
      .element("span", options.title, {{"class", "name"}});
  for (std::size_t s = 0; s < series.size() && series.size() > 1; ++s) {
    const std::string kind = "key key" + std::to_string(s);
    out.text(" ").element("span", series[s].name, {{"class", kind}});
  }
  out.close();
  if (options.labels.empty()) {
    out.element("p", "nothing recorded yet", {{"class", "muted"}}).close();
    return;
  }
  const std::string box = "0 0 " + std::to_string(kWidth) + " " + std::to_string(kHeight);
  out.open("svg", {{"viewBox", box}, {"role", "img"}, {"aria-label", options.title}});
  out.open("line", {{"x1", "0"}, {"x2", "600"}, {"y1", "136.5"}, {"y2", "136.5"}, {"class", "axis"}}).close();
  write_bars(out, options, series);
  write_chart_text(out, 0, 12, "start", options.describe(largest_of(series)));
  write_chart_text(out, 0, kHeight - 6, "start", options.labels.front());
  if (options.labels.size() > 2)
    write_chart_text(out, kWidth / 2.0, kHeight - 6, "middle", options.labels[options.labels.size() / 2]);
  if (options.labels.size() > 1) write_chart_text(out, kWidth, kHeight - 6, "end", options.labels.back());
  out.close();
  write_figures(out, options, series);
  out.close();
}

void write_share_chart(HtmlWriter& out, const ChartOptions& options,
                       const std::vector<std::uint64_t>& values) {
  constexpr double kRow = 40;
  std::uint64_t largest = 1;
  for (const std::uint64_t value : values) largest = std::max(largest, value);
  const std::string box = "0 0 600 " + std::to_string(static_cast<unsigned>(kRow) * options.labels.size());
  out.open("figure", {{"class", "chart"}});
  out.open("figcaption").element("span", options.title, {{"class", "name"}}).close();
  out.open("svg", {{"viewBox", box}, {"role", "img"}, {"aria-label", options.title}});
  for (std::size_t i = 0; i < options.labels.size(); ++i) {
    const double y = kRow * static_cast<double>(i);
    const double width =
        std::max(2.0, static_cast<double>(values[i]) / static_cast<double>(largest) * kWidth);
    write_chart_text(out, 0, y + 14, "start", options.labels[i] + "  " + options.describe(values[i]));
    write_rect(out, {0, y + 20, width, 12}, "bar0", options.labels[i] + ": " + options.describe(values[i]));
  }
  out.close().close();
}

}  // namespace sheaf::markup
