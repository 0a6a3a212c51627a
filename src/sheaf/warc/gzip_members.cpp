#include "sheaf/warc/gzip_members.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <new>

namespace sheaf::warc {
namespace {

constexpr std::string_view kMemberStart = "\x1f\x8b\x08";
constexpr std::size_t kMemberHead = 10;
constexpr std::size_t kFlags = 3;
// Flags that RFC 1952 reserves, and the one of a header with a checksum, which libdeflate does not verify.
constexpr unsigned kRefusedFlags = 0xe2;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

bool is_member_start(std::string_view text) {
  return text.size() >= kMemberHead && text.starts_with(kMemberStart) &&
         (static_cast<unsigned char>(text[kFlags]) & kRefusedFlags) == 0;
}

/// Where the next member may begin, at or after `from`; the end of the text where none does.
std::size_t find_member(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kMemberStart, from); at != std::string_view::npos;
       at = text.find(kMemberStart, at + 1))
    if (is_member_start(text.substr(at))) return at;
  return text.size();
}

/// Decodes members from `from` until one begins at `to` or behind it.
DecodedMembers decode_part(libdeflate_decompressor* decompressor, std::string_view in, std::size_t from,
                           std::size_t to, std::span<char> out) {
  DecodedMembers part;
  for (std::size_t at = from; at < to && is_member_start(in.substr(at)); at = from + part.consumed) {
    const std::span<char> room = out.subspan(part.produced);
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const auto outcome = libdeflate_gzip_decompress_ex(decompressor, in.data() + at, in.size() - at,
                                                       room.data(), room.size(), &consumed, &produced);
    if (outcome != LIBDEFLATE_SUCCESS) break;
    part.consumed += consumed;
    part.produced += produced;
    part.ends.push_back(part.produced);
  }
  return part;
}

}  // namespace

struct MemberDecoder::State {
  std::vector<Decompressor> decompressors;  ///< one for each thread
  std::size_t least_bytes = kLeastBytes;
};

MemberDecoder::MemberDecoder(unsigned threads, std::size_t least_bytes) : state_(std::make_unique<State>()) {
  state_->least_bytes = std::max<std::size_t>(least_bytes, 1);
  for (unsigned i = 0; i < std::max(threads, 1U); ++i) {
    state_->decompressors.emplace_back(libdeflate_alloc_decompressor());
    if (!state_->decompressors.back()) throw std::bad_alloc();
  }
}

MemberDecoder::~MemberDecoder() = default;

DecodedMembers MemberDecoder::decode(std::string_view in, std::span<char> out) {
  const std::size_t parts =
      std::clamp<std::size_t>(in.size() / state_->least_bytes, 1, state_->decompressors.size());
  const std::size_t room = out.size() / parts;
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 1; i < parts; ++i)
    starts.push_back(find_member(in, std::max(starts.back() + 1, i * in.size() / parts)));
  starts.push_back(in.size());
  const auto decode_one = [&](std::size_t i) {
    return decode_part(state_->decompressors[i].get(), in, starts[i], starts[i + 1],
                       out.subspan(i * room, room));
  };
  std::vector<std::future<DecodedMembers>> others;
  for (std::size_t i = 1; i < parts; ++i) others.push_back(std::async(std::launch::async, decode_one, i));
  DecodedMembers all = decode_one(0);
  for (std::size_t i = 1; i < parts; ++i) {
    const DecodedMembers part = others[i - 1].get();
    if (all.consumed != starts[i]) continue;  // a wrong guess, or an earlier part ended before
    std::memmove(out.data() + all.produced, out.data() + i * room, part.produced);
    for (const std::size_t end : part.ends) all.ends.push_back(all.produced + end);
    all.consumed += part.consumed;
    all.produced += part.produced;
  }
  return all;
}

}  // namespace sheaf::warc
