#pragma once

#include "sheaf/encoding/encoding.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::encoding {

/// The encoding of the byte order mark at the start of the bytes; nullopt if there is none.
std::optional<Encoding> encoding_of_bom(std::string_view bytes);

/// The bytes without the byte order mark of `encoding`, if they start with it.
std::string_view without_bom(std::string_view bytes, Encoding encoding);

/// The encoding that a <meta> or an XML declaration in the first 1024 bytes declares: the HTML standard's
/// "prescan a byte stream to determine its encoding", then "get an XML encoding".
std::optional<Encoding> prescan(std::string_view bytes);

/// The HTML standard's "extracting a character encoding from a meta element", for the value of the content
/// attribute.
std::optional<Encoding> encoding_of_meta_content(std::string_view content);

/// Guesses the encoding of a page that does not declare one, from the frequencies of characters in its text.
/// ICU's detector is created at the first call and then reused.
class EncodingDetector {
 public:
  EncodingDetector();
  ~EncodingDetector();

  /// Returns the most likely encoding among those that occur on pages without a declaration; nullopt if none
  /// is likely.
  std::optional<Encoding> detect(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string sample_;
};

}  // namespace sheaf::encoding
