#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::base {

/// What went wrong outside our own code. Closed on purpose: callers branch on these, people read
/// `Error::message`.
enum class Errc : std::uint8_t {
  not_found,
  permission_denied,
  is_a_directory,
  already_exists,
  no_space,
  broken_pipe,
  io,                ///< any other failed system call
  invalid_argument,  ///< the caller asked for something that makes no sense
  invalid_data,      ///< input that breaks its format
  refused,           ///< a guard held the operation back; the message says how to allow it
};

/// One sentence for a person: what was found, where, and where it helps what to do.
struct Error {
  Errc code;
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Errc code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

/// An Error for a failed system call: `what` ("cannot open x.scp") plus the system's reason for
/// `error_number`.
Error system_error(int error_number, std::string_view what);

}  // namespace sheaf::base

/// Evaluates an expression giving std::expected; returns its error from the enclosing function, if any.
#define SHEAF_TRY(expression)                                      \
  do {                                                             \
    if (auto sheaf_try_result = (expression); !sheaf_try_result)   \
      return std::unexpected(std::move(sheaf_try_result).error()); \
  } while (false)

#define SHEAF_TRY_CONCAT_(a, b) a##b
#define SHEAF_TRY_CONCAT(a, b) SHEAF_TRY_CONCAT_(a, b)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses
/// SHEAF_TRY_ASSIGN(auto file, open(path)): declares `file` from the value, or returns the error.
#define SHEAF_TRY_ASSIGN(declaration, expression)                                      \
  auto SHEAF_TRY_CONCAT(sheaf_try_, __LINE__) = (expression);                          \
  if (!SHEAF_TRY_CONCAT(sheaf_try_, __LINE__))                                         \
    return std::unexpected(std::move(SHEAF_TRY_CONCAT(sheaf_try_, __LINE__)).error()); \
  declaration = std::move(*SHEAF_TRY_CONCAT(sheaf_try_, __LINE__))
// NOLINTEND(bugprone-macro-parentheses)
