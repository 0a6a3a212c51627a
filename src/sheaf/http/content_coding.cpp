#include "sheaf/http/content_coding.h"

#include "sheaf/base/gzip_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace sheaf::http {
namespace {

constexpr std::size_t kStepBytes = std::size_t{64} * 1024;

bool is_coding(std::string_view text, std::string_view name) {
  return std::ranges::equal(text, name,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 0x20 : a) == b; });
}

base::Result<std::string> gunzip(std::string_view body, std::uint64_t limit) {
  const auto decoder = base::make_gzip_decoder();
  std::string plain;
  std::array<char, kStepBytes> step;
  while (true) {
    SHEAF_TRY_ASSIGN(const base::DecodeStep done, decoder->decode(body, step));
    body.remove_prefix(done.consumed);
    if (plain.size() + done.produced > limit)
      return base::fail(base::Errc::invalid_data, fmt::format("unpacks to more than {} bytes", limit));
    plain.append(step.data(), done.produced);
    if (done.consumed == 0 && done.produced == 0) break;
  }
  if (!body.empty() || !decoder->may_end())
    return base::fail(base::Errc::invalid_data, "the gzip data is cut off");
  return plain;
}

}  // namespace

base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit) {
  if (is_coding(content_encoding, "gzip") || is_coding(content_encoding, "x-gzip"))
    return gunzip(body, limit);
  if (content_encoding.empty() || is_coding(content_encoding, "identity")) return body;
  return base::fail(base::Errc::invalid_data,
                    fmt::format("the body is coded as \"{}\", which was not asked for", content_encoding));
}

}  // namespace sheaf::http
