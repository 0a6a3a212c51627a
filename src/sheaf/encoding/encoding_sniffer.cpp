#include "sheaf/encoding/encoding_sniffer.h"

#include "sheaf/base/ascii.h"
#include "sheaf/text/text_compare.h"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace sheaf::encoding {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kPrescanBytes = 1024;
constexpr std::string_view kSpace = "\t\n\f\r ";

constexpr bool is_space_or_slash(char c) { return text::is_space(c) || c == '/'; }
constexpr bool ends_name(char c) { return is_space_or_slash(c) || c == '>' || c == '='; }
constexpr bool ends_value(char c) { return text::is_space(c) || c == '>'; }

constexpr bool is_text(std::string_view text, std::string_view wanted) {
  return text::equal_text(text, wanted, text::TextCase::ignore);
}

// The declaration was read as ASCII, so the page cannot be UTF-16, even if it says so.
Encoding without_utf16(Encoding encoding) {
  return encoding == Encoding::utf_16be || encoding == Encoding::utf_16le ? Encoding::utf_8 : encoding;
}

struct Attribute {
  std::string_view name;
  std::string_view value;
};

// The attributes of one <meta> that were read so far. If a name occurs several times, the first one counts.
class MetaDeclaration {
 public:
  void add(const Attribute& attribute) {
    if (is_text(attribute.name, "http-equiv")) {
      if (is_first(pragma_seen_)) got_pragma_ = is_text(attribute.value, "content-type");
    } else if (is_text(attribute.name, "content")) {
      if (is_first(content_seen_)) add_content(attribute.value);
    } else if (is_text(attribute.name, "charset")) {
      if (!is_first(charset_seen_)) return;
      // An unknown label counts too: a later content attribute is then ignored.
      encoding_ = encoding_for_label(attribute.value);
      need_ = Need::nothing;
    }
  }

  std::optional<Encoding> result() const {
    if (!encoding_ || (need_ == Need::pragma && !got_pragma_)) return std::nullopt;
    return *encoding_ == Encoding::x_user_defined ? Encoding::windows_1252 : without_utf16(*encoding_);
  }

 private:
  static bool is_first(bool& seen) { return !std::exchange(seen, true); }

  void add_content(std::string_view content) {
    const auto encoding = encoding_of_meta_content(content);
    if (!encoding || need_ != Need::unknown) return;
    encoding_ = encoding;
    need_ = Need::pragma;
  }

  enum class Need { unknown, pragma, nothing };
  std::optional<Encoding> encoding_;
  Need need_ = Need::unknown;
  bool pragma_seen_ = false;
  bool content_seen_ = false;
  bool charset_seen_ = false;
  bool got_pragma_ = false;
};

// The prescan of the HTML standard. A step that runs out of bytes leaves at_ at the end, which ends the
// search, so truncated tags are ignored.
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Encoding> run() {
    if (bytes_.starts_with("<\0?\0x\0"sv)) return Encoding::utf_16le;
    if (bytes_.starts_with("\0<\0?\0x"sv)) return Encoding::utf_16be;
    for (go_to(bytes_.find('<')); !is_at_end(); go_to(bytes_.find('<', at_ + 1))) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.starts_with("<!--")) {
        // The search begins at the opening dashes, because they may also be part of the end ("<!-->").
        go_to(bytes_.find("-->", at_ + 2), 2);
      } else if (is_meta(rest)) {
        if (const auto encoding = read_meta()) return encoding;
      } else if (is_tag(rest)) {
        skip_tag();
      } else if (rest.size() > 1 && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?')) {
        go_to(bytes_.find('>', at_));
      }
    }
    return std::nullopt;
  }

 private:
  static bool is_meta(std::string_view rest) {
    return rest.size() > 5 && is_text(rest.substr(0, 5), "<meta") && is_space_or_slash(rest[5]);
  }

  static bool is_tag(std::string_view rest) {
    const std::size_t letter = rest.size() > 1 && rest[1] == '/' ? 2 : 1;
    return rest.size() > letter && base::is_letter(rest[letter]);
  }

  bool is_at_end() const { return at_ >= bytes_.size(); }
  void go_to(std::size_t found, std::size_t beyond = 0) {
    at_ = found == std::string_view::npos ? bytes_.size() : found + beyond;
  }
  template <class Is>
  void skip(Is is) {
    while (!is_at_end() && is(bytes_[at_])) ++at_;
  }
  template <class Is>
  void skip_to(Is is) {
    while (!is_at_end() && !is(bytes_[at_])) ++at_;
  }

  std::optional<Encoding> read_meta() {
    at_ += 5;
    MetaDeclaration declaration;
    while (const auto attribute = read_attribute()) declaration.add(*attribute);
    return is_at_end() ? std::nullopt : declaration.result();
  }

  void skip_tag() {
    skip_to(ends_value);
    while (read_attribute()) {
    }
  }

  // "Get an attribute". Returns nullopt at the end of the tag or of the bytes.
  std::optional<Attribute> read_attribute() {
    skip(is_space_or_slash);
    if (is_at_end() || bytes_[at_] == '>') return std::nullopt;
    const std::size_t begin = at_++;  // a leading = is part of the name
    skip_to(ends_name);
    Attribute attribute{bytes_.substr(begin, at_ - begin), {}};
    skip(text::is_space);
    if (!is_at_end() && bytes_[at_] == '=') {
      ++at_;
      attribute.value = read_value();
    }
    if (is_at_end()) return std::nullopt;
    return attribute;
  }

  std::string_view read_value() {
    skip(text::is_space);
    if (is_at_end()) return {};
    std::size_t begin = at_;
    if (const char quote = bytes_[at_]; quote == '"' || quote == '\'') {
      ++begin;
      go_to(bytes_.find(quote, begin));
      const std::string_view value = bytes_.substr(begin, at_ - begin);
      if (!is_at_end()) ++at_;
      return value;
    }
    skip_to(ends_value);
    return bytes_.substr(begin, at_ - begin);
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
    if (!is_text(content.substr(at, kCharset.size()), kCharset)) {
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

namespace {

// ICU's default is 8000 bytes, which takes longer than the rest of extraction and is not more accurate
// (measured with tools/guess_encodings).
constexpr std::size_t kSampleBytes = 3000;
// In per cent, as ICU reports confidence. Below this, ICU's guesses for a few words of western text are worse
// than windows-1252.
constexpr int kMinConfidence = 20;

// UTF-16 and UTF-32 without a byte order mark, ISO-2022 and EBCDIC are missing: no browser guesses them, and
// bytes that are text in one encoding and markup in another could bypass filters.
constexpr std::array kGuessable = {
    Encoding::utf_8,        Encoding::iso_8859_2,   Encoding::iso_8859_5,   Encoding::iso_8859_6,
    Encoding::iso_8859_7,   Encoding::iso_8859_8,   Encoding::iso_8859_8_i, Encoding::koi8_r,
    Encoding::windows_1250, Encoding::windows_1251, Encoding::windows_1252, Encoding::windows_1253,
    Encoding::windows_1254, Encoding::windows_1255, Encoding::windows_1256, Encoding::gb18030,
    Encoding::big5,         Encoding::euc_jp,       Encoding::shift_jis,    Encoding::euc_kr,
};

bool has_high_byte(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Collects the texts between tags that contain a non-ASCII byte. The sample does not simply begin at the
// start of the page, because the head can be longer than the sample and says nothing about the encoding. No
// trail byte of the encodings above is a < or a >.
void collect_text(std::string_view bytes, std::string& sample) {
  sample.clear();
  for (std::size_t at = 0; at < bytes.size() && sample.size() < kSampleBytes;) {
    const std::size_t end = std::min(bytes.find('<', at), bytes.size());
    const std::string_view run = bytes.substr(at, end - at);
    if (has_high_byte(run)) {
      sample += run.substr(0, kSampleBytes);
      sample += ' ';
    }
    at = std::min(bytes.find('>', end), bytes.size() - 1) + 1;
  }
  if (sample.empty()) sample = bytes.substr(0, kSampleBytes);
}

// Distinguishes windows-1253 from ISO-8859-7, whose letters are the same except for A2: a capital alpha with
// tonos, which starts words, in windows-1253, and an apostrophe in ISO-8859-7. ICU only checks for bytes from
// 80 to 9F.
bool has_windows_greek(std::string_view text) {
  const auto is_letter = [](char c) { return static_cast<unsigned char>(c) >= 0xC0; };
  for (std::size_t at = text.find('\xA2'); at != std::string_view::npos; at = text.find('\xA2', at + 1)) {
    const bool starts_word = at == 0 || static_cast<unsigned char>(text[at - 1]) < 0x80;
    if (starts_word && at + 1 < text.size() && is_letter(text[at + 1])) return true;
  }
  return false;
}

// Replaces some encodings that ICU reports with related ones that fit the pages of the web better.
Encoding refine(Encoding encoding, std::string_view text) {
  switch (encoding) {
    case Encoding::gb18030: return Encoding::gbk;    // same decoder; pages use this name
    case Encoding::koi8_r: return Encoding::koi8_u;  // Ukrainian letters in place of line drawing
    case Encoding::iso_8859_7: return has_windows_greek(text) ? Encoding::windows_1253 : encoding;
    default: return encoding;
  }
}

}  // namespace

struct EncodingDetector::State {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<UCharsetDetector, void (*)(UCharsetDetector*)> icu{ucsdet_open(&status), ucsdet_close};
};

EncodingDetector::EncodingDetector() = default;
EncodingDetector::~EncodingDetector() = default;

std::optional<Encoding> EncodingDetector::detect(std::string_view bytes) {
  if (!state_) state_ = std::make_unique<State>();
  UErrorCode status = state_->status;
  if (U_FAILURE(status)) return std::nullopt;
  collect_text(bytes, sample_);
  ucsdet_setText(state_->icu.get(), sample_.data(), static_cast<std::int32_t>(sample_.size()), &status);
  std::int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(state_->icu.get(), &count, &status);
  if (U_FAILURE(status)) return std::nullopt;
  for (const UCharsetMatch* match : std::span(matches, static_cast<std::size_t>(count))) {
    if (ucsdet_getConfidence(match, &status) < kMinConfidence) break;
    const char* label = ucsdet_getName(match, &status);
    const auto encoding = U_SUCCESS(status) ? encoding_for_label(label) : std::nullopt;
    if (!encoding || std::ranges::find(kGuessable, *encoding) == kGuessable.end()) continue;
    return refine(*encoding, sample_);
  }
  return std::nullopt;
}

}  // namespace sheaf::encoding
