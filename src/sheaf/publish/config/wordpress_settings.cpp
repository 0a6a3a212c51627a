#include "sheaf/publish/config/wordpress_settings.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sheaf::publish {
namespace {

constexpr std::size_t kMaxProgramBytes = std::size_t{1} << 20U;

/// Splits a PHP program into the tokens that matter here: literals and everything else, without comments.
class PhpScanner {
 public:
  explicit PhpScanner(std::string_view text) : rest_(text) {}

  /// Moves to the next token; returns false at the end.
  bool next() {
    skip_blank();
    literal_.reset();
    token_ = {};
    if (rest_.empty()) return false;
    const char first = rest_.front();
    if (first == '\'' || first == '"') {
      read_literal(first);
      return true;
    }
    std::size_t size = first == '$' ? 1 : 0;
    while (size < rest_.size() && is_name(rest_[size])) ++size;
    take(std::max<std::size_t>(size, 1));
    return true;
  }

  [[nodiscard]] std::string_view token() const { return token_; }
  [[nodiscard]] const std::optional<std::string>& literal() const { return literal_; }
  [[nodiscard]] bool is(std::string_view token) const { return !literal_ && token_ == token; }

 private:
  static bool is_name(char c) { return base::is_alphanumeric(c) || c == '_'; }

  void take(std::size_t size) {
    token_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  void skip_past(std::string_view mark) {
    const std::size_t at = rest_.find(mark);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + mark.size());
  }

  void skip_blank() {
    while (!rest_.empty()) {
      if (base::is_xml_space(rest_.front())) {
        rest_.remove_prefix(1);
      } else if (rest_.starts_with("//") || rest_.starts_with('#')) {
        skip_past("\n");
      } else if (rest_.starts_with("/*")) {
        skip_past("*/");
      } else {
        return;
      }
    }
  }

  /// Reads a literal. Resolves only the escapes of quotes, backslashes and dollar signs: passwords and names
  /// have no others.
  void read_literal(char quote) {
    std::string value;
    std::size_t i = 1;
    for (; i < rest_.size() && rest_[i] != quote; ++i) {
      const bool escape =
          rest_[i] == '\\' && i + 1 < rest_.size() &&
          (rest_[i + 1] == quote || rest_[i + 1] == '\\' || (quote == '"' && rest_[i + 1] == '$'));
      if (escape) ++i;
      value += rest_[i];
    }
    const bool is_whole = i < rest_.size();
    take(std::min(i + 1, rest_.size()));
    literal_ = is_whole ? std::optional(std::move(value)) : std::nullopt;
  }

  std::string_view rest_;
  std::string_view token_;
  std::optional<std::string> literal_;
};

/// Parses localhost, host:3307, localhost:/run/mysqld.sock and [::1]:3307, like WordPress reads DB_HOST.
void read_db_host(const std::string& text, MariadbAddress& address) {
  if (const std::size_t slash = text.find(":/"); slash != std::string::npos) {
    address.host = text.substr(0, slash);
    address.socket = text.substr(slash + 1);
    return;
  }
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string::npos && text.find(':') == colon;
  const std::size_t bracket = text.find("]:");
  const std::size_t port = bracket != std::string::npos ? bracket + 2
                           : has_port                   ? colon + 1
                                                        : std::string::npos;
  address.host = text.substr(0, bracket != std::string::npos ? bracket
                                : has_port                   ? colon
                                                             : std::string::npos);
  if (address.host.starts_with('[')) address.host.erase(0, 1);
  if (address.host.ends_with(']')) address.host.pop_back();
  if (port != std::string::npos) std::from_chars(text.data() + port, text.data() + text.size(), address.port);
}

}  // namespace

std::optional<std::string> find_php_constant(std::string_view text, std::string_view name) {
  PhpScanner scanner(text);
  while (scanner.next()) {
    if (!scanner.is("define") || !scanner.next() || !scanner.is("(") || !scanner.next()) continue;
    if (scanner.literal() != name || !scanner.next() || !scanner.is(",") || !scanner.next()) continue;
    if (auto value = scanner.literal()) return value;
  }
  return std::nullopt;
}

std::optional<std::string> find_php_variable(std::string_view text, std::string_view name) {
  PhpScanner scanner(text);
  while (scanner.next()) {
    if (scanner.literal() || !scanner.token().starts_with('$') || scanner.token().substr(1) != name) continue;
    if (scanner.next() && scanner.is("=") && scanner.next() && scanner.literal()) return scanner.literal();
  }
  return std::nullopt;
}

base::Result<WordPressSettings> parse_wordpress_settings(std::string_view text, const std::string& name) {
  WordPressSettings settings;
  const auto required = [&](std::string_view constant) -> base::Result<std::string> {
    if (auto value = find_php_constant(text, constant)) return *value;
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{} does not define {} as a text; name the file that does, as `config` or "
                                  "after --init (of Debian's package: "
                                  "/etc/wordpress/config-HOST.php), or use a sql source",
                                  name, constant));
  };
  SHEAF_TRY_ASSIGN(settings.address.database, required("DB_NAME"));
  SHEAF_TRY_ASSIGN(settings.address.user, required("DB_USER"));
  SHEAF_TRY_ASSIGN(settings.password, required("DB_PASSWORD"));
  SHEAF_TRY_ASSIGN(const std::string host, required("DB_HOST"));
  read_db_host(host, settings.address);
  const bool is_near = !settings.address.socket.empty() || is_this_machine(settings.address.host);
  settings.address.tls = is_near ? MariadbTls::off : MariadbTls::verified;
  settings.prefix = find_php_variable(text, "table_prefix").value_or("wp_");
  settings.home = find_php_constant(text, "WP_HOME").value_or("");
  const auto is_harmless = [](char c) { return base::is_alphanumeric(c) || c == '_'; };
  if (settings.prefix.size() > 64 || !std::ranges::all_of(settings.prefix, is_harmless))
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{}: $table_prefix may have letters, digits and _ only", name));
  return settings;
}

base::Result<WordPressSettings> read_wordpress_settings(const std::filesystem::path& file) {
  SHEAF_TRY_ASSIGN(const std::string text, base::read_whole_file(file.string(), kMaxProgramBytes));
  return parse_wordpress_settings(text, file.string());
}

}  // namespace sheaf::publish
