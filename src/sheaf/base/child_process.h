#pragma once

#include "sheaf/base/error.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::base {

/// Names in braces and what takes their place: {"{file}", "/srv/a.scp"}.
using Placeholders = std::vector<std::pair<std::string_view, std::string>>;

/// Replaces all placeholders in one pass, so that braces inside a value are not expanded.
std::string fill_placeholders(std::string_view word, const Placeholders& values);

/// Runs a program with these arguments, without a shell, with nothing as its input, and waits for its end. An
/// error (io) if its exit status is not 0. The message names the program, the subject and the last of what
/// was printed, but not the arguments, which may include a password.
Result<void> run_command(const std::vector<std::string>& words, const std::string& subject);

/// The same, and returns what it printed on standard output. Its standard error is ours. A command that takes
/// longer, or prints more, is killed; that is an error too.
Result<std::string> read_command(const std::vector<std::string>& words, const std::string& subject,
                                 std::chrono::seconds longest, std::size_t most_bytes);

}  // namespace sheaf::base
