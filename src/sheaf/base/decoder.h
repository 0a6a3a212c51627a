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

/// A streaming decompressor. The caller must limit the size of the output.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// Consumes bytes of `in` and writes to `out`. Fails if the data is corrupt.
  virtual Result<DecodeStep> decode(std::string_view in, std::span<char> out) = 0;

  /// Whether the input may end here: the decoder is at the end of a member or frame, and all output was
  /// delivered.
  [[nodiscard]] virtual bool may_end() const = 0;
};

}  // namespace sheaf::base
