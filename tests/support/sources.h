#pragma once

#include "sheaf/base/byte_source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace sheaf::test {

/// How a ScriptedSource behaves.
struct SourceScript {
  std::size_t piece = SIZE_MAX;           ///< bytes a read gives at most
  std::optional<std::uint64_t> size;      ///< what size() says: nothing, or a lie
  std::optional<std::size_t> fail_after;  ///< a read error once this many bytes have come
};

/// Bytes from memory that come as a test wants them: in small pieces, of unknown size, with an error in the
/// middle.
class ScriptedSource final : public base::ByteSource {
 public:
  ScriptedSource(std::string bytes, SourceScript script) : bytes_(std::move(bytes)), script_(script) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    if (script_.fail_after && done_ >= *script_.fail_after)
      return base::fail(base::Errc::io, "cannot read scripted: Input/output error");
    std::size_t count = std::min({out.size(), bytes_.size() - done_, script_.piece});
    if (script_.fail_after) count = std::min(count, *script_.fail_after - done_);
    if (count > 0) std::memcpy(out.data(), bytes_.data() + done_, count);
    done_ += count;
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return script_.size; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string bytes_;
  SourceScript script_;
  std::size_t done_ = 0;
  std::string name_ = "scripted";
};

inline std::unique_ptr<base::ByteSource> scripted(std::string bytes, SourceScript script = {}) {
  return std::make_unique<ScriptedSource>(std::move(bytes), script);
}

}  // namespace sheaf::test
