#pragma once

#include <curl/curl.h>
#include <signal.h>

#include <string>
#include <string_view>

// Small helpers around libcurl for fetch_transfer.cpp.
namespace sheaf::http::fetch {

/// A new easy handle; initialises libcurl on first use. Null on failure.
CURL* new_curl_handle();

/// Request header lines in libcurl's form.
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

/// Blocks SIGPIPE in this thread during its lifetime. libcurl and OpenSSL may write to connections that the
/// peer has closed, and we tell libcurl not to touch the signal handlers of the process.
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

/// A response header line, split at its colon. `name` is empty if there is none.
struct HeaderLine {
  std::string name;  ///< in lower case
  std::string_view value;
};
HeaderLine parse_header_line(std::string_view line);

/// Whether a failure is temporary.
bool is_temporary_failure(CURLcode code);

}  // namespace sheaf::http::fetch
