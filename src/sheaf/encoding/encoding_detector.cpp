#include "sheaf/encoding/encoding_detector.h"

#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <span>

namespace sheaf::encoding {
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
