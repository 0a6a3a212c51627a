#pragma once

#include "sheaf/http/message/message.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// HTTP Message Signatures (RFC 9421) of requests: builds the text that is signed. Knows nothing of keys and
// algorithms.
namespace sheaf::http::signature {

// The structured field values (RFC 8941) that signatures use: dictionaries, inner lists, and items that are
// integers, strings, tokens, byte sequences or booleans. Decimal numbers are refused.

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

/// The parts of a request that a signature can cover.
struct RequestParts {
  std::string_view method;
  std::string_view scheme;     ///< "http", "https"
  std::string_view authority;  ///< the Host, as it was sent
  std::string_view path;       ///< as it was sent, percent-encoded
  std::string_view query = {};
  bool has_query = false;
  /// All values of a field, joined by ", "; nullopt if there is none. The name is in lower case.
  std::function<std::optional<std::string>(std::string_view name)> field;
};

/// The host in lower case, and the port unless it is the default one of the scheme.
std::string normal_authority(std::string_view authority, std::string_view scheme);

/// A signature of a request, from the fields Signature-Input and Signature.
struct LabelledSignature {
  std::string label;
  InnerList input;
  std::string bytes;
};

/// The signatures that occur in both fields. Nullopt if a field is malformed.
std::optional<std::vector<LabelledSignature>> read_signatures(std::string_view signature_input,
                                                              std::string_view signature);

/// The text that is signed (RFC 9421, 2.5). Nullopt if a component is unknown, missing in the request, or
/// listed twice.
std::optional<std::string> signature_base(const InnerList& input, const RequestParts& request);

}  // namespace sheaf::http::signature
