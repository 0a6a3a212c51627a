#include "sheaf/base/component.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace sheaf::base {
namespace {

/// The file that contains this function: libscp.so, or a program that links libscp statically. Such a program
/// must not load a component, which would bring a second copy of everything.
std::filesystem::path own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&own_file), &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace

Result<void*> load_component(const Component& component, const char* function) {
  const std::filesystem::path library = own_file();
  if (library.filename() != "libscp.so")
    return fail(Errc::not_found,
                fmt::format("{} needs a part of sheaf that this program was linked without: {}",
                            component.use, component.target));
  const std::filesystem::path path = (library.parent_path() / component.library).lexically_normal();
  std::error_code failure;
  if (!std::filesystem::exists(path, failure))
    return fail(Errc::not_found, fmt::format("{} needs {}, which is not installed: apt-get install {}",
                                             component.use, path.string(), component.package));
  // Libraries that the component needs and that are missing are in the message.
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const address = handle == nullptr ? nullptr : dlsym(handle, function);
  if (address == nullptr)
    return fail(Errc::io, fmt::format("{} needs {}, which cannot be loaded: {}", component.use, path.string(),
                                      dlerror()));
  return address;
}

}  // namespace sheaf::base
