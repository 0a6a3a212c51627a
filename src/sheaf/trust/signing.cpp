#include "sheaf/trust/signing.h"

#include "sheaf/base/hex.h"
#include "sheaf/crypto/crypto.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>
#include <vector>

namespace sheaf::trust {
namespace {

constexpr std::size_t kLineBytes = 8192 + 64;  // minisign: 8192 for a trusted comment, and its label

}  // namespace

std::optional<std::vector<std::string_view>> split_lines(std::string_view text, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kLineBytes || lines.size() == most) return std::nullopt;
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<std::string> decode_exactly(std::string_view text, std::size_t size) {
  if (text.size() != (size + 2) / 3 * 4) return std::nullopt;
  auto bytes = base::from_base64(text);
  return bytes && bytes->size() == size ? std::move(bytes) : std::nullopt;
}

bool is_printable_line(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

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

namespace {

constexpr std::string_view kPrehashed = "ED";
constexpr std::size_t kDigestBytes = 64;
constexpr std::size_t kReadBytes = std::size_t{256} * 1024;

std::unexpected<base::Error> not_a_signature(std::string_view why) {
  return base::fail(Errc::invalid_data, fmt::format("this is not a signature of minisign: {}", why));
}

std::string_view text_of(const crypto::Ed25519Signature& signature) {
  return {reinterpret_cast<const char*>(signature.data()), signature.size()};
}

/// The bytes that the second signature covers.
std::string commented(const FileSignature& signature) {
  return std::string(text_of(signature.of_file)) + signature.trusted_comment;
}

base::Result<void> check_number(const FileSignature& signature, const PublicKey& key) {
  if (signature.number == key.number) return {};
  return base::fail(Errc::refused, fmt::format("it was made with key {}, not with key {}",
                                               to_string(signature.number), to_string(key.number)));
}

base::Result<void> read_numbers(std::string_view line, FileSignature& signature) {
  const auto bytes = decode_exactly(line, kPrehashed.size() + 8 + 64);
  if (!bytes) return not_a_signature("its second line is not 100 characters of Base64");
  if (bytes->starts_with(kEd25519))
    return not_a_signature(
        "it was made without prehashing, the old algorithm; sign again with minisign 0.10 or later, or with "
        "-H");
  if (!bytes->starts_with(kPrehashed)) return not_a_signature("its algorithm is not known");
  std::memcpy(signature.number.data(), bytes->data() + 2, signature.number.size());
  std::memcpy(signature.of_file.data(), bytes->data() + 10, signature.of_file.size());
  return {};
}

}  // namespace

std::string to_string(const FileSignature& signature) {
  const std::string_view number(reinterpret_cast<const char*>(signature.number.data()),
                                signature.number.size());
  return fmt::format(
      "{}signature from key {}\n{}\n{}{}\n{}\n", kUntrustedComment, to_string(signature.number),
      base::to_base64(fmt::format("{}{}{}", kPrehashed, number, text_of(signature.of_file))), kTrustedComment,
      signature.trusted_comment, base::to_base64(text_of(signature.of_comment)));
}

base::Result<FileSignature> parse_signature(std::string_view text) {
  const auto lines = split_lines(text, 4);
  if (!lines || lines->size() != 4) return not_a_signature("four lines are expected");
  if (!(*lines)[0].starts_with(kUntrustedComment))
    return not_a_signature("the first line does not begin with \"untrusted comment: \"");
  FileSignature signature;
  SHEAF_TRY(read_numbers((*lines)[1], signature));
  if (!(*lines)[2].starts_with(kTrustedComment))
    return not_a_signature("the third line does not begin with \"trusted comment: \"");
  signature.trusted_comment = (*lines)[2].substr(kTrustedComment.size());
  if (!is_printable_line(signature.trusted_comment))
    return not_a_signature("its trusted comment has control characters");
  const auto of_comment = decode_exactly((*lines)[3], signature.of_comment.size());
  if (!of_comment) return not_a_signature("its fourth line is not 88 characters of Base64");
  std::memcpy(signature.of_comment.data(), of_comment->data(), of_comment->size());
  return signature;
}

base::Result<std::string> digest_of(base::ByteSource& file) {
  crypto::init_sodium();
  crypto_generichash_state hash;
  crypto_generichash_init(&hash, nullptr, 0, kDigestBytes);
  std::vector<char> buffer(kReadBytes);
  while (true) {
    SHEAF_TRY_ASSIGN(const std::size_t count, file.read(buffer));
    if (count == 0) break;
    crypto_generichash_update(&hash, reinterpret_cast<const unsigned char*>(buffer.data()), count);
  }
  std::string digest(kDigestBytes, '\0');
  crypto_generichash_final(&hash, reinterpret_cast<unsigned char*>(digest.data()), digest.size());
  return digest;
}

FileSignature sign_digest(const SecretKey& key, std::string_view digest, std::string_view trusted_comment) {
  assert(digest.size() == kDigestBytes && is_printable_line(trusted_comment));
  const crypto::Ed25519Signer signer(key.seed());
  FileSignature signature;
  signature.number = key.public_key().number;
  signature.of_file = signer.sign(digest);
  signature.trusted_comment = trusted_comment;
  signature.of_comment = signer.sign(commented(signature));
  return signature;
}

base::Result<void> verify_comment(const FileSignature& signature, const PublicKey& key) {
  SHEAF_TRY(check_number(signature, key));
  if (crypto::verify_ed25519(key.key, commented(signature), signature.of_comment)) return {};
  return base::fail(Errc::refused,
                    fmt::format("its comment or its signature was changed: key {} did not sign them together",
                                to_string(key.number)));
}

base::Result<void> verify_digest(const FileSignature& signature, std::string_view digest,
                                 const PublicKey& key) {
  SHEAF_TRY(check_number(signature, key));
  if (crypto::verify_ed25519(key.key, digest, signature.of_file)) return {};
  return base::fail(
      Errc::refused,
      fmt::format("the file is not the one that key {} signed: it was changed, truncated or replaced",
                  to_string(key.number)));
}

}  // namespace sheaf::trust
