// sheaf/error.h - how calls of the library fail
//
// A function that can fail for a reason outside the program (a file, the network, malformed input) returns
// Result<T>: a value, or an Error with a code for the program and a message for people. The library does not
// print, exit or throw; the only exceptions are those of the standard library, such as std::bad_alloc.
//
//     #include <sheaf/error.h>
//
//     #include <cstdio>
//
//     sheaf::Result<int> parse_port(int number) {
//       if (number < 1 || number > 65535) return sheaf::fail(sheaf::Errc::invalid_argument, "not a port");
//       return number;
//     }
//
//     sheaf::Result<int> next_port(int number) {
//       SHEAF_TRY_ASSIGN(const int port, parse_port(number));  // returns the error, if there is one
//       return parse_port(port + 1);
//     }
//
//     int main() {
//       const auto port = next_port(65535);
//       if (!port) std::printf("%s\n", port.error().message.c_str());
//       return port ? 1 : 0;
//     }
//
// Threads: errors are plain values.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace sheaf {

/// The kind of a failure. The list is closed: a program may handle every value.
enum class Errc : std::uint8_t {
  not_found,
  permission_denied,
  is_a_directory,
  already_exists,
  no_space,
  broken_pipe,
  in_use,            ///< in use by another process or thread; try again later
  io,                ///< any other failed system call, and any failure of the network
  invalid_argument,  ///< the arguments are not valid
  invalid_data,      ///< the input is malformed
  refused,           ///< a safety check stopped the operation; the message says how to allow it
};

/// One failure.
struct Error {
  Errc code;
  std::string message;  ///< one sentence: what was found and where; if it helps, also what to do
};

/// A value, or the Error that prevented it.
template <class T>
using Result = std::expected<T, Error>;

/// Makes an error to return from a function that returns a Result: `return fail(...)`.
inline std::unexpected<Error> fail(Errc code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

}  // namespace sheaf

/// Evaluates an expression of type Result. If it is an error, returns the error from the enclosing function.
#define SHEAF_TRY(expression)                                      \
  do {                                                             \
    if (auto sheaf_try_result = (expression); !sheaf_try_result)   \
      return std::unexpected(std::move(sheaf_try_result).error()); \
  } while (false)

#define SHEAF_TRY_CONCAT_(a, b) a##b
#define SHEAF_TRY_CONCAT(a, b) SHEAF_TRY_CONCAT_(a, b)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses
/// SHEAF_TRY_ASSIGN(auto file, open(path)): initialises `file` with the value, or returns the error from the
/// enclosing function.
#define SHEAF_TRY_ASSIGN(declaration, expression)                                      \
  auto SHEAF_TRY_CONCAT(sheaf_try_, __LINE__) = (expression);                          \
  if (!SHEAF_TRY_CONCAT(sheaf_try_, __LINE__))                                         \
    return std::unexpected(std::move(SHEAF_TRY_CONCAT(sheaf_try_, __LINE__)).error()); \
  declaration = std::move(*SHEAF_TRY_CONCAT(sheaf_try_, __LINE__))
// NOLINTEND(bugprone-macro-parentheses)
