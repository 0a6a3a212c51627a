// The input is a wp-config.php and, after a NUL, a post: literals are found, and paragraphs lose no text.
#include "fuzz_support.h"
#include "sheaf/publish/config/mariadb_address.h"
#include "sheaf/publish/config/wordpress_settings.h"
#include "sheaf/publish/sources/wordpress_content.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string_view text = fuzz::as_text(data, size);
  const std::size_t end = std::min(text.find('\0'), text.size());
  const auto settings = publish::parse_wordpress_settings(text.substr(0, end), "wp-config.php");
  if (settings) {
    require(settings->prefix.size() <= 64 && settings->prefix.find_first_of("`'\";) ") == std::string::npos);
    require(settings->password.size() <= end);
  } else {
    require(settings.error().message.starts_with("wp-config.php"));
  }
  if (const auto address = publish::parse_mariadb_url(text.substr(0, end)))
    require(!address->database.empty());
  const std::string_view post = text.substr(std::min(end + 1, text.size()));
  require(publish::html_of_wordpress(post).size() <= 100 + post.size() * 20);
  return 0;
}
