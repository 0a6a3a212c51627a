#include "sheaf/pull/content_coding_undo.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/http/message/message.h"
#include "sheaf/offers/pull_plan.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;
using format::Codec;

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
constexpr std::size_t kMagicBytes = 4;
constexpr std::uint64_t kMaxRatio = 100;  // as for collections
constexpr std::uint64_t kRatioFreeBytes = std::uint64_t{1} << 20;

/// The codec of a content coding; plain if it is not one of a file.
Codec codec_of_coding(std::string_view coding) {
  const auto is = [&](std::string_view name) { return http::message::equal_ignoring_case(coding, name); };
  if (is("gzip") || is("x-gzip")) return Codec::gzip;
  return is("zstd") ? Codec::zstd : Codec::plain;
}

/// The decoder for a body that begins with these bytes; null if the body does not have that coding.
Result<std::unique_ptr<base::Decoder>> make_coding_decoder(std::string_view coding, std::string_view first) {
  if (const Codec codec = codec_of_coding(coding); codec != Codec::plain)
    return format::sniff_codec(first) == codec ? format::make_decoder(codec) : nullptr;
  if (offers::may_be_collection(first)) return nullptr;
  if (http::message::equal_ignoring_case(coding, "br")) return base::make_brotli_decoder();
  if (http::message::equal_ignoring_case(coding, "deflate"))
    return base::make_deflate_decoder(first.substr(0, 2));
  return base::fail(Errc::invalid_data,
                    fmt::format("it has the content coding \"{}\", which is not known and "
                                "was not asked for",
                                coding.substr(0, 100)));
}

/// Decodes the rest of a source. `use` gets each piece, and returns false to stop.
Result<void> decode_pieces(base::Decoder& decoder, base::ByteSource& source, std::string in,
                           const std::function<Result<bool>(std::string_view)>& use) {
  std::vector<char> out(kPieceBytes);
  for (std::string_view left = in;;) {
    SHEAF_TRY_ASSIGN(const base::DecodeStep step, decoder.decode(left, out));
    left.remove_prefix(step.consumed);
    if (step.produced > 0) {
      SHEAF_TRY_ASSIGN(const bool more, use({out.data(), step.produced}));
      if (!more) return {};
    }
    if (step.produced > 0 || step.consumed > 0) continue;
    in.resize(kPieceBytes);
    SHEAF_TRY_ASSIGN(const std::size_t read, source.read(in));
    in.resize(read);
    left = in;
    if (read > 0) continue;
    if (decoder.may_end()) return {};
    return base::fail(Errc::invalid_data, "its content coding ends in the middle");
  }
}

/// Whether the coding was added to the file, and is not its own compression.
bool was_added(const CodedFile& file, std::uint64_t bytes, std::string_view inner) {
  const Codec codec = codec_of_coding(file.coding);
  if (codec == Codec::plain || format::sniff_codec(inner) != Codec::plain) return true;
  const auto url = base::Url::parse(file.url);
  return file.advertised != bytes && url && codec_for_path(url->path()) != codec;
}

}  // namespace

Result<std::optional<std::uint64_t>> undo_content_coding(const CodedFile& given,
                                                         const std::filesystem::path& plain,
                                                         std::uint64_t limit) {
  // Of several codings, the last was applied last.
  CodedFile file = given;
  file.coding = base::trim_blanks(file.coding.substr(file.coding.rfind(',') + 1));
  if (file.coding.empty() || http::message::equal_ignoring_case(file.coding, "identity")) return std::nullopt;
  SHEAF_TRY_ASSIGN(const auto beginning, base::open_source(file.path.string()));
  std::string first(kMagicBytes, '\0');
  SHEAF_TRY_ASSIGN(const std::size_t read, beginning->read(first));
  first.resize(read);
  SHEAF_TRY_ASSIGN(const auto peek, make_coding_decoder(file.coding, first));
  if (!peek) return std::nullopt;
  std::string inner;
  SHEAF_TRY(decode_pieces(*peek, *beginning, first, [&](std::string_view piece) -> Result<bool> {
    inner += piece.substr(0, kMagicBytes);
    return inner.size() < kMagicBytes;
  }));
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(file.path, error);
  if (!was_added(file, bytes, inner)) return std::nullopt;
  limit = std::min(limit, kRatioFreeBytes + bytes * kMaxRatio);
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file.path.string()));
  SHEAF_TRY_ASSIGN(const auto decoder, make_coding_decoder(file.coding, first));
  const base::FileDescriptor out(::open(plain.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  std::uint64_t written = 0;
  const auto decoded = decode_pieces(*decoder, *source, {}, [&](std::string_view piece) -> Result<bool> {
    written += piece.size();
    if (written > limit)
      return base::fail(Errc::invalid_data,
                        fmt::format("without its content coding it has more than {} bytes", limit));
    SHEAF_TRY(base::write_all(out.get(), piece, plain.string()));
    return true;
  });
  SHEAF_TRY(decoded);
  if (::fsync(out.get()) != 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", plain.string())));
  return written;
}

}  // namespace sheaf::pull
