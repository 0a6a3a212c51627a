#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The structured field values (RFC 8941) that signatures use: dictionaries, inner lists, and items that are
// integers, strings, tokens, byte sequences or booleans. Decimal numbers are refused.
namespace sheaf::http::signature {

struct FieldToken {
  std::string text;
  friend bool operator==(const FieldToken&, const FieldToken&) = default;
};
struct ByteSequence {
  std::string bytes;
  friend bool operator==(const ByteSequence&, const ByteSequence&) = default;
};

using BareItem = std::variant<std::int64_t, std::string, FieldToken, ByteSequence, bool>;
using Parameters = std::vector<std::pair<std::string, BareItem>>;

struct Item {
  BareItem value;
  Parameters parameters = {};
  friend bool operator==(const Item&, const Item&) = default;
};
struct InnerList {
  std::vector<Item> items = {};
  Parameters parameters = {};
  friend bool operator==(const InnerList&, const InnerList&) = default;
};
struct FieldMember {
  std::string key;
  std::variant<Item, InnerList> value;
  friend bool operator==(const FieldMember&, const FieldMember&) = default;
};

/// The parameter of that name, or null.
const BareItem* find_parameter(const Parameters& parameters, std::string_view name);

// These return nullopt if the text is malformed or has more than kMaxMembers members, items or parameters.
// If members have the same name, the last one counts, as the standard requires.
inline constexpr std::size_t kMaxMembers = 32;
std::optional<std::vector<FieldMember>> parse_dictionary(std::string_view text);
std::optional<Item> parse_item(std::string_view text);

/// The canonical form that the standard defines for each value.
std::string serialise(const BareItem& item);
std::string serialise(const Item& item);
std::string serialise(const InnerList& list);
std::string serialise(const std::vector<FieldMember>& dictionary);

}  // namespace sheaf::http::signature
