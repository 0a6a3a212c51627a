#include "sheaf/html/encoding_sniffer.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sheaf::html {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kPrescanBytes = 1024;
constexpr std::string_view kSpace = "\t\n\f\r ";
constexpr std::string_view kSpaceOrSlash = "\t\n\f\r /";

constexpr bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, to_lower);
}

// A page read as ASCII this far cannot be UTF-16, whatever it says of itself.
Encoding without_utf16(Encoding encoding) {
  return encoding == Encoding::utf_16be || encoding == Encoding::utf_16le ? Encoding::utf_8 : encoding;
}

struct Attribute {
  std::string name;
  std::string value;
};

// What the attributes of one <meta> say so far.
class MetaDeclaration {
 public:
  void add(const Attribute& attribute) {
    if (std::ranges::find(seen_, attribute.name) != seen_.end()) return;
    seen_.push_back(attribute.name);
    if (attribute.name == "http-equiv") {
      got_pragma_ = got_pragma_ || attribute.value == "content-type";
    } else if (attribute.name == "content") {
      const auto encoding = encoding_of_meta_content(attribute.value);
      if (!encoding || need_ != Need::unknown) return;
      encoding_ = encoding;
      need_ = Need::pragma;
    } else if (attribute.name == "charset") {
      // An unknown label counts too: it keeps a later content attribute from being heard.
      encoding_ = encoding_for_label(attribute.value);
      need_ = Need::nothing;
    }
  }

  std::optional<Encoding> result() const {
    if (!encoding_ || (need_ == Need::pragma && !got_pragma_)) return std::nullopt;
    return *encoding_ == Encoding::x_user_defined ? Encoding::windows_1252 : without_utf16(*encoding_);
  }

 private:
  enum class Need { unknown, pragma, nothing };
  std::vector<std::string> seen_;
  std::optional<Encoding> encoding_;
  Need need_ = Need::unknown;
  bool got_pragma_ = false;
};

// A step that runs out of bytes leaves at_ at the end, which ends the search: a cut tag says nothing.
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Encoding> run() {
    if (bytes_.starts_with("<\0?\0x\0"sv)) return Encoding::utf_16le;
    if (bytes_.starts_with("\0<\0?\0x"sv)) return Encoding::utf_16be;
    for (go_to(bytes_.find('<')); !is_at_end(); go_to(bytes_.find('<', at_ + 1))) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.starts_with("<!--")) {
        // The two dashes that open a comment may also be the ones that close it.
        go_to(bytes_.find("-->", at_ + 2), 2);
      } else if (is_meta(rest)) {
        if (const auto encoding = read_meta()) return encoding;
      } else if (is_tag(rest)) {
        skip_tag();
      } else if (rest.size() > 1 && is_one_of(rest[1], "!/?")) {
        go_to(bytes_.find('>', at_));
      }
    }
    return std::nullopt;
  }

 private:
  static bool is_meta(std::string_view rest) {
    return rest.size() > 5 && equals_ignoring_case(rest.substr(0, 5), "<meta") &&
           is_one_of(rest[5], kSpaceOrSlash);
  }

  static bool is_tag(std::string_view rest) {
    const std::size_t letter = rest.size() > 1 && rest[1] == '/' ? 2 : 1;
    return rest.size() > letter && is_letter(rest[letter]);
  }

  bool is_at_end() const { return at_ >= bytes_.size(); }
  void go_to(std::size_t found, std::size_t beyond = 0) {
    at_ = found == std::string_view::npos ? bytes_.size() : found + beyond;
  }
  void skip(std::string_view set) { go_to(bytes_.find_first_not_of(set, at_)); }

  std::optional<Encoding> read_meta() {
    at_ += 5;
    MetaDeclaration declaration;
    while (const auto attribute = read_attribute()) declaration.add(*attribute);
    return is_at_end() ? std::nullopt : declaration.result();
  }

  void skip_tag() {
    go_to(bytes_.find_first_of("\t\n\f\r >", at_));
    while (read_attribute()) {
    }
  }

  // "Get an attribute". Empty at the end of the tag and at the end of the bytes.
  std::optional<Attribute> read_attribute() {
    skip(kSpaceOrSlash);
    if (is_at_end() || bytes_[at_] == '>') return std::nullopt;
    Attribute attribute;
    // An = that comes first is part of the name.
    do {
      attribute.name += to_lower(bytes_[at_++]);
    } while (!is_at_end() && !is_one_of(bytes_[at_], "\t\n\f\r />="));
    skip(kSpace);
    if (!is_at_end() && bytes_[at_] == '=') {
      ++at_;
      attribute.value = read_value();
    }
    if (is_at_end()) return std::nullopt;
    return attribute;
  }

  std::string read_value() {
    skip(kSpace);
    if (is_at_end()) return {};
    std::size_t begin = at_;
    if (const char quote = bytes_[at_]; quote == '"' || quote == '\'') {
      ++begin;
      go_to(bytes_.find(quote, begin));
      std::string value = lower(bytes_.substr(begin, at_ - begin));
      if (!is_at_end()) ++at_;
      return value;
    }
    go_to(bytes_.find_first_of("\t\n\f\r >", at_));
    return lower(bytes_.substr(begin, at_ - begin));
  }

  static std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), to_lower);
    return result;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::optional<Encoding> xml_encoding(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return std::nullopt;
  const std::size_t end = bytes.find('>');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view rest = bytes.substr(0, end);
  const auto skip_space = [&rest] {
    while (!rest.empty() && static_cast<unsigned char>(rest.front()) <= 0x20) rest.remove_prefix(1);
  };
  const std::size_t found = rest.find("encoding");
  if (found == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(found + "encoding"sv.size());
  skip_space();
  if (!rest.starts_with('=')) return std::nullopt;
  rest.remove_prefix(1);
  skip_space();
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return std::nullopt;
  const std::size_t close = rest.find(rest.front(), 1);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view label = rest.substr(1, close - 1);
  if (std::ranges::any_of(label, [](char c) { return static_cast<unsigned char>(c) <= 0x20; }))
    return std::nullopt;
  const auto encoding = encoding_for_label(label);
  return encoding ? std::optional(without_utf16(*encoding)) : std::nullopt;
}

struct Bom {
  Encoding encoding;
  std::string_view bytes;
};
constexpr std::array<Bom, 3> kBoms = {
    {{Encoding::utf_8, "\xEF\xBB\xBF"}, {Encoding::utf_16be, "\xFE\xFF"}, {Encoding::utf_16le, "\xFF\xFE"}}};

}  // namespace

std::optional<Encoding> encoding_of_bom(std::string_view bytes) {
  for (const Bom& bom : kBoms) {
    if (bytes.starts_with(bom.bytes)) return bom.encoding;
  }
  return std::nullopt;
}

std::string_view without_bom(std::string_view bytes, Encoding encoding) {
  for (const Bom& bom : kBoms) {
    if (bom.encoding == encoding && bytes.starts_with(bom.bytes)) return bytes.substr(bom.bytes.size());
  }
  return bytes;
}

std::optional<Encoding> encoding_of_meta_content(std::string_view content) {
  constexpr std::string_view kCharset = "charset";
  for (std::size_t at = 0; at + kCharset.size() <= content.size();) {
    if (!equals_ignoring_case(content.substr(at, kCharset.size()), kCharset)) {
      ++at;
      continue;
    }
    at = std::min(content.find_first_not_of(kSpace, at + kCharset.size()), content.size());
    if (at == content.size() || content[at] != '=') continue;
    at = content.find_first_not_of(kSpace, at + 1);
    if (at == std::string_view::npos) return std::nullopt;
    if (const char quote = content[at]; quote == '"' || quote == '\'') {
      const std::size_t close = content.find(quote, at + 1);
      if (close == std::string_view::npos) return std::nullopt;
      return encoding_for_label(content.substr(at + 1, close - at - 1));
    }
    return encoding_for_label(content.substr(at, content.find_first_of("\t\n\f\r ;", at) - at));
  }
  return std::nullopt;
}

std::optional<Encoding> prescan(std::string_view bytes) {
  bytes = bytes.substr(0, kPrescanBytes);
  if (const auto encoding = Prescan(bytes).run()) return encoding;
  return xml_encoding(bytes);
}

}  // namespace sheaf::html
