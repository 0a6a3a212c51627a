#include "sheaf/trust/key_files.h"

#include "sheaf/base/file.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/base/secret_file.h"

#include <fmt/format.h>

#include <system_error>

namespace sheaf::trust {
namespace {

namespace fs = std::filesystem;
using base::Errc;

constexpr std::uint64_t kKeyFileBytes = 4096;

std::unexpected<base::Error> in_file(const fs::path& file, const base::Error& error) {
  return base::fail(error.code, fmt::format("{}: {}", file.string(), error.message));
}

}  // namespace

fs::path public_key_path(const fs::path& key) { return key.string() + ".pub"; }

fs::path history_path(const fs::path& key) {
  std::string name = key.string();
  if (name.ends_with(".pub")) name.resize(name.size() - 4);
  return name + ".history";
}

base::Result<SecretKey> load_secret_key(const fs::path& file, const PassphraseSource& passphrase) {
  SHEAF_TRY(base::check_secret_file(file));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_whole_file(file.string(), kKeyFileBytes));
  const auto is_protected = needs_passphrase(text);
  if (!is_protected) return in_file(file, is_protected.error());
  std::string phrase;
  if (*is_protected) {
    SHEAF_TRY_ASSIGN(phrase, passphrase(file));
  }
  auto key = parse_secret_key(text, phrase);
  if (!key) return in_file(file, key.error());
  return key;
}

base::Result<PublicKey> load_public_key(const fs::path& file) {
  SHEAF_TRY_ASSIGN(const std::string text, base::read_whole_file(file.string(), kKeyFileBytes));
  auto key = parse_public_key(text);
  if (!key) return in_file(file, key.error());
  return key;
}

base::Result<std::vector<KeyStatement>> load_history(const fs::path& key) {
  const fs::path file = history_path(key);
  const auto text = base::read_whole_file(file.string(), kKeyListBytes);
  // Any other error is reported: the history may revoke the key.
  if (!text && text.error().code == Errc::not_found) return std::vector<KeyStatement>{};
  if (!text) return std::unexpected(text.error());
  auto history = parse_history(*text);
  if (!history) return in_file(file, history.error());
  return history;
}

base::Result<void> create_key_files(const fs::path& file, const SecretKey& key, std::string_view passphrase) {
  const fs::path public_file = public_key_path(file);
  std::error_code error;
  if (fs::exists(public_file, error))
    return base::fail(
        Errc::already_exists,
        fmt::format("{} exists; a key is never replaced, name another file", public_file.string()));
  SHEAF_TRY_ASSIGN(const std::string secret, secret_key_file(key, passphrase));
  SHEAF_TRY(base::write_secret_file(file, secret));
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(public_file));
  SHEAF_TRY(out.write(public_key_file(key.public_key())));
  return out.commit();
}

base::Result<void> save_history(const fs::path& key, const std::vector<KeyStatement>& history) {
  std::string text;
  for (const KeyStatement& statement : history) text += to_string(statement) + "\n";
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(history_path(key)));
  SHEAF_TRY(out.write(text));
  return out.commit();
}

}  // namespace sheaf::trust
