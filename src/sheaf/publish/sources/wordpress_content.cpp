#include "sheaf/publish/sources/wordpress_content.h"

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sheaf::publish {
namespace {

constexpr std::array<std::string_view, 44> kBlockElements = {
    "address",  "article", "aside",   "audio", "blockquote", "body", "canvas",   "caption",    "col",
    "colgroup", "dd",      "details", "div",   "dl",         "dt",   "fieldset", "figcaption", "figure",
    "footer",   "form",    "h1",      "h2",    "h3",         "h4",   "h5",       "h6",         "header",
    "hr",       "li",      "main",    "nav",   "ol",         "p",    "pre",      "section",    "style",
    "summary",  "table",   "tbody",   "td",    "th",         "tr",   "ul",       "video"};
constexpr std::array<std::string_view, 4> kVerbatim = {"pre", "script", "style", "textarea"};
constexpr std::array<std::string_view, 7> kShortcodes = {"caption", "wp_caption", "gallery", "playlist",
                                                         "audio",   "video",      "embed"};

/// The lower-case name of the tag at the start of `text`, which begins with <; empty if it is not a tag.
std::string tag_name(std::string_view text) {
  std::size_t i = text.size() > 1 && text[1] == '/' ? 2 : 1;
  const std::size_t begin = i;
  while (i < text.size() && base::is_alphanumeric(text[i])) ++i;
  return base::lower_text(text.substr(begin, i - begin));
}

bool is_one_of(std::string_view name, const auto& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Splits text into chunks at empty lines and around block elements, and makes paragraphs of the chunks that
/// are not elements. Like wpautop() in WordPress.
class Paragraphs {
 public:
  std::string convert(std::string_view text) {
    while (!text.empty()) {
      if (text.front() == '<') {
        text.remove_prefix(take_tag(text));
      } else if (text.front() == '\n') {
        text.remove_prefix(take_lines(text));
      } else {
        const std::size_t end = std::min(text.find_first_of("<\n", 1), text.size());
        chunk_ += text.substr(0, end);
        text.remove_prefix(end);
      }
    }
    end_chunk();
    return std::move(html_);
  }

 private:
  std::size_t take_tag(std::string_view text) {
    const std::string name = tag_name(text);
    const bool closes = text.size() > 1 && text[1] == '/';
    if (!closes && is_one_of(name, kVerbatim)) return take_verbatim(text, name);
    const std::size_t end = std::min(text.find('>'), text.size() - 1) + 1;
    const std::string_view tag = text.substr(0, end);
    if (!is_one_of(name, kBlockElements)) {
      chunk_ += tag;
      return end;
    }
    end_chunk();
    html_ += tag;
    return end;
  }

  /// Copies everything to the end of the element, or of the text.
  std::size_t take_verbatim(std::string_view text, const std::string& name) {
    const std::string closing = "</" + name;
    std::size_t at = 1;
    while (at < text.size()) {
      at = text.find('<', at);
      if (at == std::string_view::npos) break;
      if (base::lower_text(text.substr(at, closing.size())) == closing) break;
      ++at;
    }
    const std::size_t last = at >= text.size() ? std::string_view::npos : text.find('>', at);
    const std::size_t end = last == std::string_view::npos ? text.size() : last + 1;
    end_chunk();
    html_ += text.substr(0, end);
    return end;
  }

  std::size_t take_lines(std::string_view text) {
    std::size_t end = 0;
    std::size_t lines = 0;
    while (end < text.size() && base::is_xml_space(text[end])) lines += text[end++] == '\n' ? 1 : 0;
    if (lines > 1) {
      end_chunk();
    } else if (!base::trim_xml_space(chunk_).empty()) {
      chunk_ += '\n';
    }
    return end;
  }

  void end_chunk() {
    const std::string_view text = base::trim_xml_space(chunk_);
    if (!text.empty()) {
      html_ += "<p>";
      for (const char c : text) {
        if (c == '\n') html_ += "<br>";
        html_ += c;
      }
      html_ += "</p>\n";
    }
    chunk_.clear();
  }

  std::string html_;
  std::string chunk_;
};

/// The HTML for the content of a caption shortcode: its picture and the text after it.
std::string figure_of(std::string_view inner) {
  const std::size_t image = inner.find("<img");
  const std::size_t end = image == std::string_view::npos ? image : inner.find('>', image);
  if (end == std::string_view::npos) return std::string(inner);
  std::size_t split = end + 1;
  if (inner.substr(split).starts_with("</a>")) split += 4;
  return "<figure>" + std::string(inner.substr(0, split)) + "<figcaption>" +
         std::string(base::trim_xml_space(inner.substr(split))) + "</figcaption></figure>";
}

/// Replaces the shortcodes that are built into WordPress.
class Shortcodes {
 public:
  static std::string replace(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const std::size_t at = std::min(text.find('['), text.size());
      out += text.substr(0, at);
      text.remove_prefix(at);
      if (text.empty()) break;
      const std::size_t taken = take(text, out);
      if (taken == 0) out += '[';
      text.remove_prefix(std::max<std::size_t>(taken, 1));
    }
    return out;
  }

 private:
  /// Returns how much of `text` was replaced; 0 if it does not begin with a shortcode.
  static std::size_t take(std::string_view text, std::string& out) {
    std::size_t name_end = 1;
    while (name_end < text.size() && (base::is_alphanumeric(text[name_end]) || text[name_end] == '_'))
      ++name_end;
    const std::string_view name = text.substr(1, name_end - 1);
    if (!is_one_of(name, kShortcodes)) return 0;
    const std::size_t open = text.find(']', name_end);
    if (open == std::string_view::npos) return 0;
    if (name == "gallery" || name == "playlist" || text[open - 1] == '/') return open + 1;
    const std::string closing = "[/" + std::string(name) + "]";
    const std::size_t close = text.find(closing, open);
    if (close == std::string_view::npos) return open + 1;
    const std::string_view inner = base::trim_xml_space(text.substr(open + 1, close - open - 1));
    if (name == "embed") {
      out += "<a href=\"" + escaped(inner) + "\">" + escaped(inner) + "</a>";
    } else if (name != "audio" && name != "video") {
      out += figure_of(inner);
    }
    return close + closing.size();
  }

  static std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '"' ? "&quot;" : c == '<' ? "&lt;" : std::string(1, c);
    return out;
  }
};

}  // namespace

std::string html_of_wordpress(std::string_view stored) {
  std::string text;
  text.reserve(stored.size());
  for (const char c : stored)
    if (c != '\r') text += c;
  text = Shortcodes::replace(text);
  return text.contains("<!-- wp:") ? text : Paragraphs().convert(text);
}

}  // namespace sheaf::publish
