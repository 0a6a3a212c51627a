#pragma once

#include "sheaf/base/error.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::base {

/// Placeholders in braces and their values: {"{file}", "/srv/a.scp"}.
using Placeholders = std::vector<std::pair<std::string_view, std::string>>;

/// Replaces all placeholders in one pass, so that braces inside a value are not expanded.
std::string fill_placeholders(std::string_view word, const Placeholders& values);

/// Runs a program with its arguments, without a shell and with empty standard input, and waits until it
/// exits. Fails with Errc::io if its exit status is not 0. The message has the name of the program, the
/// subject and the end of the output, but not the arguments, because they may include a password.
Result<void> run_command(const std::vector<std::string>& words, const std::string& subject);

/// The same, but returns the standard output. Standard error is inherited. A command that runs longer than
/// `longest` or prints more than `most_bytes` is killed, and the call fails.
Result<std::string> read_command(const std::vector<std::string>& words, const std::string& subject,
                                 std::chrono::seconds longest, std::size_t most_bytes);

}  // namespace sheaf::base
