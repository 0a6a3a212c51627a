#include "sheaf/cli/options/key_options.h"

#include "sheaf/base/file.h"
#include "sheaf/cli/output/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

namespace sheaf::cli {
namespace {

using base::Errc;

constexpr std::size_t kPassphraseBytes = 1024;

/// Hides what is typed on the terminal during the life of this object.
class HiddenInput {
 public:
  explicit HiddenInput(int terminal) : terminal_(terminal) {
    if (tcgetattr(terminal_, &before_) != 0) return;
    termios hidden = before_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    is_hidden_ = tcsetattr(terminal_, TCSAFLUSH, &hidden) == 0;
  }
  ~HiddenInput() {
    if (is_hidden_) tcsetattr(terminal_, TCSAFLUSH, &before_);
  }
  HiddenInput(const HiddenInput&) = delete;
  HiddenInput& operator=(const HiddenInput&) = delete;

 private:
  int terminal_;
  termios before_{};
  bool is_hidden_ = false;
};

std::optional<std::string> passphrase_in_environment() {
  const char* value = std::getenv(kPassphraseVariable);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

base::Result<std::string> ask_passphrase(std::string_view question) {
  const base::FileDescriptor terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC));
  if (!terminal.is_open())
    return base::fail(Errc::invalid_argument,
                      fmt::format("the key has a passphrase, and there is no terminal to ask for it; set {}",
                                  kPassphraseVariable));
  SHEAF_TRY(base::write_all(terminal.get(), question, "the terminal"));
  std::string line;
  {
    const HiddenInput hidden(terminal.get());
    char c = 0;
    while (line.size() < kPassphraseBytes && ::read(terminal.get(), &c, 1) == 1 && c != '\n') line += c;
  }
  SHEAF_TRY(base::write_all(terminal.get(), "\n", "the terminal"));
  return line;
}

}  // namespace

base::Result<trust::PublicKey> read_public_key_option(const std::string& text) {
  auto key = trust::parse_public_key(text);
  if (key) return key;
  std::error_code error;
  if (std::filesystem::exists(text, error)) return trust::load_public_key(text);
  return base::fail(
      Errc::invalid_argument,
      fmt::format("{} is neither a public key of minisign (56 characters that begin with RW) nor a "
                  "file with one",
                  text));
}

trust::PassphraseSource passphrase_source() {
  return [](const std::filesystem::path& file) -> base::Result<std::string> {
    if (auto given = passphrase_in_environment()) return std::move(*given);
    return ask_passphrase(fmt::format("Passphrase of {}: ", printable(file.string(), Lines::join)));
  };
}

base::Result<std::string> read_new_passphrase() {
  std::string passphrase;
  if (auto given = passphrase_in_environment()) {
    passphrase = std::move(*given);
  } else {
    SHEAF_TRY_ASSIGN(passphrase, ask_passphrase("Passphrase of the new key: "));
    SHEAF_TRY_ASSIGN(const std::string again, ask_passphrase("Passphrase again: "));
    if (passphrase != again) return base::fail(Errc::invalid_argument, "the two passphrases differ");
  }
  if (passphrase.empty())
    return base::fail(Errc::invalid_argument,
                      "the passphrase is empty; for a key without one, use --no-passphrase");
  return passphrase;
}

}  // namespace sheaf::cli
