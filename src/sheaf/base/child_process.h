#pragma once

#include "sheaf/base/error.h"

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

}  // namespace sheaf::base
