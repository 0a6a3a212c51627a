#include "sheaf/format/pages/head_decoder.h"

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/line_parser_internal.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <array>

namespace sheaf::format {
namespace {

class HeadDecoder {
 public:
  HeadDecoder(const Line& line, const FindingSink& sink) : line_(line), sink_(sink) {}

  Read<DecodedHead> decode(dom::object object, std::string_view raw) {
    object_ = object;
    SHEAF_TRY(no_repeats());
    SHEAF_TRY(identifier("id", result_.head.id));
    SHEAF_TRY(identifier("section", result_.head.section));
    SHEAF_TRY(type());
    SHEAF_TRY(required_string("generated", result_.head.generated));
    SHEAF_TRY(time("generated", result_.head.generated, result_.head.generated_at));
    SHEAF_TRY(since());
    SHEAF_TRY(version());
    SHEAF_TRY(checksum());
    state();
    removed();
    keep_unknown(raw);
    return std::move(result_);
  }

 private:
  static constexpr std::array<std::string_view, 9> kNames = {
      "id", "section", "type", "generated", "since", "version", "state", "removed", "checksum"};

  [[nodiscard]] std::unexpected<Finding> stop(std::string message,
                                              Code code = Code::invalid_collection) const {
    return std::unexpected(Finding{code, line_.number, line_.offset, {}, std::move(message)});
  }
  void report(Code code, std::string message) const {
    sink_({code, line_.number, line_.offset, {}, std::move(message)});
  }

  /// Duplicate members make a metadata line invalid: of two checksums, it would be unclear which one the hash
  /// omits.
  Read<void> no_repeats() {
    std::array<bool, kNames.size()> seen{};
    for (const auto [name, value] : object_) {
      const auto* found = std::ranges::find(kNames, name);
      if (found == kNames.end()) continue;
      bool& mark = seen[static_cast<std::size_t>(found - kNames.begin())];
      if (mark) return stop(fmt::format("collection has {} twice", name));
      mark = true;
    }
    return {};
  }

  Read<std::optional<std::string_view>> optional_string(std::string_view key) {
    dom::element value;
    if (object_.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS)
      return stop(fmt::format("collection {} must be a string, found {}", key, describe(value)));
    return text;
  }

  Read<void> required_string(std::string_view key, std::string& out) {
    SHEAF_TRY_ASSIGN(const auto value, optional_string(key));
    if (!value) return stop(fmt::format("collection has no {}", key));
    out = *value;
    return {};
  }

  Read<void> identifier(std::string_view key, std::string& out) {
    SHEAF_TRY(required_string(key, out));
    if (!model::is_valid_identifier(out))
      return stop(
          fmt::format("collection {} may have only letters, digits, - and _, found {}", key, excerpt(out)));
    return {};
  }

  Read<void> type() {
    std::string value;
    SHEAF_TRY(required_string("type", value));
    if (value != "snapshot" && value != "delta")
      return stop(fmt::format("collection type must be snapshot or delta, found {}", excerpt(value)));
    result_.head.type = value == "delta" ? model::CollectionType::delta : model::CollectionType::snapshot;
    return {};
  }

  Read<void> time(std::string_view key, std::string_view text, Instant& out) const {
    const auto parsed = parse_time(text);
    if (!parsed)
      return stop(fmt::format("collection {} is not an RFC 3339 time, found {}", key, excerpt(text)));
    if (parsed->offset == Offset::missing)
      report(Code::naive_time,
             fmt::format("collection {} {} has no offset from UTC; read as UTC", key, excerpt(text)));
    out = parsed->instant;
    return {};
  }

  Read<void> since() {
    SHEAF_TRY_ASSIGN(const auto value, optional_string("since"));
    if (!value) {
      if (result_.head.type == model::CollectionType::delta) return stop("a delta must have since");
      return {};
    }
    Instant instant;
    SHEAF_TRY(time("since", *value, instant));
    result_.head.since = std::string(*value);
    result_.head.since_at = instant;
    if (result_.head.type == model::CollectionType::delta && instant > result_.head.generated_at)
      report(Code::invalid_field,
             fmt::format("collection since {} is later than generated {}: no client has the "
                         "state that this delta continues from",
                         excerpt(*value), excerpt(result_.head.generated)));
    return {};
  }

  Read<void> version() {
    SHEAF_TRY(required_string("version", result_.head.version));
    switch (model::judge_version(result_.head.version)) {
      case model::VersionVerdict::supported: return {};
      case model::VersionVerdict::too_new:
        return stop(fmt::format("version {} is newer than this reader, which knows 0.x",
                                excerpt(result_.head.version)),
                    Code::unsupported_version);
      case model::VersionVerdict::malformed: break;
    }
    return stop(fmt::format("version must be MAJOR.MINOR like 0.1, found {}", excerpt(result_.head.version)),
                Code::unsupported_version);
  }

  Read<void> checksum() {
    SHEAF_TRY_ASSIGN(const auto value, optional_string("checksum"));
    if (!value) return {};
    if (!model::is_prefixed_digest(*value, "sha256:"))
      return stop(
          fmt::format("collection checksum must be sha256: and 64 hex digits, found {}", excerpt(*value)));
    result_.head.checksum = std::string(*value);
    return {};
  }

  void state() {
    dom::element value;
    if (object_.at_key("state").get(value) != simdjson::SUCCESS) return;
    std::string_view text;
    if (value.get_string().get(text) == simdjson::SUCCESS && model::is_prefixed_digest(text, "sum256:")) {
      result_.head.state = std::string(text);
    } else {
      report(Code::invalid_field, "collection state must be sum256: and 64 hex digits; it was ignored");
    }
  }

  void removed() {
    dom::element value;
    if (object_.at_key("removed").get(value) != simdjson::SUCCESS) return;
    dom::array urls;
    if (value.get_array().get(urls) != simdjson::SUCCESS)
      return report(Code::invalid_field,
                    fmt::format("collection removed must be an array of URLs, found {}; it was ignored",
                                describe(value)));
    for (const auto entry : urls) {
      std::string_view url;
      if (entry.get_string().get(url) == simdjson::SUCCESS && base::is_http_url(url)) {
        result_.head.removed.emplace_back(url);
      } else {
        report(Code::invalid_field,
               "collection removed has an entry that is not an http or https URL; it was ignored");
      }
    }
  }

  /// Finds unknown members and the position of the checksum, according to docs/spec-readings.md "Checksum".
  void keep_unknown(std::string_view raw) {
    const auto base = static_cast<std::size_t>(raw.data() - line_.text.data());
    RawObject members(raw);
    RawMember member;
    std::size_t previous_end = 0;
    bool has_previous = false;
    bool cut_open = false;  // the cut extends to the next member's opening quote
    for (const auto [name, value] : object_) {
      if (!members.next(member)) break;
      if (cut_open) result_.checksum.end = base + member.begin;
      cut_open = name == "checksum";
      if (cut_open) {
        result_.checksum = {base + member.begin, base + member.end};
        last_cut_begin_ = has_previous ? base + previous_end : base + member.begin;
      }
      if (std::ranges::find(kNames, name) == kNames.end()) keep(name, value, member);
      previous_end = member.end;
      has_previous = true;
    }
    if (cut_open) result_.checksum.begin = last_cut_begin_;
  }

  void keep(std::string_view name, dom::element value, const RawMember& member) {
    if (has_unsafe_url(name, value))
      report(Code::unsafe_url_kept, unsafe_url_message(fmt::format("collection {}", excerpt(name))));
    result_.head.extra.emplace_back(std::string(member.key), std::string(member.value));
  }

  const Line& line_;
  const FindingSink& sink_;
  dom::object object_;
  DecodedHead result_;
  std::size_t last_cut_begin_ = 0;
};

}  // namespace

Read<std::optional<DecodedHead>> decode_head(const Line& line, const Limits& limits,
                                             const FindingSink& sink) {
  LineParser parser(limits);
  auto parsed = parser.parse(line, sink);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  if (!*parsed)
    return std::unexpected(Finding{Code::invalid_collection,
                                   line.number,
                                   line.offset,
                                   {},
                                   "the metadata line is nested too deep or has too many values"});
  dom::element collection;
  std::string_view raw;
  RawObject members((*parsed)->text);
  RawMember member;
  for (const auto [name, value] : (*parsed)->object) {
    if (!members.next(member)) break;
    if (name != "collection") continue;
    if (!raw.empty())
      return std::unexpected(Finding{
          Code::invalid_collection, line.number, line.offset, {}, "the metadata line has collection twice"});
    collection = value;
    raw = member.value;
  }
  if (raw.empty()) return std::nullopt;
  dom::object object;
  if (collection.get_object().get(object) != simdjson::SUCCESS)
    return std::unexpected(
        Finding{Code::invalid_collection,
                line.number,
                line.offset,
                {},
                fmt::format("collection must be an object, found {}", describe(collection))});
  if ((*parsed)->repaired) {
    // The repaired text has the same length as the line, so positions are the same.
    const Line repaired{(*parsed)->text, line.number, line.offset};
    return HeadDecoder(repaired, sink).decode(object, raw);
  }
  return HeadDecoder(line, sink).decode(object, raw);
}

}  // namespace sheaf::format
