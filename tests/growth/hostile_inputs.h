#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::growth {

/// A kind of input that can be made of any size: `front`, then `unit` over and over, then `close` as often,
/// then `back`.
struct Shape {
  std::string front;
  std::string unit;
  std::string close = {};
  std::string back = {};

  [[nodiscard]] std::string of_size(std::size_t bytes) const;
  /// For messages: the texts with unprintable characters escaped.
  [[nodiscard]] std::string name() const;
};

/// The shapes for a parser: what is hostile to any parser, and what is hostile to this one.
std::vector<Shape> shapes_for(std::string_view parser);

/// Texts for the exporters.
std::vector<Shape> text_shapes();

}  // namespace sheaf::growth
