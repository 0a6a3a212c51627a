#pragma once

#include "sheaf/encoding/encoding.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::encoding {

/// Guesses the encoding of a page that declares none, from the frequencies of characters in its text. Created
/// for the first page that needs it, then reused.
class EncodingDetector {
 public:
  EncodingDetector();
  ~EncodingDetector();

  /// Only encodings that occur on pages without a declaration; empty if none is likely.
  std::optional<Encoding> detect(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string sample_;
};

}  // namespace sheaf::encoding
