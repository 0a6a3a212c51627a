#include "sheaf/http/fetch/curl_internal.h"

#include "sheaf/base/ascii.h"

#include <mutex>

namespace sheaf::http::fetch {

CURL* new_curl_handle() {
  static std::once_flag started;
  std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  return curl_easy_init();
}

SigpipeBlock::SigpipeBlock() {
  sigset_t pending{};
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  sigset_t pipe{};
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

SigpipeBlock::~SigpipeBlock() {
  sigset_t pipe{};
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  // Discard a SIGPIPE that was raised meanwhile. One that was pending before is not ours.
  const timespec at_once{};
  if (!was_pending_)
    while (sigtimedwait(&pipe, nullptr, &at_once) == SIGPIPE) {
    }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

HeaderLine parse_header_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {base::lower_text(base::trim_xml_space(line.substr(0, colon))),
          base::trim_xml_space(line.substr(colon + 1))};
}

bool is_temporary_failure(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_PARTIAL_FILE:
    case CURLE_UPLOAD_FAILED:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_AGAIN:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
  }
}

}  // namespace sheaf::http::fetch
