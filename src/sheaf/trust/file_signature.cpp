#include "sheaf/trust/file_signature.h"

#include "sheaf/base/base64.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/trust/key_text.h"

#include <fmt/format.h>
#include <sodium.h>

#include <cassert>
#include <cstring>
#include <vector>

namespace sheaf::trust {
namespace {

using base::Errc;

constexpr std::string_view kPrehashed = "ED";
constexpr std::string_view kNotPrehashed = "Ed";
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
  if (bytes->starts_with(kNotPrehashed))
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
