#include "sheaf/http/content_coding.h"

#include "sheaf/base/gzip_decoder.h"
#include "sheaf/http/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sheaf::http {
namespace {

base::Result<std::string> gunzip(std::string_view body, std::uint64_t limit) {
  const auto decoder = base::make_gzip_decoder();
  std::string plain;
  std::array<char, std::size_t{32} * 1024> buffer;
  while (true) {
    SHEAF_TRY_ASSIGN(const base::DecodeStep step, decoder->decode(body, buffer));
    body.remove_prefix(step.consumed);
    if (plain.size() + step.produced > limit)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the gzip data gives more than the limit of {} bytes", limit));
    plain.append(buffer.data(), step.produced);
    if (step.produced > 0 || step.consumed > 0) continue;
    if (body.empty() && decoder->may_end()) return plain;
    return base::fail(base::Errc::invalid_data, "the gzip data ends in the middle");
  }
}

}  // namespace

base::Result<std::string> decode_content(std::string body, std::string_view content_encoding,
                                         std::uint64_t limit) {
  const std::string_view coding = trim_blanks(content_encoding);
  const bool gzip = equal_ignoring_case(coding, "gzip") || equal_ignoring_case(coding, "x-gzip");
  if (!gzip && !coding.empty() && !equal_ignoring_case(coding, "identity"))
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the body is encoded as {}, for which nobody asked", coding));
  if (gzip && base::is_gzip(body)) return gunzip(body, limit);
  if (body.size() > limit)
    return base::fail(base::Errc::invalid_data, fmt::format("longer than the limit of {} bytes", limit));
  return body;
}

}  // namespace sheaf::http
