#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::warc {

/// What MemberDecoder decoded.
struct DecodedMembers {
  std::size_t consumed = 0;       ///< bytes of the input: whole members
  std::size_t produced = 0;       ///< bytes at the front of the output
  std::vector<std::size_t> ends;  ///< where members end in the output
};

/// Decodes gzip members that are in memory as a whole, with several threads. Where a member begins is known
/// only when the one before it is decoded, so the other threads guess: they begin at bytes that look like the
/// start of a member, and what they decode counts only if the members before it end exactly there.
class MemberDecoder {
 public:
  /// A thread gets at least `least_bytes` of the input.
  static constexpr std::size_t kLeastBytes = std::size_t{128} << 10U;

  explicit MemberDecoder(unsigned threads, std::size_t least_bytes = kLeastBytes);
  ~MemberDecoder();
  MemberDecoder(const MemberDecoder&) = delete;
  MemberDecoder& operator=(const MemberDecoder&) = delete;

  /// Decodes members from the front of `in`, as many as are whole, undamaged and fit into `out`; each thread
  /// has an equal part of `out` for its own. Nothing is consumed where the first of them is not so: that is
  /// for a decoder of streams, which also knows what is wrong.
  DecodedMembers decode(std::string_view in, std::span<char> out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sheaf::warc
