# Warnings, hardening and sanitizers for all our targets. They are in an INTERFACE target, so that consumers do not get them.
add_library(sheaf_warnings INTERFACE)
target_compile_options(sheaf_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wundef -fno-math-errno)
if(SHEAF_WERROR)
  target_compile_options(sheaf_warnings INTERFACE -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(sheaf_warnings INTERFACE -fstack-protector-strong)
  target_compile_definitions(sheaf_warnings INTERFACE _FORTIFY_SOURCE=2)
  # The same sources give the same bytes in any folder.
  add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=. -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
  # Position-independent programs, with a read-only global offset table.
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  target_link_options(sheaf_warnings INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,--as-needed)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With optimisation, g++ 12 and 14 falsely warn that members of an empty std::optional are read uninitialised. clang checks these too.
  target_compile_options(sheaf_warnings INTERFACE -Wno-maybe-uninitialized)
  # g++ 12 also warns falsely of string copies that overlap, are too long or leave their array.
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(sheaf_warnings INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(CMAKE_UNITY_BUILD)  # treats each source as a header
    target_compile_options(sheaf_warnings INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # libstdc++ 12 uses its own deprecated functions in std::stable_sort
  target_compile_options(sheaf_warnings INTERFACE -Wno-deprecated-declarations)
endif()
if(SHEAF_SANITIZE)
  add_compile_options(-fsanitize=${SHEAF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fno-sanitize=function)  # consumers of an Arrow stream call it through their own declaration
    # Checks of every pointer make up two fifths of the code. ASan also finds null pointers, and the fuzz targets, which parse data
    # from outside, do check every pointer.
    if(NOT SHEAF_FUZZ)
      add_compile_options(-fno-sanitize=null,alignment,vptr)
    endif()
    find_program(SHEAF_LLD ld.lld-19)  # links these large programs in a fifth of the time
    if(SHEAF_LLD)
      add_link_options(-fuse-ld=lld)
    endif()
  endif()
  add_link_options(-fsanitize=${SHEAF_SANITIZE})
  if(SHEAF_SANITIZE MATCHES address)
    # UBSan's tables have a million addresses. If these are not relocated, a program starts in four fifths of the time,
    # and the tests start it thousands of times.
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()
if(SHEAF_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
