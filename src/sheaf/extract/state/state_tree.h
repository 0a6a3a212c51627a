#pragma once

#include <sheaf/arena.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Identifies a node of a StateTree. Node 0 is the root.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = 0;

/// A value in the data of a page's scripts.
struct StateNode {
  enum class Kind : std::uint8_t {
    atom,    ///< a number, a keyword or a variable; its text is as written
    text,    ///< a string
    list,    ///< an array, or the values inside parentheses
    object,  ///< an object, or the statements inside braces
    call,    ///< a function call; its text is the function's name
  };
  Kind kind = Kind::atom;
  std::uint32_t children = 0;
  std::string_view key;   ///< the name of a member, or of the variable that the value was assigned to
  std::string_view text;  ///< also of a list or object that was written as a string
  StateId parent = kNoState;
  StateId first = kNoState;
  StateId last = kNoState;
  StateId next = kNoState;
  StateId stands_for = kNoState;  ///< the node that this one refers to
};

/// The data in a page's scripts and attributes as one tree. Reads JSON and JavaScript with the same scanner:
/// it understands literals, assignments and calls, and skips everything else. No script is executed. Reading
/// never fails: whatever is malformed gives fewer values. Work and memory are linear in the input; nodes,
/// bytes and depth are bounded.
class StateTree {
 public:
  void clear();

  /// Adds the values of a script, of JSON, or of an attribute to the root. `source` must outlive the tree.
  void read(std::string_view source, std::string_view key = {});
  /// Adds a text to the root.
  void add_text(std::string_view text, std::string_view key);

  /// In the nodes from `begin` on, lets pairs of a number and a value stand for the value: Astro writes every
  /// value with its kind.
  void open_pairs(StateId begin);

  /// Connects references with what they refer to: the numbers of flattened data (devalue, turbo-stream), the
  /// rows of React's flight data, `__ref` of normalised caches.
  void connect();

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// A node, or what it stands for.
  [[nodiscard]] const StateNode& operator[](StateId id) const { return nodes_[resolve(id)]; }
  /// A node as it was written: `key`, `parent` and `next` are those of the reference.
  [[nodiscard]] const StateNode& written(StateId id) const { return nodes_[id]; }
  [[nodiscard]] StateId resolve(StateId id) const {
    const StateId target = nodes_[id].stands_for;
    return target == kNoState ? id : target;
  }
  /// The container of a node; that of the first reference if something refers to it.
  [[nodiscard]] StateId above(StateId id) const;
  /// The member of that name, resolved; kNoState if there is none. Looks at the first 64 members.
  [[nodiscard]] StateId member(StateId object, std::string_view key) const;
  /// The text of a member; empty if it is not a text.
  [[nodiscard]] std::string_view member_text(StateId object, std::string_view key) const;

 private:
  friend class StateScanner;

  StateId add(StateId parent, StateNode::Kind kind, std::string_view text = {});
  void refer(StateId from, StateId to);
  void read_inside(StateId text, unsigned level);
  void bind(StateId function, StateId arguments);
  void connect_flat(StateId list);
  void connect_flight();
  void connect_named();

  std::vector<StateNode> nodes_ = std::vector<StateNode>(1);
  std::vector<StateId> referrers_;  // by node: the first node that stands for it
  Arena arena_;
  std::size_t bytes_ = 0;
  std::size_t bound_ = 0;  // nodes visited by bind()
};

}  // namespace sheaf::extract
