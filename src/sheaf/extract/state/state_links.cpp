// References inside a page's data: every framework that sends a graph of objects flattens it in its own way.
#include "sheaf/base/ascii.h"
#include "sheaf/extract/state/state_tree.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace sheaf::extract {
namespace {

using Kind = StateNode::Kind;
using NamedState = std::pair<std::string_view, StateId>;

constexpr std::size_t kBoundPerNode = 4;  // functions in functions are bound only so often

std::optional<std::uint32_t> state_number(std::string_view text, int base = 10) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The node of that name; kNoState if there is none.
StateId find_named(const std::vector<NamedState>& names, std::string_view name) {
  const auto found = std::ranges::lower_bound(names, name, {}, &NamedState::first);
  return found != names.end() && found->first == name ? found->second : kNoState;
}

void sort_names(std::vector<NamedState>& names) { std::ranges::sort(names); }

}  // namespace

void StateTree::refer(StateId from, StateId to) {
  to = resolve(to);
  if (to == from || to == kNoState) return;
  nodes_[from].stands_for = to;
  referrers_.resize(nodes_.size());
  if (referrers_[to] == kNoState) referrers_[to] = from;
}

/// Connects the variables inside a function that is called where it is written with its arguments.
/// `function` has the names of its parameters.
void StateTree::bind(StateId function, StateId arguments) {
  if (function == kNoState) return;
  std::vector<NamedState> names;
  StateId argument = nodes_[arguments].first;
  for (StateId name = nodes_[function].first; name != kNoState && argument != kNoState;
       name = nodes_[name].next, argument = nodes_[argument].next)
    if (nodes_[name].kind == Kind::atom) names.emplace_back(nodes_[name].text, argument);
  if (names.empty()) return;
  nodes_[arguments].first = nodes_[arguments].last = kNoState;  // they are where the variables are
  nodes_[arguments].children = 0;
  sort_names(names);
  for (StateId node = nodes_[function].last + 1; node < arguments; ++node) {
    if (++bound_ > kBoundPerNode * nodes_.size() + 1000) return;
    if (nodes_[node].kind != Kind::atom || nodes_[node].stands_for != kNoState) continue;
    if (const StateId value = find_named(names, nodes_[node].text); value != kNoState) refer(node, value);
  }
}

/// Flattened data is an array without arrays inside its elements: numbers in these are places in the array.
/// `{"_1":2}` names the member by its place as well.
void StateTree::connect_flat(StateId list) {
  constexpr std::uint32_t kLeast = 4;
  const std::uint32_t count = nodes_[list].children;
  const StateId first = nodes_[list].first;
  if (count < kLeast || nodes_[first].children == 0) return;
  std::vector<StateId> places;
  places.reserve(count);
  std::size_t numbers = 0;
  for (StateId element = first; element != kNoState; element = nodes_[element].next) {
    places.push_back(element);
    if (nodes_[element].kind == Kind::text) continue;  // also of JSON inside the data
    for (StateId child = nodes_[element].first; child != kNoState; child = nodes_[child].next) {
      if (nodes_[child].first != kNoState) return;
      if (nodes_[child].kind != Kind::atom) continue;
      if (const auto place = state_number(nodes_[child].text); place && *place >= count) return;
      ++numbers;
    }
  }
  if (numbers < 2) return;
  for (const StateId element : places) {
    if (!nodes_[element].text.empty()) continue;
    for (StateId child = nodes_[element].first; child != kNoState; child = nodes_[child].next) {
      StateNode& node = nodes_[child];
      if (node.key.starts_with('_'))
        if (const auto place = state_number(node.key.substr(1)); place && *place < count)
          node.key = nodes_[places[*place]].text;
      if (const auto place = state_number(node.text); place && node.kind == Kind::atom)
        refer(child, places[*place]);
    }
  }
}

/// Joins what scripts push in pieces, and reads it: React's flight data has a row per value, `1a:JSON` or
/// `1b:T4f2,` and as many bytes of text; others have a row of flattened data per promise.
void StateTree::connect_flight() {
  std::string joined;
  for (StateId id = 1; id < nodes_.size(); ++id) {
    const StateNode& node = nodes_[id];
    if (node.kind != Kind::call || node.first == kNoState) continue;
    StateId piece = kNoState;
    if (node.text.ends_with("streamController.enqueue")) piece = node.first;
    if (node.text.ends_with("__next_f.push")) piece = nodes_[nodes_[node.first].first].next;
    if (piece == kNoState || (nodes_[piece].kind != Kind::text && nodes_[piece].kind != Kind::list)) continue;
    joined += nodes_[piece].text;
    nodes_[piece].kind = Kind::atom;  // not a text of its own
  }
  if (joined.empty()) return;
  std::vector<NamedState> rows;
  const std::string_view text = arena_.copy(joined);
  StateId flat = kNoState;  // the first row without a name
  std::size_t end = 0;      // of the line
  for (std::size_t at = 0; at < text.size();) {
    if (end < at || at == 0) end = std::min(text.find('\n', at), text.size());
    std::string_view row = text.substr(at, end - at);
    const std::size_t colon = row.substr(0, 16).find(':');
    const bool has_name = colon != std::string_view::npos && row.front() != '[' && row.front() != '{';
    const std::string_view name = has_name ? row.substr(0, colon) : std::string_view();
    if (has_name) row.remove_prefix(colon + 1);
    const std::size_t comma = row.substr(0, 16).find(',');
    const auto size = row.starts_with('T') && comma != std::string_view::npos
                          ? state_number(row.substr(1, comma - 1), 16)
                          : std::nullopt;
    const StateId before = nodes_[0].last;
    if (size) {
      const std::size_t begin = at + name.size() + 1 + comma + 1;
      at = std::min(text.size(), begin + *size);
      add_text(text.substr(begin, at - begin), {});
    } else {
      if (row.starts_with('{') || row.starts_with('[') || row.starts_with('"')) read(row);
      at = end + 1;
    }
    const StateId added = nodes_[0].last;
    if (added == before) continue;
    const StateId value = nodes_[added].kind == Kind::object ? nodes_[added].first : added;
    if (value == kNoState) continue;
    if (flat == kNoState && !has_name) {
      flat = value;
    } else if (flat != kNoState && flat != value && nodes_[flat].first != kNoState &&
               nodes_[value].first != kNoState) {  // continues the array
      nodes_[nodes_[flat].last].next = nodes_[value].first;
      nodes_[flat].last = nodes_[value].last;
      nodes_[flat].children += nodes_[value].children;
      nodes_[value].first = nodes_[value].last = kNoState;
      nodes_[value].children = 0;
    } else {
      rows.emplace_back(name, value);
    }
  }
  sort_names(rows);
  const auto ends_reference = [](char c) { return !base::is_alphanumeric(c); };
  for (StateId id = 1; id < nodes_.size(); ++id) {
    std::string_view name = nodes_[id].text;
    if (nodes_[id].kind != Kind::text || name.size() < 2 || name.size() > 16 || name.front() != '$') continue;
    name.remove_prefix(1);
    if (std::string_view("L@FQWK").find(name.front()) != std::string_view::npos) name.remove_prefix(1);
    name =
        name.substr(0, static_cast<std::size_t>(std::ranges::find_if(name, ends_reference) - name.begin()));
    if (const StateId row = find_named(rows, name); row != kNoState) refer(id, row);
  }
}

/// {"__ref":"Post:1"}, {"type":"id","id":"Post:1"}: members of the cache's root object.
void StateTree::connect_named() {
  std::vector<std::pair<StateId, std::string_view>> references;
  for (StateId id = 1; id < nodes_.size(); ++id) {
    if (nodes_[id].kind != Kind::object) continue;
    std::string_view name = member_text(id, "__ref");
    if (name.empty() && member_text(id, "type") == "id") name = member_text(id, "id");
    if (!name.empty()) references.emplace_back(id, name);
  }
  if (references.empty()) return;
  std::vector<NamedState> names;
  for (StateId id = 1; id < nodes_.size(); ++id)
    if (nodes_[id].kind == Kind::object && !nodes_[id].key.empty()) names.emplace_back(nodes_[id].key, id);
  sort_names(names);
  for (const auto& [id, name] : references)
    if (const StateId target = find_named(names, name); target != kNoState) refer(id, target);
}

void StateTree::open_pairs(StateId begin) {
  for (StateId id = begin; id < nodes_.size(); ++id) {
    const StateId kind =
        nodes_[id].kind == Kind::list && nodes_[id].children == 2 ? nodes_[id].first : kNoState;
    if (kind != kNoState && nodes_[kind].kind == Kind::atom && state_number(nodes_[kind].text))
      refer(id, nodes_[kind].next);
  }
}

void StateTree::connect() {
  connect_flight();
  for (StateId id = 1; id < nodes_.size(); ++id)
    if (nodes_[id].kind == Kind::list) connect_flat(id);
  connect_named();
  // References to references end at a value; what leads in a circle, or far, refers to nothing.
  constexpr int kMostSteps = 16;
  for (StateId id = 1; id < nodes_.size(); ++id) {
    StateId target = nodes_[id].stands_for;
    for (int step = 0; step < kMostSteps && target != kNoState && nodes_[target].stands_for != kNoState;
         ++step)
      target = nodes_[target].stands_for;
    nodes_[id].stands_for = target != kNoState && nodes_[target].stands_for == kNoState ? target : kNoState;
  }
}

}  // namespace sheaf::extract
