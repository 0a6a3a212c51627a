#include "sheaf/http/signature/message_signature.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::http::signature {
namespace {

constexpr std::size_t kMaxDigits = 15;
constexpr std::string_view kTokenExtra = "!#$%&'*+-.^_`|~:/";

bool starts_key(char c) { return (c >= 'a' && c <= 'z') || c == '*'; }
bool continues_key(char c) { return starts_key(c) || base::is_digit(c) || c == '_' || c == '-' || c == '.'; }
bool continues_token(char c) { return base::is_alphanumeric(c) || kTokenExtra.contains(c); }

/// Reads a value from the front of a text. Every function returns nullopt if the text is malformed.
class FieldParser {
 public:
  explicit FieldParser(std::string_view text) : rest_(text) {}

  std::optional<std::vector<FieldMember>> dictionary() {
    std::vector<FieldMember> members;
    skip(" ");
    while (!rest_.empty()) {
      auto member = read_member();
      if (!member || members.size() == kMaxMembers) return std::nullopt;
      std::erase_if(members, [&](const FieldMember& each) { return each.key == member->key; });
      members.push_back(std::move(*member));
      skip(" \t");
      if (rest_.empty()) return members;
      if (!take(',')) return std::nullopt;
      skip(" \t");
      if (rest_.empty()) return std::nullopt;
    }
    return members;
  }

  std::optional<Item> whole_item() {
    skip(" ");
    auto item = read_item();
    skip(" ");
    return item && rest_.empty() ? std::move(item) : std::nullopt;
  }

 private:
  void skip(std::string_view blanks) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  template <class Predicate>
  std::string_view take_while(Predicate matches) {
    const auto end = std::ranges::find_if_not(rest_, matches);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::optional<std::string> read_key() {
    if (rest_.empty() || !starts_key(rest_.front())) return std::nullopt;
    return std::string(take_while(continues_key));
  }

  std::optional<FieldMember> read_member() {
    auto key = read_key();
    if (!key) return std::nullopt;
    if (!take('=')) {  // a key without a value means true
      auto parameters = read_parameters();
      if (!parameters) return std::nullopt;
      return FieldMember{std::move(*key), Item{true, std::move(*parameters)}};
    }
    if (rest_.starts_with('(')) {
      auto list = read_inner_list();
      if (!list) return std::nullopt;
      return FieldMember{std::move(*key), std::move(*list)};
    }
    auto item = read_item();
    if (!item) return std::nullopt;
    return FieldMember{std::move(*key), std::move(*item)};
  }

  std::optional<InnerList> read_inner_list() {
    InnerList list;
    take('(');
    while (true) {
      skip(" ");
      if (take(')')) break;
      auto item = read_item();
      const bool ends = rest_.starts_with(' ') || rest_.starts_with(')');
      if (!item || !ends || list.items.size() == kMaxMembers) return std::nullopt;
      list.items.push_back(std::move(*item));
    }
    auto parameters = read_parameters();
    if (!parameters) return std::nullopt;
    list.parameters = std::move(*parameters);
    return list;
  }

  std::optional<Item> read_item() {
    auto value = read_bare();
    if (!value) return std::nullopt;
    auto parameters = read_parameters();
    if (!parameters) return std::nullopt;
    return Item{std::move(*value), std::move(*parameters)};
  }

  std::optional<Parameters> read_parameters() {
    Parameters parameters;
    while (take(';')) {
      skip(" ");
      auto key = read_key();
      if (!key || parameters.size() == kMaxMembers) return std::nullopt;
      BareItem value = true;
      if (take('=')) {
        auto given = read_bare();
        if (!given) return std::nullopt;
        value = std::move(*given);
      }
      std::erase_if(parameters, [&](const auto& each) { return each.first == *key; });
      parameters.emplace_back(std::move(*key), std::move(value));
    }
    return parameters;
  }

  std::optional<BareItem> read_bare() {
    if (rest_.empty()) return std::nullopt;
    const char c = rest_.front();
    if (c == '"') return read_string();
    if (c == ':') return read_bytes();
    if (c == '?') return read_boolean();
    if (c == '-' || base::is_digit(c)) return read_number();
    if (base::is_letter(c) || c == '*') return FieldToken{std::string(take_while(continues_token))};
    return std::nullopt;
  }

  std::optional<BareItem> read_string() {
    std::string text;
    take('"');
    while (!rest_.empty()) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return text;
      if (c == '\\') {
        if (rest_.empty() || (rest_.front() != '"' && rest_.front() != '\\')) return std::nullopt;
        c = rest_.front();
        rest_.remove_prefix(1);
      }
      if (c < 0x20 || c > 0x7E) return std::nullopt;
      text += c;
    }
    return std::nullopt;
  }

  std::optional<BareItem> read_bytes() {
    take(':');
    const std::size_t end = rest_.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    auto bytes = base::from_base64(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    if (!bytes) return std::nullopt;
    return ByteSequence{std::move(*bytes)};
  }

  std::optional<BareItem> read_boolean() {
    take('?');
    if (take('1')) return true;
    if (take('0')) return false;
    return std::nullopt;
  }

  std::optional<BareItem> read_number() {
    const bool is_negative = take('-');
    const std::string_view digits = take_while(base::is_digit);
    if (digits.empty() || digits.size() > kMaxDigits || rest_.starts_with('.')) return std::nullopt;
    std::int64_t number = 0;
    for (const char digit : digits) number = number * 10 + (digit - '0');
    return is_negative ? -number : number;
  }

  std::string_view rest_;
};

std::string serialise_parameters(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += ";" + name;
    if (value != BareItem(true)) text += "=" + serialise(value);
  }
  return text;
}

}  // namespace

const BareItem* find_parameter(const Parameters& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameters::value_type::first);
  return found == parameters.end() ? nullptr : &found->second;
}

std::optional<std::vector<FieldMember>> parse_dictionary(std::string_view text) {
  return FieldParser(text).dictionary();
}

std::optional<Item> parse_item(std::string_view text) { return FieldParser(text).whole_item(); }

std::string serialise(const BareItem& item) {
  if (const auto* number = std::get_if<std::int64_t>(&item)) return std::to_string(*number);
  if (const auto* token = std::get_if<FieldToken>(&item)) return token->text;
  if (const auto* bytes = std::get_if<ByteSequence>(&item)) return ":" + base::to_base64(bytes->bytes) + ":";
  if (const auto* boolean = std::get_if<bool>(&item)) return *boolean ? "?1" : "?0";
  std::string text = "\"";
  for (const char c : std::get<std::string>(item)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string serialise(const Item& item) {
  return serialise(item.value) + serialise_parameters(item.parameters);
}

std::string serialise(const InnerList& list) {
  std::string text = "(";
  for (const Item& item : list.items) text += (text.size() > 1 ? " " : "") + serialise(item);
  return text + ")" + serialise_parameters(list.parameters);
}

std::string serialise(const std::vector<FieldMember>& dictionary) {
  std::string text;
  for (const FieldMember& member : dictionary) {
    if (!text.empty()) text += ", ";
    text += member.key;
    if (const auto* list = std::get_if<InnerList>(&member.value)) {
      text += "=" + serialise(*list);
    } else {
      const Item& item = std::get<Item>(member.value);
      text += item.value == BareItem(true) ? serialise_parameters(item.parameters) : "=" + serialise(item);
    }
  }
  return text;
}

namespace {

std::optional<std::string> derived_component(std::string_view name, const RequestParts& request) {
  const std::string query = request.has_query ? fmt::format("?{}", request.query) : std::string();
  if (name == "@method") return std::string(request.method);
  if (name == "@scheme") return base::lower_text(request.scheme);
  if (name == "@authority") return normal_authority(request.authority, request.scheme);
  if (name == "@path") return std::string(request.path.empty() ? "/" : request.path);
  if (name == "@query") return query.empty() ? "?" : query;
  if (name == "@request-target") return fmt::format("{}{}", request.path, query);
  if (name == "@target-uri")
    return fmt::format("{}://{}{}{}", base::lower_text(request.scheme),
                       normal_authority(request.authority, request.scheme), request.path, query);
  return std::nullopt;
}

/// A member of a field that is a dictionary, selected by a component such as `"signature-agent";key="sig1"`.
std::optional<std::string> dictionary_member(std::string_view field, std::string_view key) {
  const auto dictionary = parse_dictionary(field);
  if (!dictionary) return std::nullopt;
  const auto member = std::ranges::find(*dictionary, key, &FieldMember::key);
  if (member == dictionary->end()) return std::nullopt;
  if (const auto* list = std::get_if<InnerList>(&member->value)) return serialise(*list);
  return serialise(std::get<Item>(member->value));
}

std::optional<std::string> component_value(const std::string& name, const Item& component,
                                           const RequestParts& request) {
  if (name.starts_with('@')) {
    return component.parameters.empty() ? derived_component(name, request) : std::nullopt;
  }
  if (name != base::lower_text(name) || !message::is_token(name)) return std::nullopt;
  auto value = request.field(name);
  if (!value || component.parameters.empty()) return value;
  // Other parameters (sf, bs, tr, req, name) are not needed for requests without a body.
  const BareItem* key = find_parameter(component.parameters, "key");
  const auto* text = key != nullptr ? std::get_if<std::string>(key) : nullptr;
  if (text == nullptr || component.parameters.size() != 1) return std::nullopt;
  return dictionary_member(*value, *text);
}

}  // namespace

std::string normal_authority(std::string_view authority, std::string_view scheme) {
  const std::string_view port = message::equal_ignoring_case(scheme, "https") ? ":443" : ":80";
  if (authority.ends_with(port)) authority.remove_suffix(port.size());
  return base::lower_text(authority);
}

std::optional<std::vector<LabelledSignature>> read_signatures(std::string_view signature_input,
                                                              std::string_view signature) {
  auto inputs = parse_dictionary(signature_input);
  const auto values = parse_dictionary(signature);
  if (!inputs || !values) return std::nullopt;
  std::vector<LabelledSignature> signatures;
  for (FieldMember& input : *inputs) {
    auto* list = std::get_if<InnerList>(&input.value);
    if (list == nullptr) return std::nullopt;
    const auto value = std::ranges::find(*values, input.key, &FieldMember::key);
    if (value == values->end()) continue;
    const auto* item = std::get_if<Item>(&value->value);
    const auto* bytes = item != nullptr ? std::get_if<ByteSequence>(&item->value) : nullptr;
    if (bytes == nullptr) return std::nullopt;
    signatures.push_back({std::move(input.key), std::move(*list), bytes->bytes});
  }
  return signatures;
}

std::optional<std::string> signature_base(const InnerList& input, const RequestParts& request) {
  std::string base;
  std::vector<std::string> seen;
  for (const Item& component : input.items) {
    const auto* name = std::get_if<std::string>(&component.value);
    if (name == nullptr) return std::nullopt;
    std::string identifier = serialise(component);
    if (std::ranges::find(seen, identifier) != seen.end()) return std::nullopt;
    const auto value = component_value(*name, component, request);
    if (!value || value->contains('\n')) return std::nullopt;
    base += fmt::format("{}: {}\n", identifier, *value);
    seen.push_back(std::move(identifier));
  }
  return base + fmt::format("\"@signature-params\": {}", serialise(input));
}

}  // namespace sheaf::http::signature
