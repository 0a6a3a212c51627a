#include "sheaf/extract/state/state_tree.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <system_error>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxNodes = 500'000;
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;  // of all sources, and of strings read again
constexpr unsigned kMaxDepth = 128;
constexpr unsigned kMaxLevels = 4;  // strings of JSON inside strings of JSON

constexpr std::array<std::string_view, 15> kSkippedWords = {"async",  "await",  "case",   "const", "default",
                                                            "else",   "export", "in",     "let",   "new",
                                                            "return", "throw",  "typeof", "var",   "void"};

bool is_name_char(char c) {
  return base::is_alphanumeric(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// Whether a string is JSON, or JavaScript that a compiler made of a document.
bool is_data(std::string_view text) {
  text = text::trim_space(text);
  if (text.size() < 16) return false;
  const char first = text.front();
  const char last = text.back();
  if ((first == '{' && last == '}') || (first == '[' && last == ']')) {
    text.remove_prefix(1);
    const std::string_view inside = text::trim_space(text);
    return inside.starts_with('"') || inside.starts_with('{') || inside.starts_with('[') ||
           base::is_digit(inside.front()) || inside.starts_with("null");
  }
  return text.find("_jsx(") != std::string_view::npos;
}

}  // namespace

/// Reads one source. See StateTree.
class StateScanner {
 public:
  StateScanner(StateTree& tree, std::string_view source, unsigned level)
      : tree_(tree), source_(source), level_(level) {}

  void run(StateId parent, std::string_view key) { values(parent, '\0', key, 0); }

 private:
  using Kind = StateNode::Kind;

  [[nodiscard]] bool at_end() const { return at_ >= source_.size() || tree_.size() >= kMaxNodes; }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void skip_space() {
    while (!at_end()) {
      if (base::is_space(peek())) {
        ++at_;
      } else if (peek() == '/' && peek(1) == '*') {
        at_ = std::min(source_.size(), source_.find("*/", at_ + 2));
        at_ = std::min(source_.size(), at_ + 2);
      } else if (peek() == '/' && peek(1) == '/') {
        at_ = std::min(source_.size(), source_.find('\n', at_));
      } else {
        return;
      }
    }
  }

  /// Reads the values up to a closing bracket into `parent`: the elements of an array, the members of an
  /// object, arguments, statements.
  void values(StateId parent, char close, std::string_view key, unsigned depth) {
    const std::string_view outer = key;
    StateId last = kNoState;
    StateId function = kNoState;  // the last one without a name
    while (true) {
      skip_space();
      if (at_end()) return;
      const char c = peek();
      if (c == ')' || c == ']' || c == '}') {
        if (c == close || close == '\0') ++at_;
        if (close != '\0') return;
        continue;
      }
      if (c == ',' || c == ';') {
        ++at_;
        key = outer;
        last = kNoState;
      } else if (c == ':' || (c == '=' && peek(1) != '=' && peek(1) != '>')) {
        ++at_;
        if (last != kNoState) key = take_name(parent, last);
        last = kNoState;
      } else if (const StateId node = value(parent, depth); node == kNoState) {
        last = kNoState;
      } else {
        if (c == '(' && last != kNoState)
          tree_.bind(tree_.nodes_[last].kind == Kind::list ? tree_.nodes_[last].first : function, node);
        if (tree_.nodes_[node].kind == Kind::call && tree_.nodes_[node].text == "function") function = node;
        tree_.nodes_[node].key = key;
        last = node;
      }
      previous_ = c;
    }
  }

  /// The name that the last value was, which is removed from its container.
  std::string_view take_name(StateId parent, StateId last) {
    const StateNode& node = tree_.nodes_[last];
    if (node.first != kNoState) {  // a["b"] = ...
      return node.children == 1 ? tree_.nodes_[node.first].text : std::string_view();
    }
    const std::string_view name = node.kind == Kind::atom ? last_part(node.text) : node.text;
    StateNode& above = tree_.nodes_[parent];
    if (last + 1 == tree_.size() && above.last == last) {
      if (above.first == last) above.first = kNoState;
      above.last = before_last_;
      if (before_last_ != kNoState) tree_.nodes_[before_last_].next = kNoState;
      --above.children;
      tree_.nodes_.pop_back();
    }
    return name;
  }

  /// Reads one value, or skips an operator and returns kNoState.
  StateId value(StateId parent, unsigned depth) {
    before_last_ = tree_.nodes_[parent].last;
    const char c = peek();
    if (c == '"' || c == '\'' || c == '`') return string(parent);
    if (c == '{' || c == '[' || c == '(') return container(parent, depth);
    if (is_name_char(c) || (c == '-' && base::is_digit(peek(1)))) return name(parent, depth);
    if (c == '/' && std::string_view("(,=:[!&|?{};").find(previous_) != std::string_view::npos) {
      skip_pattern();
    } else {
      ++at_;
      if (c == '=' && (peek() == '=' || peek() == '>')) ++at_;
    }
    return kNoState;
  }

  /// Skips a regular expression, which may contain quotation marks.
  void skip_pattern() {
    bool in_class = false;
    for (++at_; !at_end() && peek() != '\n'; ++at_) {
      const char c = peek();
      if (c == '\\') ++at_;
      if (c == '[') in_class = true;
      if (c == ']') in_class = false;
      if (c == '/' && !in_class) break;
    }
    if (!at_end()) ++at_;
  }

  StateId container(StateId parent, unsigned depth) {
    const char open = peek();
    ++at_;
    if (depth >= kMaxDepth) return kNoState;  // what is inside counts for the container
    const StateId node = tree_.add(parent, open == '{' ? Kind::object : Kind::list);
    values(node, open == '{' ? '}' : open == '[' ? ']' : ')', {}, depth + 1);
    return node;
  }

  StateId name(StateId parent, unsigned depth) {
    const std::size_t begin = at_++;
    while (!at_end() && (is_name_char(peek()) || peek() == '.' || (peek() == '?' && peek(1) == '.'))) ++at_;
    const std::string_view text = source_.substr(begin, at_ - begin);
    if (std::ranges::binary_search(kSkippedWords, text)) return kNoState;
    skip_space();
    if (peek() != '(' || depth >= kMaxDepth) return tree_.add(parent, Kind::atom, text);
    ++at_;
    const StateId node = tree_.add(parent, Kind::call, text);
    values(node, ')', {}, depth + 1);
    return node;
  }

  StateId string(StateId parent) {
    const char quote = peek();
    const std::size_t begin = ++at_;
    bool escaped = false;
    while (at_ < source_.size() && source_[at_] != quote) {
      if (source_[at_] == '\\') {
        escaped = true;
        ++at_;
      }
      ++at_;
    }
    at_ = std::min(at_, source_.size());
    std::string_view text = source_.substr(begin, at_ - begin);
    ++at_;
    if (escaped) text = unescaped(text);
    const StateId node = tree_.add(parent, Kind::text, text);
    tree_.read_inside(node, level_);
    return node;
  }

  std::string_view unescaped(std::string_view raw) {
    std::string& out = scratch_;
    out.clear();
    while (!raw.empty()) {
      const std::size_t plain = std::min(raw.find('\\'), raw.size());
      out += raw.substr(0, plain);
      raw.remove_prefix(plain);
      if (raw.size() < 2) break;
      const char c = raw[1];
      raw.remove_prefix(2);
      switch (c) {
        case 'n': out += '\n'; break;
        case 't': out += '\t'; break;
        case 'b':
        case 'f':
        case 'r':
        case '\n': break;
        case 'u':
        case 'x': base::append_utf8(out, code_point(raw, c)); break;
        default: out += c;
      }
    }
    return tree_.arena_.copy(out);
  }

  /// Reads the digits after `\x` or `\u`, of both halves of a surrogate pair.
  static char32_t code_point(std::string_view& raw, char kind) {
    const char32_t first = hex_digits(raw, kind);
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first > 0xDBFF || !raw.starts_with("\\u")) return base::kReplacementCharacter;
    raw.remove_prefix(2);
    const char32_t second = hex_digits(raw, 'u');
    if (second < 0xDC00 || second > 0xDFFF) return base::kReplacementCharacter;
    return 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00);
  }

  static char32_t hex_digits(std::string_view& raw, char kind) {
    std::size_t most = kind == 'x' ? 2 : 4;
    const bool braces = raw.starts_with('{');
    if (braces) {
      raw.remove_prefix(1);
      most = 6;
    }
    std::uint32_t value = 0;
    const std::string_view digits = raw.substr(0, most);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    raw.remove_prefix(static_cast<std::size_t>(end - digits.data()));
    if (braces && raw.starts_with('}')) raw.remove_prefix(1);
    const bool is_valid = error == std::errc() && value > 0 && value <= 0x10FFFF;
    return is_valid ? static_cast<char32_t>(value) : base::kReplacementCharacter;
  }

  StateTree& tree_;
  std::string_view source_;
  unsigned level_;
  std::size_t at_ = 0;
  char previous_ = '\0';
  StateId before_last_ = kNoState;
  std::string scratch_;
};

void StateTree::clear() {
  nodes_.assign(1, {});
  nodes_.front().kind = StateNode::Kind::list;
  referrers_.clear();
  arena_.clear();
  bytes_ = 0;
  bound_ = 0;
}

StateId StateTree::add(StateId parent, StateNode::Kind kind, std::string_view text) {
  const auto id = static_cast<StateId>(nodes_.size());
  StateNode& node = nodes_.emplace_back();
  node.kind = kind;
  node.text = text;
  node.parent = parent;
  StateNode& above = nodes_[parent];
  if (above.first == kNoState) {
    above.first = id;
  } else {
    nodes_[above.last].next = id;
  }
  above.last = id;
  ++above.children;
  return id;
}

void StateTree::read(std::string_view source, std::string_view key) {
  if (bytes_ + source.size() > kMaxBytes || nodes_.size() >= kMaxNodes) return;
  bytes_ += source.size();
  const StateId node = add(0, StateNode::Kind::object);
  nodes_[node].key = key;
  nodes_[node].text = source;
  // Angular's older releases write the quotation marks of JSON like this.
  if (source.find("{&q;") != std::string_view::npos) {
    std::string plain;
    for (std::size_t at = 0; at < source.size();) {
      const std::string_view rest = source.substr(at, 3);
      constexpr std::string_view kNames = "qaslg";
      constexpr std::string_view kChars = "\"&'<>";
      const std::size_t found = rest.size() == 3 && rest[0] == '&' && rest[2] == ';' ? kNames.find(rest[1])
                                                                                     : std::string_view::npos;
      plain += found == std::string_view::npos ? source[at] : kChars[found];
      at += found == std::string_view::npos ? 1 : 3;
    }
    source = arena_.copy(plain);
  }
  StateScanner(*this, source, 0).run(node, {});
}

void StateTree::add_text(std::string_view text, std::string_view key) {
  if (nodes_.size() >= kMaxNodes) return;
  nodes_[add(0, StateNode::Kind::text, text)].key = key;
}

/// Reads a string that is data itself. The values become children of the text.
void StateTree::read_inside(StateId text, unsigned level) {
  if (level >= kMaxLevels || nodes_[text].text.size() < 16) return;
  std::string_view source = nodes_[text].text;
  if (source.starts_with("%7B") || source.starts_with("%5B")) {
    source = arena_.copy(base::percent_decode(source));
  }
  if (!is_data(source) || bytes_ + source.size() > kMaxBytes) return;
  bytes_ += source.size();
  nodes_[text].kind = StateNode::Kind::list;
  StateScanner(*this, source, level + 1).run(text, {});
}

StateId StateTree::above(StateId id) const {
  const StateId referrer = id < referrers_.size() ? referrers_[id] : kNoState;
  return nodes_[referrer == kNoState ? id : referrer].parent;
}

StateId StateTree::member(StateId object, std::string_view key) const {
  constexpr int kMost = 64;
  int seen = 0;
  for (StateId child = (*this)[object].first; child != kNoState && seen < kMost;
       child = nodes_[child].next, ++seen)
    if (nodes_[child].key == key) return resolve(child);
  return kNoState;
}

std::string_view StateTree::member_text(StateId object, std::string_view key) const {
  const StateId found = member(object, key);
  return found != kNoState && nodes_[found].kind == StateNode::Kind::text ? nodes_[found].text
                                                                          : std::string_view();
}

}  // namespace sheaf::extract
