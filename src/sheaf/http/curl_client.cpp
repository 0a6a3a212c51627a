#include "sheaf/http/client.h"
#include "sheaf/http/curl_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sheaf::http {
namespace {

constexpr std::size_t kAnswerHeaders = 1000;

/// What is going on in one transfer, for libcurl's callbacks.
struct Transfer {
  const ClientRequest& request;
  ClientAnswer answer;
  std::uint64_t sent = 0;
  std::optional<base::Error> failure;  ///< ours, not the network's
};

std::size_t on_read(char* out, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const RequestBody& body = *transfer.request.body;
  const std::uint64_t left = body.size() - transfer.sent;
  const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size * count, left));
  if (wanted == 0) return 0;
  auto read = body.read_at(transfer.sent, {out, wanted});
  if (read && *read == 0)
    read = base::fail(base::Errc::invalid_data, "a file became shorter while it was sent");
  if (!read) {
    transfer.failure = read.error();
    return CURL_READFUNC_ABORT;
  }
  transfer.sent += *read;
  return *read;
}

int on_seek(void* context, curl_off_t offset, int origin) {
  auto& transfer = *static_cast<Transfer*>(context);
  if (origin != SEEK_SET || offset < 0 || static_cast<std::uint64_t>(offset) > transfer.request.body->size())
    return CURL_SEEKFUNC_CANTSEEK;
  transfer.sent = static_cast<std::uint64_t>(offset);
  return CURL_SEEKFUNC_OK;
}

std::size_t on_write(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  if (transfer.answer.body.size() + size * count > transfer.request.answer_limit) {
    transfer.failure = base::Error{
        base::Errc::invalid_data,
        fmt::format("{} is longer than {} bytes", transfer.request.url, transfer.request.answer_limit)};
    return 0;
  }
  transfer.answer.body.append(bytes, size * count);
  return size * count;
}

std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const std::string_view line(bytes, size * count);
  if (line.starts_with("HTTP/")) {  // after a 100 Continue the headers of the answer proper follow
    transfer.answer.headers.clear();
    return line.size();
  }
  HeaderLine header = parse_header_line(line);
  if (!header.name.empty() && transfer.answer.headers.size() < kAnswerHeaders)
    transfer.answer.headers.emplace_back(std::move(header.name), header.value);
  return line.size();
}

/// "https://s3.example": a message needs no more of an address, and queries may hold what is nobody's
/// business.
std::string origin_of(std::string_view url) {
  const std::size_t host = url.find("://");
  if (host == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, url.find_first_of("/?#", host + 3)));
}

class CurlClient final : public Client {
 public:
  explicit CurlClient(const ClientOptions& options) : options_(options), curl_(new_curl_handle()) {}
  ~CurlClient() override {
    const SigpipeBlock block;
    curl_easy_cleanup(curl_);
  }
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  base::Result<ClientAnswer> send(const ClientRequest& request) override {
    if (curl_ == nullptr) return base::fail(base::Errc::invalid_argument, "libcurl could not be started");
    Transfer transfer{request, {}, 0, std::nullopt};
    HeaderList headers;
    for (const auto& [name, value] : request.headers) headers.add(fmt::format("{}: {}", name, value));
    headers.add("Expect:");  // costs a second where a server does not know it
    curl_easy_reset(curl_);
    set_request(request, headers);
    set_callbacks(transfer);
    const SigpipeBlock block;
    const CURLcode code = curl_easy_perform(curl_);
    if (transfer.failure) return std::unexpected(*transfer.failure);
    if (code != CURLE_OK)
      return base::fail(may_pass(code) ? base::Errc::io : base::Errc::invalid_argument,
                        fmt::format("{}: {}", origin_of(request.url),
                                    *message_ != '\0' ? message_ : curl_easy_strerror(code)));
    long status = 0;
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
    transfer.answer.status = static_cast<int>(status);
    return std::move(transfer.answer);
  }

 private:
  void set_request(const ClientRequest& request, const HeaderList& headers) {
    curl_easy_setopt(curl_, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl_, CURLOPT_USERAGENT, options_.user_agent.c_str());
    curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT, static_cast<long>(options_.connect_timeout.count()));
    curl_easy_setopt(curl_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl_, CURLOPT_LOW_SPEED_TIME, static_cast<long>(options_.stall_timeout.count()));
    curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers.get());
    if (request.body != nullptr) {
      curl_easy_setopt(curl_, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt(curl_, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
    } else if (request.method == "HEAD") {
      curl_easy_setopt(curl_, CURLOPT_NOBODY, 1L);
    }
    if (request.method != "HEAD") curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (request.signer == nullptr) return;
    const RequestSigner& signer = *request.signer;
    curl_easy_setopt(curl_, CURLOPT_AWS_SIGV4,
                     fmt::format("aws:amz:{}:{}", signer.region, signer.service).c_str());
    curl_easy_setopt(curl_, CURLOPT_USERNAME, signer.access_key.c_str());
    curl_easy_setopt(curl_, CURLOPT_PASSWORD, signer.secret_key.c_str());
  }

  void set_callbacks(Transfer& transfer) {
    curl_easy_setopt(curl_, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(curl_, CURLOPT_READDATA, &transfer);
    curl_easy_setopt(curl_, CURLOPT_SEEKFUNCTION, on_seek);
    curl_easy_setopt(curl_, CURLOPT_SEEKDATA, &transfer);
    curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, on_write);
    curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl_, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl_, CURLOPT_HEADERDATA, &transfer);
    message_[0] = '\0';
    curl_easy_setopt(curl_, CURLOPT_ERRORBUFFER, message_);
  }

  ClientOptions options_;
  CURL* curl_;
  char message_[CURL_ERROR_SIZE] = {};
};

}  // namespace

base::Result<std::size_t> TextBody::read_at(std::uint64_t offset, std::span<char> out) const {
  const std::string_view rest = bytes_.substr(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(rest.size(), out.size());
  std::memcpy(out.data(), rest.data(), count);
  return count;
}

std::string_view ClientAnswer::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& each) { return each.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::unique_ptr<Client> curl_client(const ClientOptions& options) {
  return std::make_unique<CurlClient>(options);
}

}  // namespace sheaf::http
