#include "sheaf/trust/signed_collection.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sheaf::trust {
namespace {

using base::Errc;

constexpr std::string_view kLabel = "scp-collection";
constexpr std::size_t kMaxMembers = 32;

std::unexpected<base::Error> invalid_statement(std::string_view why) {
  return base::fail(Errc::invalid_data,
                    fmt::format("its trusted comment is not a statement about a collection: {}", why));
}

/// The members in their order, by name.
using Members = std::vector<std::pair<std::string_view, std::string_view>>;

base::Result<Members> split_members(std::string_view text) {
  Members members;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return invalid_statement("members of the form name=value are expected, with one space between them");
    const std::string_view name = word.substr(0, equals);
    if (std::ranges::find(members, name, &Members::value_type::first) != members.end())
      return invalid_statement(fmt::format("it states {} twice", name));
    if (members.size() == kMaxMembers) return invalid_statement("it has too many members");
    members.emplace_back(name, word.substr(equals + 1));
  }
  return members;
}

std::optional<std::string_view> find_member(const Members& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &Members::value_type::first);
  return found == members.end() ? std::nullopt : std::optional(found->second);
}

base::Result<std::string_view> need_member(const Members& members, std::string_view name) {
  const auto value = find_member(members, name);
  if (!value) return invalid_statement(fmt::format("it does not state {}", name));
  return *value;
}

base::Result<Instant> read_time(std::string_view name, std::string_view text) {
  const auto time = parse_time(text);
  if (!time || time->offset == Offset::missing)
    return invalid_statement(fmt::format("{} is not a time", name));
  return time->instant;
}

base::Result<std::string> read_digest(const Members& members, std::string_view name,
                                      std::string_view prefix) {
  const auto text = find_member(members, name);
  if (!text) return std::string();
  if (!model::is_prefixed_digest(*text, prefix))
    return invalid_statement(fmt::format("{} is not {} and 64 hexadecimal digits", name, prefix));
  return base::lower_text(*text);
}

}  // namespace

CollectionStatement make_statement(std::string_view origin, const model::CollectionHead& head) {
  CollectionStatement statement;
  statement.origin = origin;
  statement.section = head.section;
  statement.type = head.type;
  statement.generated = head.generated_at;
  if (head.type == model::CollectionType::delta) statement.since = head.since_at;
  statement.checksum = base::lower_text(head.checksum.value_or(""));
  statement.state = base::lower_text(head.state.value_or(""));
  return statement;
}

std::string to_string(const CollectionStatement& statement) {
  std::string text =
      fmt::format("{} origin={} section={} type={} generated={}", kLabel, statement.origin, statement.section,
                  model::to_string(statement.type), format_time(statement.generated));
  if (statement.since) text += fmt::format(" since={}", format_time(*statement.since));
  if (!statement.checksum.empty()) text += fmt::format(" checksum={}", statement.checksum);
  if (!statement.state.empty()) text += fmt::format(" state={}", statement.state);
  return text;
}

base::Result<CollectionStatement> parse_statement(std::string_view trusted_comment) {
  if (!trusted_comment.starts_with(kLabel) || trusted_comment.substr(kLabel.size()).substr(0, 1) != " ")
    return invalid_statement("it does not begin with scp-collection");
  SHEAF_TRY_ASSIGN(const Members members, split_members(trusted_comment.substr(kLabel.size() + 1)));
  CollectionStatement statement;
  SHEAF_TRY_ASSIGN(const std::string_view origin, need_member(members, "origin"));
  const auto url = base::Url::parse(origin);
  if (!url || url->origin() != origin)
    return invalid_statement("origin is not an origin such as https://example.com");
  statement.origin = origin;
  SHEAF_TRY_ASSIGN(const std::string_view section, need_member(members, "section"));
  if (!model::is_valid_identifier(section)) return invalid_statement("section is not a valid name");
  statement.section = section;
  SHEAF_TRY_ASSIGN(const std::string_view type, need_member(members, "type"));
  if (type != "snapshot" && type != "delta") return invalid_statement("type is neither snapshot nor delta");
  statement.type = type == "delta" ? model::CollectionType::delta : model::CollectionType::snapshot;
  SHEAF_TRY_ASSIGN(const std::string_view generated, need_member(members, "generated"));
  SHEAF_TRY_ASSIGN(statement.generated, read_time("generated", generated));
  if (const auto since = find_member(members, "since")) {
    SHEAF_TRY_ASSIGN(statement.since, read_time("since", *since));
  }
  if ((statement.type == model::CollectionType::delta) != statement.since.has_value())
    return invalid_statement("a delta states since, and a snapshot does not");
  SHEAF_TRY_ASSIGN(statement.checksum, read_digest(members, "checksum", "sha256:"));
  SHEAF_TRY_ASSIGN(statement.state, read_digest(members, "state", "sum256:"));
  return statement;
}

std::optional<std::string> differs_from_place(const CollectionStatement& statement, const base::Url& site,
                                              std::string_view section) {
  const auto origin = base::Url::parse(statement.origin);
  if (!origin || !site::is_same_site(*origin, site))
    return fmt::format("it was signed for {}, another site", statement.origin);
  if (statement.section != section)
    return fmt::format("it was signed for section {}, another section", statement.section);
  return std::nullopt;
}

std::optional<std::string> differs_from_head(const CollectionStatement& statement,
                                             const model::CollectionHead& head) {
  const CollectionStatement actual = make_statement(statement.origin, head);
  const auto differs = [](std::string_view name, std::string_view stated, std::string_view has) {
    return fmt::format("its signature states {} {}, but the collection has {}", name,
                       stated.empty() ? "no value" : stated, has.empty() ? "none" : has);
  };
  const auto text_of = [](const std::optional<Instant>& time) {
    return time ? format_time(*time) : std::string();
  };
  if (actual.section != statement.section) return differs("section", statement.section, actual.section);
  if (actual.type != statement.type)
    return differs("type", model::to_string(statement.type), model::to_string(actual.type));
  if (actual.generated != statement.generated)
    return differs("generated", text_of(statement.generated), text_of(actual.generated));
  if (actual.since != statement.since)
    return differs("since", text_of(statement.since), text_of(actual.since));
  if (actual.checksum != statement.checksum) return differs("checksum", statement.checksum, actual.checksum);
  if (actual.state != statement.state) return differs("state", statement.state, actual.state);
  return std::nullopt;
}

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
