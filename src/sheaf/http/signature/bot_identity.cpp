#include "sheaf/http/signature/bot_identity.h"

#include "sheaf/base/file.h"
#include "sheaf/base/make_folder.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/base/secret_file.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace sheaf::http::signature {
namespace {

namespace fs = std::filesystem;
using base::Errc;

constexpr std::string_view kKeyName = "key.jwk";
constexpr std::string_view kAgentName = "agent";
constexpr std::string_view kDirectoryName = "directory.json";

base::Result<std::string> read_identity_file(const fs::path& file) {
  return base::read_regular_file(file.string(), kDirectoryBytes);
}

base::Result<void> write_public(const fs::path& file, std::string_view text) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(text));
  return out.commit();
}

/// Checks that the directory has the key, or nobody could verify it, and that the key has not expired.
base::Result<void> check_directory(const std::string& text, const std::string& id, std::int64_t now,
                                   const fs::path& file) {
  const auto keys = parse_directory(text);
  if (!keys)
    return base::fail(Errc::invalid_data, fmt::format("{}: {}", file.string(), keys.error().message));
  const auto own = std::ranges::find(*keys, id, &DirectoryKey::id);
  if (own == keys->end())
    return base::fail(Errc::invalid_data,
                      fmt::format("{} does not have the key of this identity", file.string()));
  if (own->expires && *own->expires <= now)
    return base::fail(Errc::refused, fmt::format("the key of the identity in {} has expired; make a new one",
                                                 file.parent_path().string()));
  return {};
}

}  // namespace

BotIdentityFiles::BotIdentityFiles(crypto::Ed25519Signer signer, std::string agent, std::string directory)
    : signer_(std::move(signer)),
      agent_(std::move(agent)),
      key_id_(signature::key_id(signer_.public_key())),
      directory_(std::move(directory)) {}

base::Result<BotIdentityFiles> BotIdentityFiles::create(const fs::path& folder, const base::Url& agent,
                                                        std::int64_t now, unsigned valid_days) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  SHEAF_TRY(base::make_folder(folder));
  crypto::Ed25519Seed seed{};
  crypto::fill_random(seed);
  crypto::Ed25519Signer signer(seed);
  DirectoryKey key{
      .id = signature::key_id(signer.public_key()), .key = signer.public_key(), .not_before = now};
  if (valid_days > 0) key.expires = now + valid_days * kSecondsOfDay;
  SHEAF_TRY(base::write_secret_file(folder / kKeyName, private_key_text(seed)));
  crypto::wipe(seed);
  const std::string directory = directory_text({key});
  SHEAF_TRY(write_public(folder / kDirectoryName, directory));
  SHEAF_TRY(write_public(folder / kAgentName, agent.origin() + "\n"));
  return BotIdentityFiles(std::move(signer), agent.origin(), directory);
}

base::Result<BotIdentityFiles> BotIdentityFiles::load(const fs::path& folder, std::int64_t now) {
  const fs::path key_file = folder / kKeyName;
  SHEAF_TRY(base::check_secret_file(key_file));
  SHEAF_TRY_ASSIGN(const std::string key_text, read_identity_file(key_file));
  const auto seed = parse_private_key(key_text);
  if (!seed)
    return base::fail(Errc::invalid_data, fmt::format("{}: {}", key_file.string(), seed.error().message));
  SHEAF_TRY_ASSIGN(std::string agent, read_identity_file(folder / kAgentName));
  while (agent.ends_with('\n')) agent.pop_back();
  const auto url = base::Url::parse(agent);
  if (!url)
    return base::fail(Errc::invalid_data, fmt::format("{} is not a URL, as https://crawler.example",
                                                      (folder / kAgentName).string()));
  SHEAF_TRY_ASSIGN(std::string directory, read_identity_file(folder / kDirectoryName));
  crypto::Ed25519Signer signer(*seed);
  SHEAF_TRY(check_directory(directory, signature::key_id(signer.public_key()), now, folder / kDirectoryName));
  return BotIdentityFiles(std::move(signer), url->origin(), std::move(directory));
}

}  // namespace sheaf::http::signature
