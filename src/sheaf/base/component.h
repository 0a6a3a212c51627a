#pragma once

#include "sheaf/base/error.h"

#include <string>

namespace sheaf::base {

/// A part of sheaf that is loaded when it is first used, because few uses need it or the libraries that it
/// needs. It is a shared library in the folder of libscp.so, with a C function for each thing that it offers,
/// and has a Debian package of its own. A program that links the part statically uses the same function
/// without loading anything: the function is then a weak symbol that is not null.
struct Component {
  const char* library;  ///< libsheaf_NAME.so
  const char* package;  ///< the Debian package that has it
  const char* target;   ///< the CMake target to link statically
  const char* use;      ///< what needs it, as the subject of a sentence: "a shared store"
};

/// The address of a function of a component. Fails with Errc::not_found and a message that says what to
/// install or to link. Thread-safe. A component stays loaded until the program ends.
Result<void*> load_component(const Component& component, const char* function);

/// `linked` is the function's weak symbol.
template <class Function>
Result<Function*> find_component(Function* linked, const Component& component, const char* function) {
  if (linked != nullptr) return linked;
  SHEAF_TRY_ASSIGN(void* const loaded, load_component(component, function));
  return reinterpret_cast<Function*>(loaded);
}

}  // namespace sheaf::base
