#pragma once

#include "sheaf/pull/pull.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The protocol between a process that wants a pull and the process that has the store open. The two may be
// different versions of sheaf, so every length and count is checked.
namespace sheaf::pull {

inline constexpr std::size_t kRequestBytes = std::size_t{64} << 10;  ///< maximum size of a request
inline constexpr std::size_t kReplyBytes = std::size_t{64} << 20;    ///< maximum size of a reply

/// Asks for one pull of one site.
struct ControlRequest {
  std::string site;
  std::vector<std::string> sections = {};  ///< empty: the setting of the running process
  std::string html = {};                   ///< --html; empty: the setting of the running process
  bool allow_shrink = false;
  bool json = false;  ///< return the report as JSON
  /// Names and values of the other options given; the running process must have been given the same.
  std::vector<std::pair<std::string, std::vector<std::string>>> same = {};

  friend bool operator==(const ControlRequest&, const ControlRequest&) = default;
};

/// Progress of the pull.
struct ControlProgress {
  std::string what;
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::uint64_t total = 0;

  friend bool operator==(const ControlProgress&, const ControlProgress&) = default;
};
/// A sentence for the user.
struct ControlNote {
  std::string text;

  friend bool operator==(const ControlNote&, const ControlNote&) = default;
};
/// The report of the pull, formatted for output. The last message.
struct ControlReport {
  bool ok = false;
  std::string text;

  friend bool operator==(const ControlReport&, const ControlReport&) = default;
};
/// The reason for not pulling. The last message.
struct ControlRefusal {
  std::string message;

  friend bool operator==(const ControlRefusal&, const ControlRefusal&) = default;
};
using ControlResponse = std::variant<ControlProgress, ControlNote, ControlReport, ControlRefusal>;

std::string encode(const ControlRequest& request);
/// On failure, the error message is meant for the client.
base::Result<ControlRequest> decode_control_request(std::string_view bytes);

std::string encode(const ControlResponse& answer);
base::Result<ControlResponse> decode_control_response(std::string_view bytes);

}  // namespace sheaf::pull
