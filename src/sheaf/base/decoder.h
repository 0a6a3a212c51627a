#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace sheaf::base {

/// Result of one call of `Decoder::decode`.
struct DecodeStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
};

/// A streaming decompressor. The caller limits the output.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// Consumes from `in` and fills `out`. An error's message says what is wrong with the data.
  virtual Result<DecodeStep> decode(std::string_view in, std::span<char> out) = 0;

  /// Whether the input may end here: at the end of a member or frame, with all output delivered.
  [[nodiscard]] virtual bool may_end() const = 0;
};

}  // namespace sheaf::base
