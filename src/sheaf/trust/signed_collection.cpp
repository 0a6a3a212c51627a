#include "sheaf/trust/signed_collection.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/format/collections/collection_reader.h"

#include <utility>

namespace sheaf::trust {

base::Result<CollectionSignature> open_signature(std::string_view text, const PublicKey& key) {
  CollectionSignature opened;
  SHEAF_TRY_ASSIGN(opened.signature, parse_signature(text));
  SHEAF_TRY(verify_comment(opened.signature, key));
  SHEAF_TRY_ASSIGN(opened.statement, parse_statement(opened.signature.trusted_comment));
  return opened;
}

base::Result<model::CollectionHead> read_collection_head(const std::filesystem::path& file,
                                                         const format::Limits& limits) {
  SHEAF_TRY_ASSIGN(auto source, base::open_regular_file(file.string()));
  format::ReaderOptions options;
  options.limits = limits;
  auto reader = format::CollectionReader::open(std::move(source), options, {});
  if (!reader) return base::fail(base::Errc::invalid_data, reader.error().message);
  return reader->head();
}

base::Result<void> verify_collection(const CollectionSignature& signature, const std::filesystem::path& file,
                                     const PublicKey& key, const format::Limits& limits) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_regular_file(file.string()));
  SHEAF_TRY_ASSIGN(const std::string digest, digest_of(*source));
  SHEAF_TRY(verify_digest(signature.signature, digest, key));
  SHEAF_TRY_ASSIGN(const model::CollectionHead head, read_collection_head(file, limits));
  if (auto difference = differs_from_head(signature.statement, head))
    return base::fail(base::Errc::refused, std::move(*difference));
  return {};
}

}  // namespace sheaf::trust
