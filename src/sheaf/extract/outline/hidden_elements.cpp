#include "sheaf/extract/outline/hidden_elements.h"

#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxStyleBytes = std::size_t{1} << 20U;  // of all style sheets of a page
constexpr std::size_t kMaxHidingNames = 4096;                  // classes and ids that hide
constexpr std::size_t kMaxStyle = 4096;                        // bytes of one style attribute or rule
/// If more than 40 % of a page's text is hidden, a script shows it.
constexpr std::size_t kMaxHiddenPercent = 40;
constexpr double kOffScreen = 900;  // pixels

/// Class names by which frameworks hide text from everybody but screen readers.
constexpr auto kScreenReaderClasses = std::to_array<std::string_view>(
    {"sr-only", "sronly", "visually-hidden", "visuallyhidden", "visually-hidden-focusable",
     "screen-reader-text", "screenreader", "screen-reader-only", "show-for-sr", "element-invisible",
     "assistive-text", "a11y-hidden", "sr-only-focusable", "u-visually-hidden", "is-visually-hidden",
     "offscreen", "visually_hidden", "hide-text"});

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), text::lower_ascii);
  return result;
}

/// A number and its unit in pixels ("-9999px", "-999em"); nullopt for anything else.
std::optional<double> pixels(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(value.data() + value.size() - end));
  if (unit == "em" || unit == "rem") return number * 16;
  if (unit == "%" || unit == "vw" || unit == "vh") return number * 10;
  return number;
}

bool is_zero(std::string_view value) {
  const auto number = pixels(value);
  return number && *number == 0;
}

bool is_far_off(std::string_view value) {
  const auto number = pixels(value);
  return number && *number <= -kOffScreen;
}

/// Different spellings of black and white, the usual colors of pages, become one.
std::string_view plain_color(std::string_view color) {
  constexpr auto kWhite = std::to_array<std::string_view>(
      {"white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)", "hsl(0,0%,100%)"});
  constexpr auto kBlack = std::to_array<std::string_view>(
      {"black", "#000", "#000000", "rgb(0,0,0)", "rgba(0,0,0,1)", "hsl(0,0%,0%)"});
  if (std::ranges::find(kWhite, color) != kWhite.end()) return "white";
  if (std::ranges::find(kBlack, color) != kBlack.end()) return "black";
  return color;
}

/// What the declarations of a rule or a style attribute do. Those of several parts hide only together.
class Declarations {
 public:
  explicit Declarations(std::string_view text) {
    text = text.substr(0, kMaxStyle);
    while (!text.empty()) {
      const std::string_view declaration = text.substr(0, text.find(';'));
      text.remove_prefix(std::min(declaration.size() + 1, text.size()));
      const std::size_t colon = declaration.find(':');
      if (colon == std::string_view::npos) continue;
      read(lower(text::trim_space(declaration.substr(0, colon))), value_of(declaration.substr(colon + 1)));
    }
  }

  [[nodiscard]] bool hide() const {
    const bool same_color = !color_.empty() && plain_color(color_) == plain_color(background_);
    return not_shown_ || (no_size_ && clips_) || (positioned_ && off_screen_) ||
           (same_color && !clips_text_) || (see_through_ && !clips_text_ && background_.empty());
  }

 private:
  /// Lowercase, without white space and "!important".
  static std::string value_of(std::string_view text) {
    std::string value;
    for (const char c : text)
      if (!text::is_space(c)) value += text::lower_ascii(c);
    if (const std::size_t important = value.find("!important"); important != std::string::npos)
      value.resize(important);
    return value;
  }

  void read(std::string_view property, const std::string& value) {
    if (property == "display")
      not_shown_ |= value == "none";
    else if (property == "visibility")
      not_shown_ |= value == "hidden" || value == "collapse";
    else if (property == "content-visibility")
      not_shown_ |= value == "hidden";
    else if (property == "opacity" || property == "zoom")
      not_shown_ |= is_zero(value);
    else if (property == "font-size")
      not_shown_ |= pixels(value).value_or(16) <= 1 && !value.ends_with("em");
    else if (property == "text-indent")
      not_shown_ |= is_far_off(value);
    else if (property == "transform" || property == "scale")
      read_transform(value);
    else if (property == "clip")
      not_shown_ |= value.starts_with("rect(0") || value.starts_with("rect(1px");
    else if (property == "clip-path")
      read_clip(value);
    else if (property == "position")
      positioned_ = value == "absolute" || value == "fixed" || value == "relative";
    else if (property == "left" || property == "top" || property == "right" || property == "bottom")
      off_screen_ |= is_far_off(value);
    else if (property == "margin-left" || property == "margin-top" || property == "margin")
      not_shown_ |= is_far_off(value);
    else if (property == "width" || property == "height" || property == "max-height" ||
             property == "max-width")
      no_size_ |= pixels(value).value_or(16) <= 1;
    else if (property == "overflow" || property == "overflow-y" || property == "overflow-x")
      clips_ |= value.starts_with("hidden") || value == "clip";
    else
      read_color(property, value);
  }

  void read_color(std::string_view property, const std::string& value) {
    if (property == "color") {
      color_ = value;
      see_through_ = value == "transparent" || value == "rgba(0,0,0,0)";
    } else if (property == "background-color" || property == "background") {
      background_ = value;
    } else if (property == "background-clip" || property == "-webkit-background-clip" ||
               property == "-webkit-text-fill-color" || property == "text-shadow") {
      clips_text_ = true;
    }
  }

  void read_transform(const std::string& value) {
    not_shown_ |= value == "0" || value.find("scale(0)") != std::string::npos ||
                  value.find("scale3d(0,") != std::string::npos ||
                  value.find("scale(0,") != std::string::npos;
    for (const std::string_view move : {"translate(-", "translatex(-", "translatey(-", "translate3d(-"})
      if (const std::size_t at = value.find(move); at != std::string::npos) {
        const std::string_view rest = std::string_view(value).substr(at + move.size() - 1);
        not_shown_ |= is_far_off(rest.substr(0, rest.find_first_of(",)")));
      }
  }

  void read_clip(const std::string& value) {
    for (const std::string_view clip : {"inset(50%", "inset(100%", "circle(0", "polygon(00,00"})
      not_shown_ |= value.starts_with(clip);
  }

  bool not_shown_ = false;
  bool no_size_ = false;
  bool clips_ = false;
  bool positioned_ = false;
  bool off_screen_ = false;
  bool clips_text_ = false;
  bool see_through_ = false;
  std::string color_;
  std::string background_;
};

/// The classes, ids and elements that the page's style sheets hide, by rules with a single simple selector.
/// Other selectors depend on states and on the place in the page, which only a browser knows.
class HidingRules {
 public:
  void read(const html::Document& document) {
    std::size_t left = kMaxStyleBytes;
    for (const html::NodeId node : html::Descendants(document, document.root())) {
      if (!document.is_html(node, html::Name::style)) continue;
      if (const auto media = document.attribute(node, "media"); media && !is_for_screens(*media)) continue;
      std::string sheet;
      html::append_text_content(document, node, sheet);
      if (sheet.size() > left) return;
      left -= sheet.size();
      read_sheet(sheet);
    }
  }

  [[nodiscard]] bool empty() const { return names_.empty(); }
  [[nodiscard]] bool hide_class(std::string_view name) const { return has('.', name); }
  [[nodiscard]] bool hide_id(std::string_view name) const { return has('#', name); }

 private:
  static bool is_for_screens(std::string_view media) {
    const std::string_view trimmed = text::trim_space(media);
    return trimmed.empty() || trimmed == "all" || trimmed == "screen";
  }

  [[nodiscard]] bool has(char kind, std::string_view name) const {
    std::string key(1, kind);
    key += name;
    return names_.contains(key);
  }

  void read_sheet(std::string_view sheet) {
    while (!sheet.empty()) {
      skip_comments(sheet);
      const std::size_t open = sheet.find_first_of("{};");
      if (open == std::string_view::npos) return;
      const std::string_view selector = text::trim_space(sheet.substr(0, open));
      const char sign = sheet[open];
      sheet.remove_prefix(open + 1);
      if (sign != '{') continue;
      if (selector.starts_with('@')) {
        skip_block(sheet);
        continue;
      }
      const std::size_t close = std::min(sheet.find('}'), sheet.size());
      add_rule(selector, Declarations(sheet.substr(0, close)).hide());
      sheet.remove_prefix(std::min(close + 1, sheet.size()));
    }
  }

  static void skip_comments(std::string_view& sheet) {
    while (true) {
      while (!sheet.empty() && text::is_space(sheet.front())) sheet.remove_prefix(1);
      if (!sheet.starts_with("/*")) return;
      const std::size_t end = sheet.find("*/", 2);
      sheet.remove_prefix(end == std::string_view::npos ? sheet.size() : end + 2);
    }
  }

  /// Skips an at-rule: whether its conditions hold is not known.
  static void skip_block(std::string_view& sheet) {
    std::size_t depth = 1;
    std::size_t at = 0;
    for (; at < sheet.size() && depth > 0; ++at) {
      if (sheet[at] == '{') ++depth;
      if (sheet[at] == '}') --depth;
    }
    sheet.remove_prefix(at);
  }

  /// The last rule for a name applies.
  void add_rule(std::string_view selectors, bool hides) {
    while (!selectors.empty()) {
      const std::string_view selector = text::trim_space(selectors.substr(0, selectors.find(',')));
      selectors.remove_prefix(
          std::min(selectors.find(',') == std::string_view::npos ? selectors.size() : selectors.find(',') + 1,
                   selectors.size()));
      const std::size_t sign = selector.find_first_of(".#");
      if (sign == std::string_view::npos || sign + 1 == selector.size()) continue;
      // An element before the sign ("div.x") narrows the rule; the name alone is taken.
      if (selector.find_first_of(" >+~:[*.#\\", sign + 1) != std::string_view::npos) continue;
      if (selector.substr(0, sign).find_first_of(" >+~:[*\\") != std::string_view::npos) continue;
      const std::string name(selector.substr(sign));
      if (!hides) {
        names_.erase(name);
      } else if (names_.size() < kMaxHidingNames) {
        names_.insert(name);
      }
    }
  }

  std::unordered_set<std::string> names_;
};

class HiddenElements {
 public:
  explicit HiddenElements(const html::Document& document) : document_(document) { rules_.read(document); }

  std::vector<html::NodeId> find() {
    std::vector<html::NodeId> hidden;
    std::size_t hidden_text = 0;
    std::size_t text = 0;
    html::NodeId node = html::next_in_order(document_, document_.root(), document_.root());
    while (node != html::kNoNode) {
      if (document_.kind(node) == html::NodeKind::text) text += size_of(node);
      if (document_.is_element(node) && is_hidden(node)) {
        hidden.push_back(node);
        const html::NodeId end = html::next_after(document_, node, document_.root());
        for (; node != end; node = html::next_in_order(document_, node, document_.root()))
          if (document_.kind(node) == html::NodeKind::text) hidden_text += size_of(node);
        continue;
      }
      node = html::next_in_order(document_, node, document_.root());
    }
    if (hidden_text * 100 > (hidden_text + text) * kMaxHiddenPercent) hidden.clear();
    std::ranges::sort(hidden);
    return hidden;
  }

 private:
  [[nodiscard]] std::size_t size_of(html::NodeId text) const {
    const html::Name around = document_.name(document_.parent(text));
    if (html::element_traits(around).outline == html::OutlineRole::skipped) return 0;
    return text::trim_space(document_.text(text)).size();
  }

  [[nodiscard]] bool is_hidden(html::NodeId node) {
    const html::Name name = document_.name(node);
    if (name == html::Name::body || name == html::Name::html) return false;
    if (name == html::Name::dialog && !document_.attribute(node, "open")) return true;
    bool hidden = false;
    bool for_readers = false;
    for (const html::Attribute& attribute : document_.attributes(node)) {
      const std::string_view value = document_.value(attribute);
      switch (attribute.name) {
        case html::Name::hidden:
          hidden |= !text::equal_text(value, "until-found", text::TextCase::ignore);
          break;
        case html::Name::style: hidden |= !value.empty() && Declarations(value).hide(); break;
        case html::Name::id: hidden |= !rules_.empty() && rules_.hide_id(value); break;
        case html::Name::class_: judge_classes(value, hidden, for_readers); break;
        default: break;
      }
    }
    if (for_readers && !is_label(node)) return true;
    return hidden && !for_readers && !can_be_opened(node);
  }

  void judge_classes(std::string_view classes, bool& hidden, bool& for_readers) const {
    while (true) {
      const std::string_view name = text::take_word(classes);
      if (name.empty()) return;
      for_readers |= std::ranges::find(kScreenReaderClasses, name) != kScreenReaderClasses.end();
      hidden |= !rules_.empty() && rules_.hide_class(name);
    }
  }

  /// Headings and captions for screen readers label what follows.
  [[nodiscard]] bool is_label(html::NodeId node) const {
    for (html::NodeId at = node; at != html::kNoNode; at = document_.parent(at)) {
      const html::Name name = document_.name(at);
      if (html::heading_level(name) != 0 || name == html::Name::caption || name == html::Name::th ||
          name == html::Name::legend || name == html::Name::dt)
        return true;
      if (html::element_traits(name).outline == html::OutlineRole::block) return false;
    }
    return false;
  }

  /// Whether the element is a panel that a click shows.
  [[nodiscard]] bool can_be_opened(html::NodeId node) {
    if (document_.attribute(node, html::Name::role) == "tabpanel") return true;
    if (document_.attribute(node, html::Name::aria_labelledby)) return !is_dialog(node);
    for (const html::Name name : {html::Name::class_, html::Name::id})
      if (const auto value = document_.attribute(node, name);
          value && (name_hints(document_.padded(*value)) & (kHintPanel | kHintMore)) != 0)
        return true;
    if (follows_button(node)) return true;
    const auto id = document_.attribute(node, html::Name::id);
    return id && opened_ids().contains(std::string(*id));
  }

  /// Whether the element before is a button: the title of an accordion's panel.
  [[nodiscard]] bool follows_button(html::NodeId node) const {
    html::NodeId before = document_.previous(node);
    while (before != html::kNoNode && !document_.is_element(before)) before = document_.previous(before);
    if (before == html::kNoNode) return false;
    return document_.name(before) == html::Name::button ||
           document_.attribute(before, html::Name::role) == "button";
  }

  [[nodiscard]] bool is_dialog(html::NodeId node) const {
    const auto role = document_.attribute(node, html::Name::role);
    return role == "dialog" || role == "alertdialog";
  }

  /// The ids that buttons and links name as what they open.
  const std::unordered_set<std::string>& opened_ids() {
    if (has_opened_ids_) return opened_ids_;
    has_opened_ids_ = true;
    for (const html::NodeId node : html::Descendants(document_, document_.root())) {
      if (!document_.has_attributes(node, 1)) continue;
      for (const std::string_view name : {"aria-controls", "data-target", "data-bs-target"})
        if (const auto value = document_.attribute(node, name)) {
          std::string_view id = text::trim_space(*value);
          if (id.starts_with('#')) id.remove_prefix(1);
          opened_ids_.emplace(id);
        }
    }
    return opened_ids_;
  }

  const html::Document& document_;
  HidingRules rules_;
  std::unordered_set<std::string> opened_ids_;
  bool has_opened_ids_ = false;
};

}  // namespace

std::vector<html::NodeId> find_hidden(const html::Document& document) {
  return HiddenElements(document).find();
}

}  // namespace sheaf::extract
