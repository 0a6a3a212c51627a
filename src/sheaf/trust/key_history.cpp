#include "sheaf/trust/key_history.h"

#include "sheaf/base/file.h"
#include "sheaf/base/hex.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/trust/signing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>

namespace sheaf::trust {
namespace {

using base::Errc;

constexpr std::string_view kListTitle = "scp-keys 1";
constexpr std::size_t kDigestBytesOfKey = 64;
constexpr std::size_t kMaxListLines = kMaxStatements + 8;

/// The statement as text, without its signatures.
std::string claim_of(const KeyStatement& statement) {
  if (statement.event == KeyEvent::revocation)
    return fmt::format("revocation {} {}", to_string(statement.key), format_time(statement.at));
  return fmt::format("rotation {} {} {}", to_string(statement.key), to_string(*statement.successor),
                     format_time(statement.at));
}

/// The digest of the "file" that is signed: the line with the key that the statement is about.
std::string subject_digest(const KeyStatement& statement) {
  return crypto::blake2b(to_string(statement.successor.value_or(statement.key)) + "\n", kDigestBytesOfKey);
}

FileSignature signature_of(const KeyStatement& statement) {
  return {statement.key.number, statement.of_file, "scp-key " + claim_of(statement), statement.of_comment};
}

KeyStatement signed_statement(KeyStatement statement, const SecretKey& key) {
  const FileSignature signature =
      sign_digest(key, subject_digest(statement), "scp-key " + claim_of(statement));
  statement.of_file = signature.of_file;
  statement.of_comment = signature.of_comment;
  return statement;
}

std::vector<std::string_view> split_words(std::string_view line) {
  constexpr std::size_t kMaxWords = 8;
  std::vector<std::string_view> words;
  while (!line.empty() && words.size() < kMaxWords) {
    const std::string_view word = line.substr(0, line.find(' '));
    words.push_back(word);
    line.remove_prefix(std::min(word.size() + 1, line.size()));
  }
  return words;
}

bool read_signature_word(std::string_view word, crypto::Ed25519Signature& signature) {
  const auto bytes = decode_exactly(word, signature.size());
  if (bytes) std::memcpy(signature.data(), bytes->data(), bytes->size());
  return bytes.has_value();
}

base::Result<KeyStatement> parse_key_statement(std::string_view line) {
  const std::vector<std::string_view> words = split_words(line);
  KeyStatement statement;
  const bool is_rotation = !words.empty() && words[0] == "rotation";
  if (!is_rotation && (words.empty() || words[0] != "revocation"))
    return base::fail(Errc::invalid_data, "rotation or revocation was expected");
  const std::size_t keys = is_rotation ? 2 : 1;
  if (words.size() != keys + 4)
    return base::fail(Errc::invalid_data,
                      fmt::format("a {} has {} words, with one space between them", words[0], keys + 4));
  statement.event = is_rotation ? KeyEvent::rotation : KeyEvent::revocation;
  SHEAF_TRY_ASSIGN(statement.key, parse_public_key(words[1]));
  if (is_rotation) {
    SHEAF_TRY_ASSIGN(statement.successor, parse_public_key(words[2]));
  }
  const auto at = parse_time(words[keys + 1]);
  if (!at || at->offset == Offset::missing || format_time(at->instant) != words[keys + 1])
    return base::fail(Errc::invalid_data, "its time is not of the form 2026-01-15T00:00:00Z");
  statement.at = at->instant;
  if (!read_signature_word(words[keys + 2], statement.of_file) ||
      !read_signature_word(words[keys + 3], statement.of_comment))
    return base::fail(Errc::invalid_data, "its signatures are not 88 characters of Base64 each");
  return statement;
}

base::Result<std::vector<KeyStatement>> parse_statements(const std::vector<std::string_view>& lines,
                                                         std::size_t from) {
  std::vector<KeyStatement> history;
  for (std::size_t i = from; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    if (history.size() == kMaxStatements)
      return base::fail(Errc::invalid_data,
                        fmt::format("more than {} rotations and revocations", kMaxStatements));
    auto statement = parse_key_statement(lines[i]);
    if (!statement)
      return base::fail(Errc::invalid_data, fmt::format("line {}: {}", i + 1, statement.error().message));
    history.push_back(*statement);
  }
  return history;
}

}  // namespace

KeyStatement make_rotation(const SecretKey& old_key, const PublicKey& new_key, Instant at) {
  return signed_statement({KeyEvent::rotation, old_key.public_key(), new_key, {at.seconds, 0}, {}, {}},
                          old_key);
}

KeyStatement make_revocation(const SecretKey& key, Instant at) {
  return signed_statement({KeyEvent::revocation, key.public_key(), std::nullopt, {at.seconds, 0}, {}, {}},
                          key);
}

base::Result<void> verify(const KeyStatement& statement) {
  const FileSignature signature = signature_of(statement);
  const bool good = verify_comment(signature, statement.key) &&
                    verify_digest(signature, subject_digest(statement), statement.key);
  if (good) return {};
  const bool is_rotation = statement.event == KeyEvent::rotation;
  return base::fail(Errc::refused,
                    fmt::format("the {} of key {} is forged: that key did not sign it",
                                is_rotation ? "rotation" : "revocation", to_string(statement.key.number)));
}

std::string to_string(const KeyStatement& statement) {
  const auto text_of = [](const crypto::Ed25519Signature& signature) {
    return base::to_base64({reinterpret_cast<const char*>(signature.data()), signature.size()});
  };
  return fmt::format("{} {} {}", claim_of(statement), text_of(statement.of_file),
                     text_of(statement.of_comment));
}

base::Result<std::vector<KeyStatement>> parse_history(std::string_view text) {
  const auto lines = split_lines(text, kMaxListLines);
  if (!lines) return base::fail(Errc::invalid_data, "it has too many lines, or a line is too long");
  return parse_statements(*lines, 0);
}

std::string to_string(const KeyList& list) {
  std::string text = fmt::format("{}\nkey {}\n", kListTitle, to_string(list.key));
  for (const KeyStatement& statement : list.history) text += to_string(statement) + "\n";
  return text;
}

base::Result<KeyList> parse_key_list(std::string_view text) {
  const auto lines = split_lines(text, kMaxListLines);
  if (!lines) return base::fail(Errc::invalid_data, "it has too many lines, or a line is too long");
  if (lines->size() < 2 || lines->front() != kListTitle)
    return base::fail(Errc::invalid_data, fmt::format("its first line is not \"{}\"", kListTitle));
  constexpr std::string_view kKey = "key ";
  if (!(*lines)[1].starts_with(kKey)) return base::fail(Errc::invalid_data, "line 2: key was expected");
  auto key = parse_public_key((*lines)[1].substr(kKey.size()));
  if (!key) return base::fail(Errc::invalid_data, fmt::format("line 2: {}", key.error().message));
  KeyList list;
  list.key = *key;
  SHEAF_TRY_ASSIGN(list.history, parse_statements(*lines, 2));
  return list;
}

base::Result<KeyPath> follow_history(const PublicKey& trusted, const std::vector<KeyStatement>& history) {
  KeyPath path{.key = trusted};
  while (true) {
    const KeyStatement* rotation = nullptr;
    for (const KeyStatement& statement : history) {
      if (statement.key != path.key) continue;
      SHEAF_TRY(verify(statement));
      if (statement.event == KeyEvent::revocation) {
        path.revoked = statement.at;
        return path;
      }
      if (rotation != nullptr && rotation->successor != statement.successor)
        return base::fail(
            Errc::refused,
            fmt::format("key {} names two successors, {} and {}", to_string(path.key.number),
                        to_string(rotation->successor->number), to_string(statement.successor->number)));
      rotation = &statement;
    }
    // A cycle of rotations ends after as many steps as there are statements.
    if (rotation == nullptr || path.rotations == history.size()) return path;
    path.key = *rotation->successor;
    ++path.rotations;
  }
}

namespace {

namespace fs = std::filesystem;

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
