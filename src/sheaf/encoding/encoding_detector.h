#pragma once

#include "sheaf/encoding/encoding.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::encoding {

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
