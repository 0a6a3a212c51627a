#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Parses lines of access logs: the combined format of Apache, nginx and sheaf, and the JSON of sheaf, Caddy
// and nginx (with the names of its variables).
namespace sheaf::traffic {

/// One request. The views are valid until the parser reads the next line.
struct LogEntry {
  std::string_view client = {};
  std::int64_t time = 0;  ///< seconds since 1970
  std::string_view method = {};
  std::string_view target = {};  ///< path and query
  unsigned status = 0;
  std::uint64_t bytes = 0;  ///< size of the body
  std::string_view user_agent = {};
  std::string_view identity = {};  ///< the client's verified identity, in logs of sheaf
};

class LogLineParser {
 public:
  LogLineParser();
  ~LogLineParser();
  LogLineParser(LogLineParser&&) noexcept;
  LogLineParser& operator=(LogLineParser&&) noexcept;

  /// Returns nullopt for a line that is not a request: another format, a truncated line, a message.
  std::optional<LogEntry> parse(std::string_view line);

 private:
  std::optional<LogEntry> parse_combined(std::string_view line);
  std::optional<LogEntry> parse_json(std::string_view line);

  struct Json;
  std::unique_ptr<Json> json_;
  std::string request_;  ///< unescaped fields that the views in LogEntry refer to
  std::string agent_;
};

}  // namespace sheaf::traffic
