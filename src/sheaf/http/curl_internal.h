#pragma once

#include <curl/curl.h>
#include <signal.h>

#include <string>
#include <string_view>

// What the two users of libcurl, the client of our own requests and the fetcher, have in common.
namespace sheaf::http {

/// An easy handle, libcurl started before the first one; null when it could not be made.
CURL* new_curl_handle();

/// The lines of a request's head, for libcurl.
class HeaderList {
 public:
  HeaderList() = default;
  ~HeaderList() { curl_slist_free_all(list_); }
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  void add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  [[nodiscard]] curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

/// Keeps SIGPIPE from the thread for as long as it lives: libcurl and OpenSSL write to connections that the
/// other side has closed, and we tell libcurl to leave the signals of the process alone.
class SigpipeBlock {
 public:
  SigpipeBlock();
  ~SigpipeBlock();
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

/// One line of an answer's head, cut; `name` is empty when there is no colon in it.
struct HeaderLine {
  std::string name;  ///< in lower case
  std::string_view value;
};
HeaderLine parse_header_line(std::string_view line);

/// Those failures that time may heal.
bool may_pass(CURLcode code);

}  // namespace sheaf::http
