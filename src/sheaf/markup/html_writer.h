#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// The only way to write HTML pages. Texts come from strangers: pages, logs, responses of servers, so every
// text is escaped, and anything that could run or load something cannot be written by accident: names of
// elements and attributes are literals; attributes that hold URLs, scripts or styles do not compile; and
// links have separate functions.
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

/// The name of an element. Elements that run scripts or load something have separate functions.
class ElementName {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals convert
  consteval ElementName(const char* name) : text_(name) {
    for (const std::string_view special :
         {"a", "script", "style", "link", "iframe", "object", "embed", "base", "form", "img", "video",
          "audio", "use", "image", "foreignObject"})
      if (text_ == special) throw "this element has a function of its own, or none";
  }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// The name of an attribute whose value is plain text.
class AttributeName {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals convert
  consteval AttributeName(const char* name) : text_(name) {
    for (const std::string_view special : {"href", "src", "srcset", "srcdoc", "action", "formaction", "style",
                                           "data", "poster", "ping", "background", "http-equiv"})
      if (text_ == special) throw "this attribute is not only text";
    if (text_.starts_with("on")) throw "this attribute is a script";
  }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

struct HtmlAttribute {
  AttributeName name;
  std::string_view value = {};  ///< empty: only the name is written
};
using Attributes = std::initializer_list<HtmlAttribute>;

enum class FormMethod : std::uint8_t { get, post_fields, post_file };

class HtmlWriter {
 public:
  HtmlWriter& open(ElementName name, Attributes attributes = {});
  /// Closes the innermost open element.
  HtmlWriter& close();
  /// Writes escaped text. Control characters and characters that change the direction of text become U+FFFD.
  HtmlWriter& text(std::string_view text);
  /// Writes an element that has only text.
  HtmlWriter& element(ElementName name, std::string_view text, Attributes attributes = {});

  /// Writes a link to a page of this server.
  HtmlWriter& open_link(const OwnPath& path, Attributes attributes = {});
  HtmlWriter& link(const OwnPath& path, std::string_view text, Attributes attributes = {});
  /// Writes a link to the web, without a referrer. A URL that is neither http nor https becomes plain text: a
  /// span.
  HtmlWriter& open_web_link(std::string_view url, Attributes attributes = {});
  HtmlWriter& web_link(std::string_view url, std::string_view text, Attributes attributes = {});
  HtmlWriter& open_form(const OwnPath& action, FormMethod method, Attributes attributes = {});
  /// Writes a frame that loads another page of this server, without scripts and as another origin.
  HtmlWriter& sandboxed_frame(const OwnPath& path, std::string_view title);

  /// For the head of a document.
  HtmlWriter& stylesheet(const OwnPath& path);
  HtmlWriter& inline_style(Literal style);
  HtmlWriter& script(const OwnPath& path);
  HtmlWriter& icon(const OwnPath& path);
  /// Makes the browser reload the page, which works without scripts.
  HtmlWriter& reload_after(unsigned seconds);

  [[nodiscard]] std::size_t size() const { return html_.size(); }
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  /// Returns the document, after closing all open elements.
  [[nodiscard]] std::string take_document() &&;
  /// Returns what was written, after closing all open elements; for tests and for parts of documents.
  [[nodiscard]] std::string take() &&;

 private:
  void begin(std::string_view name, Attributes attributes);
  void address(std::string_view name, std::string_view value);
  void end(std::string_view name);

  std::string html_;
  std::vector<std::string_view> open_;
};

/// One series of a chart: a value for each day or bar.
struct ChartSeries {
  std::string_view name;
  std::vector<std::uint64_t> values;
};

struct ChartOptions {
  std::string_view title;
  std::vector<std::string> labels;  ///< below the bars; only the first, middle and last are shown
  std::string (*describe)(std::uint64_t) = nullptr;  ///< formats a value, for example human_size()
};

/// Writes bars side by side for each label. The figures are also in a table, for users who cannot see the
/// chart.
void write_bar_chart(HtmlWriter& out, const ChartOptions& options, const std::vector<ChartSeries>& series);

/// Writes horizontal bars of one series, one for each label.
void write_share_chart(HtmlWriter& out, const ChartOptions& options,
                       const std::vector<std::uint64_t>& values);

}  // namespace sheaf::markup
