#pragma once

#include <curl/curl.h>

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

/// One line of an answer's head, cut; `name` is empty when there is no colon in it.
struct HeaderLine {
  std::string name;  ///< in lower case
  std::string_view value;
};
HeaderLine parse_header_line(std::string_view line);

/// Those failures that time may heal.
bool may_pass(CURLcode code);

}  // namespace sheaf::http
