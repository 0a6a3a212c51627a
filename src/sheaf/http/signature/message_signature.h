#pragma once

#include "sheaf/http/message/message.h"
#include "sheaf/http/signature/structured_field.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// HTTP Message Signatures (RFC 9421) of requests: builds the text that is signed. Knows nothing of keys and
// algorithms.
namespace sheaf::http::signature {

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
