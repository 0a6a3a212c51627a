#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Structured field values (RFC 8941), as far as signatures use them: dictionaries, inner lists, and items
// that are whole numbers, strings, tokens, byte sequences or booleans. Decimal numbers are refused.
namespace sheaf::http::signature {

struct Token {
  std::string text;
  friend bool operator==(const Token&, const Token&) = default;
};
struct ByteSequence {
  std::string bytes;
  friend bool operator==(const ByteSequence&, const ByteSequence&) = default;
};

using BareItem = std::variant<std::int64_t, std::string, Token, ByteSequence, bool>;
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
struct Member {
  std::string key;
  std::variant<Item, InnerList> value;
  friend bool operator==(const Member&, const Member&) = default;
};

/// The parameter of that name, or null.
const BareItem* find_parameter(const Parameters& parameters, std::string_view name);

// Nullopt for anything that the grammar does not have, and for more than kMostMembers members, items or
// parameters. Of members with the same name the last one counts, as the standard says.
inline constexpr std::size_t kMostMembers = 32;
std::optional<std::vector<Member>> parse_dictionary(std::string_view text);
std::optional<Item> parse_item(std::string_view text);

/// The one form that the standard gives each value.
std::string serialise(const BareItem& item);
std::string serialise(const Item& item);
std::string serialise(const InnerList& list);
std::string serialise(const std::vector<Member>& dictionary);

}  // namespace sheaf::http::signature
