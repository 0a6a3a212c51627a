#include "sheaf/http/http_date.h"
#include "sheaf/http/mhd_internal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace sheaf::http {
namespace {

/// So much is read at a time where the kernel cannot send the file itself. GnuTLS makes records of 16 KiB.
constexpr std::size_t kBlock = 128U << 10U;

void add_headers(MHD_Response* response, std::span<const Header> headers) {
  for (const Header& header : headers)
    MHD_add_response_header(response, header.name.c_str(), header.value.c_str());
}

bool is_cache_field(const Header& header) {
  return header.name == "ETag" || header.name == "Last-Modified" || header.name == "Cache-Control";
}

bool describes_content(const Header& header) {
  return header.name == "Content-Type" || header.name == "Content-Encoding";
}

/// A body made of texts and stretches of a file, read piece by piece at any offset.
class PiecedBody {
 public:
  explicit PiecedBody(int descriptor) : file_(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {}

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  void add_text(std::string text) {
    const std::uint64_t length = text.size();
    pieces_.push_back({.begin = size_, .length = length, .text = std::move(text), .file_offset = 0});
    size_ += length;
  }
  void add_file(const ByteRange& range) {
    pieces_.push_back({.begin = size_, .length = range.length, .text = {}, .file_offset = range.first});
    size_ += range.length;
  }

  /// For MHD_create_response_from_callback.
  static ssize_t read(void* body, std::uint64_t offset, char* out, std::size_t room) {
    return static_cast<const PiecedBody*>(body)->read_at(offset, {out, room});
  }
  static void free(void* body) { delete static_cast<PiecedBody*>(body); }

 private:
  struct Piece {
    std::uint64_t begin;
    std::uint64_t length;
    std::string text;  ///< empty: the piece lies in the file
    std::uint64_t file_offset;
  };

  [[nodiscard]] ssize_t read_at(std::uint64_t offset, std::span<char> out) const {
    const auto after =
        std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                         [](std::uint64_t at, const Piece& piece) { return at < piece.begin; });
    if (after == pieces_.begin()) return MHD_CONTENT_READER_END_WITH_ERROR;
    const Piece& piece = *(after - 1);
    const std::uint64_t within = offset - piece.begin;
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), piece.length - within));
    if (!piece.text.empty()) {
      std::memcpy(out.data(), piece.text.data() + within, count);
      return static_cast<ssize_t>(count);
    }
    const ssize_t got = pread(file_.get(), out.data(), count, static_cast<off_t>(piece.file_offset + within));
    // A file that has become shorter cannot be made whole: the client must see that the answer broke off.
    return got > 0 ? got : MHD_CONTENT_READER_END_WITH_ERROR;
  }

  base::FileDescriptor file_;
  std::vector<Piece> pieces_;
  std::uint64_t size_ = 0;
};

Response response_from(std::unique_ptr<PiecedBody> body) {
  if (!body->is_open()) return nullptr;
  Response response(MHD_create_response_from_callback(body->size(), kBlock, &PiecedBody::read, body.get(),
                                                      &PiecedBody::free));
  if (response) [[maybe_unused]]
    PiecedBody* const owned = body.release();
  return response;
}

/// A 304 has no body but the Content-Length of the 200 it stands for (RFC 9110 8.6): libmicrohttpd writes one
/// in any case, so it must be told of a body that is never read.
ssize_t no_body(void* /*unused*/, std::uint64_t /*offset*/, char* /*out*/, std::size_t /*room*/) {
  return MHD_CONTENT_READER_END_WITH_ERROR;
}

/// Nobody can foresee it, so no file holds it.
std::string random_boundary() {
  thread_local std::mt19937_64 generator{std::random_device{}()};
  return fmt::format("sheaf-{:016x}{:016x}", generator(), generator());
}

std::string content_range(const ByteRange& range, std::uint64_t size) {
  return fmt::format("bytes {}-{}/{}", range.first, range.first + range.length - 1, size);
}

Response make_multipart(const Resource& resource, const std::vector<ByteRange>& ranges,
                        std::uint64_t& body_size) {
  const std::string boundary = random_boundary();
  auto body = std::make_unique<PiecedBody>(resource.descriptor());
  // The parts are pieces of the encoded file; the multipart body around them is not encoded. So what
  // describes the content stands in each part and not in the head of the answer.
  std::string described;
  for (const Header& header : resource.headers())
    if (describes_content(header)) described += fmt::format("{}: {}\r\n", header.name, header.value);
  for (const ByteRange& range : ranges) {
    body->add_text(fmt::format("{}--{}\r\n{}Content-Range: {}\r\n\r\n", body->size() == 0 ? "" : "\r\n",
                               boundary, described, content_range(range, resource.representation().size)));
    body->add_file(range);
  }
  body->add_text(fmt::format("\r\n--{}--\r\n", boundary));
  body_size = body->size();
  Response response = response_from(std::move(body));
  if (!response) return response;
  const std::string type = "multipart/byteranges; boundary=" + boundary;
  MHD_add_response_header(response.get(), "Content-Type", type.c_str());
  for (const Header& header : resource.headers())
    if (!describes_content(header)) add_headers(response.get(), {&header, 1});
  return response;
}

Response make_stretch(const Resource& resource, const ByteRange& range, bool encrypted) {
  if (encrypted) {
    auto body = std::make_unique<PiecedBody>(resource.descriptor());
    body->add_file(range);
    return response_from(std::move(body));
  }
  const int duplicate = fcntl(resource.descriptor(), F_DUPFD_CLOEXEC, 3);
  if (duplicate < 0) return nullptr;
  Response response(MHD_create_response_from_fd_at_offset64(range.length, duplicate, range.first));
  if (!response) close(duplicate);
  return response;
}

std::vector<Header> with_validators(std::vector<Header> headers, const Representation& representation) {
  if (!representation.entity_tag.empty()) headers.push_back({"ETag", representation.entity_tag});
  if (representation.last_modified)
    headers.push_back({"Last-Modified", format_http_date(*representation.last_modified)});
  headers.push_back({"Accept-Ranges", "bytes"});
  return headers;
}

}  // namespace

Resource::Resource(base::FileDescriptor file, Representation representation, std::vector<Header> headers)
    : file_(std::move(file)),
      representation_(std::move(representation)),
      headers_(with_validators(std::move(headers), representation_)),
      prepared_(std::make_unique<Prepared>(*this)) {}

Resource::~Resource() = default;

Resource::Prepared::Prepared(const Resource& resource)
    : full(make_stretch(resource, {0, resource.representation().size}, false)),
      not_modified(MHD_create_response_from_callback(resource.representation().size, 1'024, &no_body, nullptr,
                                                     nullptr)) {
  if (full) add_headers(full.get(), resource.headers());
  for (const Header& header : resource.headers())
    if (is_cache_field(header)) add_headers(not_modified.get(), {&header, 1});
}

Response make_full_response(const Resource& resource) {
  Response response = make_stretch(resource, {0, resource.representation().size}, true);
  if (response) add_headers(response.get(), resource.headers());
  return response;
}

Response make_partial_response(const Resource& resource, const std::vector<ByteRange>& ranges, bool encrypted,
                               std::uint64_t& body_size) {
  if (ranges.size() > 1) return make_multipart(resource, ranges, body_size);
  body_size = ranges.front().length;
  Response response = make_stretch(resource, ranges.front(), encrypted);
  if (!response) return response;
  add_headers(response.get(), resource.headers());
  const std::string place = content_range(ranges.front(), resource.representation().size);
  MHD_add_response_header(response.get(), "Content-Range", place.c_str());
  return response;
}

std::string text_of(const Answer& answer) {
  if (answer.status == 204) return {};
  if (answer.status < 300) return answer.text;
  return fmt::format("{} {}{}{}\n", answer.status, reason_phrase(answer.status),
                     answer.text.empty() ? "" : ": ", answer.text);
}

Response make_text_response(const Answer& answer, const std::string& text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it is copied
  Response response(
      MHD_create_response_from_buffer(text.size(), const_cast<char*>(text.data()), MHD_RESPMEM_MUST_COPY));
  if (!response) return response;
  if (answer.status != 204)
    MHD_add_response_header(response.get(), "Content-Type", answer.content_type.c_str());
  add_headers(response.get(), answer.headers);
  return response;
}

}  // namespace sheaf::http
