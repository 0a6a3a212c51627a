#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/json/json_text.h"

#include <algorithm>
#include <charconv>

namespace sheaf::format {
namespace {

/// A pushdown automaton whose stack has one bit per level: object or array.
class Checker {
 public:
  Checker(std::string_view text, std::size_t most_listed) : text_(text), most_listed_(most_listed) {}

  JsonCheck run() {
    result_.valid = document();
    if (!result_.valid) result_.error_offset = at_;
    return std::move(result_);
  }

 private:
  enum class Next : std::uint8_t { value, first_key, first_element, after_value };

  bool document() {
    Next next = Next::value;
    while (true) {
      skip_space();
      switch (next) {
        case Next::value:
          if (!value(next)) return false;
          break;
        case Next::first_key:
          if (accept('}')) {
            stack_.pop_back();
            next = Next::after_value;
          } else if (key()) {
            next = Next::value;
          } else {
            return false;
          }
          break;
        case Next::first_element:
          if (accept(']')) {
            stack_.pop_back();
            next = Next::after_value;
          } else {
            next = Next::value;
          }
          break;
        case Next::after_value:
          if (stack_.empty()) return at_ == text_.size() || expect("the end of the line");
          if (!after_value(next)) return false;
          break;
      }
    }
  }

  bool value(Next& next) {
    if (at_ >= text_.size()) return expect("a value");
    ++result_.values;
    next = Next::after_value;
    switch (text_[at_]) {
      case '{':
        open(true);
        next = Next::first_key;
        return true;
      case '[':
        open(false);
        next = Next::first_element;
        return true;
      case '"': return string();
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return number();
    }
  }

  bool after_value(Next& next) {
    const bool in_object = stack_.back();
    if (accept(in_object ? '}' : ']')) {
      stack_.pop_back();
      next = Next::after_value;
      return true;
    }
    if (!accept(',')) return expect(in_object ? "',' or '}'" : "',' or ']'");
    skip_space();
    next = Next::value;
    return !in_object || key();
  }

  void open(bool object) {
    ++at_;
    stack_.push_back(object);
    result_.depth = std::max(result_.depth, stack_.size());
  }

  bool key() {
    if (at_ >= text_.size() || text_[at_] != '"') return expect("a member name in double quotes");
    ++result_.values;
    if (!string()) return false;
    skip_space();
    return accept(':') || expect("':'");
  }

  bool string() {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return expect("an escape instead of a control character");
      if (c != '\\') {
        ++at_;
      } else if (!escape()) {
        return false;
      }
    }
    return expect("a closing double quote");
  }

  bool escape() {
    constexpr std::string_view kSimple = "\"\\/bfnrt";
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c != '\0' && kSimple.find(c) != std::string_view::npos) {
      at_ += 2;
      return true;
    }
    const int unit = code_unit(at_);
    if (unit < 0) return expect("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    const bool high = unit >= 0xd800 && unit < 0xdc00;
    const bool low = unit >= 0xdc00 && unit < 0xe000;
    const int follower = high ? code_unit(at_ + 6) : -1;
    if (high && follower >= 0xdc00 && follower < 0xe000) {
      at_ += 12;
      return true;
    }
    if (high || low) {
      ++result_.values;
      list({Unrepresentable::Kind::surrogate, at_, 6});
    }
    at_ += 6;
    return true;
  }

  /// The value of a \uXXXX escape at `at`, or -1.
  [[nodiscard]] int code_unit(std::size_t at) const {
    if (at + 6 > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u') return -1;
    int value = 0;
    for (std::size_t i = at + 2; i < at + 6; ++i) {
      const int digit = base::hex_value(text_[i]);
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    return value;
  }

  bool word(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return expect("a value");
    at_ += wanted.size();
    return true;
  }

  bool number() {
    const std::size_t start = at_;
    accept('-');
    const std::size_t digits_from = at_;
    if (!digits()) return expect(at_ == start ? "a value" : "a digit");
    if (text_[digits_from] == '0' && at_ - digits_from > 1) {
      at_ = digits_from + 1;
      return expect("no digit after a leading zero");
    }
    bool whole = true;
    if (accept('.')) {
      whole = false;
      if (!digits()) return expect("a digit after the decimal point");
    }
    if (accept('e') || accept('E')) {
      whole = false;
      if (!accept('+')) accept('-');
      if (!digits()) return expect("a digit in the exponent");
    }
    if (!is_representable(text_.substr(start, at_ - start), whole))
      list({Unrepresentable::Kind::number, start, at_ - start});
    return true;
  }

  void list(const Unrepresentable& place) {
    if (result_.unrepresentable.size() < most_listed_) result_.unrepresentable.push_back(place);
  }

  /// Whether a number outside a double's range is too small, so that it reads as 0, rather than too large.
  static bool is_tiny(std::string_view text) {
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    const std::string_view mantissa = text.substr(0, mark);
    std::string_view exponent_digits = text.substr(std::min(mark + 1, text.size()));
    if (exponent_digits.starts_with('+')) exponent_digits.remove_prefix(1);
    std::int32_t exponent = 0;
    const auto [rest, error] =
        std::from_chars(exponent_digits.data(), exponent_digits.data() + exponent_digits.size(), exponent);
    if (error == std::errc::result_out_of_range) return exponent_digits.starts_with('-');
    const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
    const auto first_digit = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
    return point - first_digit + exponent < 0;
  }

  static bool is_representable(std::string_view text, bool whole) {
    const char* end = text.data() + text.size();
    if (!whole) {
      double value = 0;
      const auto [rest, error] = std::from_chars(text.data(), end, value);
      return error == std::errc() || is_tiny(text);
    }
    std::uint64_t positive = 0;
    std::int64_t negative = 0;
    const auto result = text.starts_with('-') ? std::from_chars(text.data(), end, negative)
                                              : std::from_chars(text.data(), end, positive);
    return result.ec == std::errc();
  }

  bool digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && base::is_digit(text_[at_])) ++at_;
    return at_ > start;
  }

  bool accept(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && base::is_xml_space(text_[at_])) ++at_;
  }

  bool expect(std::string_view what) {
    result_.expected = what;
    return false;
  }

  std::string_view text_;
  std::size_t most_listed_;
  std::size_t at_ = 0;
  std::vector<bool> stack_;  ///< true: object
  JsonCheck result_;
};

}  // namespace

JsonCheck check_json(std::string_view text, std::size_t most_listed) {
  return Checker(text, most_listed).run();
}

std::size_t most_json_values(std::string_view text) {
  // One of these characters precedes every value and name except the outermost value. A backslash precedes a
  // lone surrogate.
  std::size_t count = 1;
  for (const char c : text)
    count += static_cast<std::size_t>((c == '[') | (c == '{') | (c == ',') | (c == ':') | (c == '\\'));
  return count;
}

}  // namespace sheaf::format
