#include "sheaf/trust/signing_key.h"

#include "sheaf/base/base64.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/trust/key_text.h"

#include <fmt/format.h>
#include <sodium.h>

#include <cstring>
#include <utility>

namespace sheaf::trust {
namespace {

using base::Errc;

constexpr std::string_view kEd25519 = "Ed";
constexpr std::string_view kScryptMark = "Sc";
constexpr std::string_view kNoPassphrase{"\0\0", 2};
constexpr std::string_view kBlake2bMark = "B2";

// The parts of a secret key file, in bytes.
constexpr std::size_t kMarkBytes = 2;
constexpr std::size_t kSaltBytes = 32;
constexpr std::size_t kCheckBytes = 32;
constexpr std::size_t kHeadBytes = 3 * kMarkBytes + kSaltBytes + 16;
constexpr std::size_t kSecretBytes = 8 + 64 + kCheckBytes;  // number, seed and public key, checksum
constexpr std::size_t kPublicBytes = kMarkBytes + 8 + 32;

// What minisign writes: scrypt with N = 2^20, r = 8, p = 1 takes a gigabyte and some seconds.
constexpr std::uint64_t kOperations = crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_SENSITIVE;
constexpr std::uint64_t kMemory = crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_SENSITIVE;
// The cost stated in a key file is not trusted. There is a lower limit of memory too, because with little
// memory libsodium reaches the stated operations by parallel runs, whose memory it does not count.
constexpr std::uint64_t kMaxOperations = 16 * kOperations;
constexpr std::uint64_t kMaxMemory = kMemory;
constexpr std::uint64_t kMinMemory = crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_MIN;

template <std::size_t Size>
std::array<std::uint8_t, Size> take_array(std::string_view& bytes) {
  std::array<std::uint8_t, Size> value{};
  std::memcpy(value.data(), bytes.data(), Size);
  bytes.remove_prefix(Size);
  return value;
}

template <std::size_t Size>
std::string_view as_bytes(const std::array<std::uint8_t, Size>& value) {
  return {reinterpret_cast<const char*>(value.data()), Size};
}

std::string little_endian(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>((value >> (8 * i)) & 255U);
  return bytes;
}

std::uint64_t read_little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i)
    value = (value << 8U) | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

/// Encrypts or decrypts the secret part of a key file.
base::Result<void> apply_passphrase(std::string& secret, std::string_view passphrase, std::string_view salt,
                                    std::uint64_t operations, std::uint64_t memory) {
  if (operations > kMaxOperations || memory < kMinMemory || memory > kMaxMemory)
    return base::fail(Errc::invalid_data,
                      "the secret key asks for an amount of memory or time that no key of minisign needs");
  crypto::init_sodium();
  std::array<std::uint8_t, kSecretBytes> stream{};
  if (crypto_pwhash_scryptsalsa208sha256(stream.data(), stream.size(), passphrase.data(), passphrase.size(),
                                         reinterpret_cast<const unsigned char*>(salt.data()), operations,
                                         memory) != 0)
    return base::fail(
        Errc::invalid_argument,
        fmt::format("cannot derive a key with scrypt: {} MiB of memory are not available", memory >> 20U));
  for (std::size_t i = 0; i < stream.size(); ++i) secret[i] = static_cast<char>(secret[i] ^ stream[i]);
  crypto::wipe(stream);
  return {};
}

std::unexpected<base::Error> not_a_key(std::string_view kind, std::string_view why) {
  return base::fail(Errc::invalid_data, fmt::format("this is not a {} key of minisign: {}", kind, why));
}

/// The Base64 line of a key file, or the text itself if it has only one line.
base::Result<std::string_view> find_key_line(std::string_view text, std::string_view kind) {
  const auto lines = split_lines(text, 2);
  if (!lines || lines->empty()) return not_a_key(kind, "one or two lines are expected");
  if (lines->size() == 1) return lines->front();
  if (!lines->front().starts_with(kUntrustedComment))
    return not_a_key(kind, "the first line does not begin with \"untrusted comment: \"");
  return lines->back();
}

/// The fields of a secret key file, before decryption. The destructor wipes the secret from memory.
struct SecretFile {
  bool is_protected = false;
  std::string_view salt;
  std::uint64_t operations = 0;
  std::uint64_t memory = 0;
  std::string secret;  ///< number, seed, public key, checksum; encrypted if it is protected
  std::string bytes;

  SecretFile() = default;
  SecretFile(SecretFile&&) = default;
  SecretFile& operator=(SecretFile&&) = default;
  ~SecretFile() {
    crypto::wipe(secret);
    crypto::wipe(bytes);
  }
};

base::Result<SecretFile> open_secret_file(std::string_view text) {
  SHEAF_TRY_ASSIGN(const std::string_view line, find_key_line(text, "secret"));
  auto bytes = decode_exactly(line, kHeadBytes + kSecretBytes);
  if (!bytes) return not_a_key("secret", "its second line is not 212 characters of Base64");
  SecretFile file;
  file.bytes = std::move(*bytes);
  std::string_view rest = file.bytes;
  if (!rest.starts_with(kEd25519)) return not_a_key("secret", "it is not of the algorithm Ed25519");
  const std::string_view kdf = rest.substr(kMarkBytes, kMarkBytes);
  if (kdf != kScryptMark && kdf != kNoPassphrase)
    return not_a_key("secret", "its passphrase is not protected by scrypt");
  if (rest.substr(2 * kMarkBytes, kMarkBytes) != kBlake2bMark)
    return not_a_key("secret", "its checksum is not BLAKE2b");
  file.is_protected = kdf == kScryptMark;
  file.salt = rest.substr(3 * kMarkBytes, kSaltBytes);
  file.operations = read_little_endian(rest.substr(3 * kMarkBytes + kSaltBytes, 8));
  file.memory = read_little_endian(rest.substr(3 * kMarkBytes + kSaltBytes + 8, 8));
  file.secret = rest.substr(kHeadBytes);
  return file;
}

std::string checksum_of(std::string_view number_and_key) {
  std::string checked = fmt::format("{}{}", kEd25519, number_and_key);
  std::string checksum = crypto::blake2b(checked, kCheckBytes);
  crypto::wipe(checked);
  return checksum;
}

}  // namespace

std::string to_string(const KeyNumber& number) {
  std::string text;
  for (std::size_t i = number.size(); i > 0; --i) text += fmt::format("{:02X}", number[i - 1]);
  return text;
}

std::string to_string(const PublicKey& key) {
  return base::to_base64(fmt::format("{}{}{}", kEd25519, as_bytes(key.number), as_bytes(key.key)));
}

base::Result<PublicKey> parse_public_key(std::string_view text) {
  SHEAF_TRY_ASSIGN(const std::string_view line, find_key_line(text, "public"));
  const auto bytes = decode_exactly(line, kPublicBytes);
  if (!bytes) return not_a_key("public", "56 characters of Base64 that begin with RW are expected");
  std::string_view rest = *bytes;
  if (!rest.starts_with(kEd25519)) return not_a_key("public", "it is not of the algorithm Ed25519");
  rest.remove_prefix(kMarkBytes);
  PublicKey key;
  key.number = take_array<8>(rest);
  key.key = take_array<32>(rest);
  if (!crypto::is_valid_key(key.key)) return not_a_key("public", "it is not a valid point of the curve");
  return key;
}

std::string public_key_file(const PublicKey& key) {
  return fmt::format("{}minisign public key {}\n{}\n", kUntrustedComment, to_string(key.number),
                     to_string(key));
}

SecretKey::SecretKey(const KeyNumber& number, const crypto::Ed25519Seed& seed)
    : seed_(seed), public_{number, crypto::Ed25519Signer(seed).public_key()} {}

SecretKey SecretKey::generate() {
  KeyNumber number{};
  crypto::Ed25519Seed seed{};
  crypto::fill_random(number);
  crypto::fill_random(seed);
  SecretKey key(number, seed);
  crypto::wipe(seed);
  return key;
}

base::Result<bool> needs_passphrase(std::string_view text) {
  SHEAF_TRY_ASSIGN(const SecretFile file, open_secret_file(text));
  return file.is_protected;
}

base::Result<SecretKey> parse_secret_key(std::string_view text, std::string_view passphrase) {
  SHEAF_TRY_ASSIGN(SecretFile file, open_secret_file(text));
  if (file.is_protected)
    SHEAF_TRY(apply_passphrase(file.secret, passphrase, file.salt, file.operations, file.memory));
  const std::string_view secret = file.secret;
  // minisign leaves the checksum of a key without passphrase empty.
  const bool has_checksum = file.is_protected || secret.substr(8 + 64) != std::string(kCheckBytes, '\0');
  if (has_checksum && checksum_of(secret.substr(0, 8 + 64)) != secret.substr(8 + 64))
    return file.is_protected
               ? base::fail(Errc::refused, "the passphrase of the secret key is wrong")
               : base::fail(Errc::invalid_data, "the secret key is damaged: its checksum differs");
  std::string_view rest = secret;
  const auto number = take_array<8>(rest);
  auto seed = take_array<32>(rest);
  SecretKey key(number, seed);
  crypto::wipe(seed);
  if (as_bytes(key.public_key().key) != rest.substr(0, 32))
    return base::fail(Errc::invalid_data, "the secret key is damaged: its public half does not belong to it");
  return key;
}

base::Result<std::string> secret_key_file(const SecretKey& key, std::string_view passphrase) {
  std::string secret = fmt::format("{}{}{}", as_bytes(key.public_key().number), as_bytes(key.seed()),
                                   as_bytes(key.public_key().key));
  secret += checksum_of(secret);
  std::array<std::uint8_t, kSaltBytes> salt{};
  std::uint64_t operations = 0;
  std::uint64_t memory = 0;
  if (!passphrase.empty()) {
    crypto::fill_random(salt);
    operations = kOperations;
    memory = kMemory;
    SHEAF_TRY(apply_passphrase(secret, passphrase, as_bytes(salt), operations, memory));
  }
  std::string bytes =
      fmt::format("{}{}{}{}{}{}{}", kEd25519, passphrase.empty() ? kNoPassphrase : kScryptMark, kBlake2bMark,
                  as_bytes(salt), little_endian(operations), little_endian(memory), secret);
  std::string file = fmt::format("{}minisign {} secret key {}\n{}\n", kUntrustedComment,
                                 passphrase.empty() ? "unprotected" : "encrypted",
                                 to_string(key.public_key().number), base::to_base64(bytes));
  crypto::wipe(secret);
  crypto::wipe(bytes);
  return file;
}

}  // namespace sheaf::trust
