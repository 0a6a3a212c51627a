#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::growth {

/// Something that reads bytes. `run` must not depend on earlier runs.
struct Subject {
  std::string name;
  void (*run)(std::string_view bytes);
};

/// Every export format, with pages made from a text in different ways, and parsers with the limits of the
/// program, where a fuzz target has smaller ones.
std::vector<Subject> exporters();

}  // namespace sheaf::growth
