# A folder under src/sheaf is a module, and so is a folder inside it, such as http/fetch. What a module may include is
# listed once, in src/sheaf/CMakeLists.txt:
#
#   sheaf_module(format DEPENDS base model PUBLIC reader.h writer.h LINK dep_simdjson dep_zstd)
#
# DEPENDS names the modules whose headers its files may include, PUBLIC the headers in include/sheaf that belong to
# it, LINK the libraries its .cpp files use. The edges are written to build/<preset>/modules.txt, and the test
# `module_edges` fails on any other include. Public headers are the only ones that are installed.
# The objects of a module go into the library that SHEAF_LIBRARY names: `scp` or `sheaf`. Those of a PROGRAM module (`cli` and the
# folders inside it) go into the program.

set_property(GLOBAL PROPERTY SHEAF_MODULES "")

function(sheaf_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "PROGRAM" "" "DEPENDS;PUBLIC;LINK")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  sheaf_unity(${sources})
  string(REPLACE "/" "_" target ${name})
  string(JOIN " " edges ${module_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY SHEAF_MODULES "${name}: ${edges}")
  foreach(header ${module_PUBLIC})
    set_property(GLOBAL APPEND PROPERTY SHEAF_MODULES "${header} ${name}")
    set_property(GLOBAL APPEND PROPERTY SHEAF_PUBLIC_HEADERS_${SHEAF_LIBRARY} ${PROJECT_SOURCE_DIR}/include/sheaf/${header})
  endforeach()
  if(NOT TARGET sheaf_${target})  # the program is declared before its parts
    add_library(sheaf_${target} OBJECT)
  endif()
  target_sources(sheaf_${target} PRIVATE ${sources})
  target_link_libraries(sheaf_${target} PRIVATE sheaf_warnings ${module_LINK})
  if(SHEAF_STEPS)  # calls a function of tests/growth for each branch taken
    target_compile_options(sheaf_${target} PRIVATE -fsanitize-coverage=trace-pc-guard)
  endif()
  set(whole ${SHEAF_LIBRARY})
  if(module_PROGRAM)
    set(whole sheaf_cli)
    target_compile_definitions(sheaf_${target} PRIVATE SHEAF_VERSION="${PROJECT_VERSION}")
  endif()
  if(NOT whole STREQUAL sheaf_${target})
    target_sources(${whole} PRIVATE $<TARGET_OBJECTS:sheaf_${target}>)
    target_link_libraries(${whole} PRIVATE ${module_LINK})
  endif()
  # A program that only reads collections links only the objects that it needs.
  if(NOT SHEAF_SANITIZE AND NOT SHEAF_STEPS AND name MATCHES "^(base|model|format|api/scp)")
    set_target_properties(sheaf_${target} PROPERTIES UNITY_BUILD OFF)
  endif()
  set(options library)
  # g++ stops inlining when a unit has grown by a certain percentage. So twelve sources in one unit would run slower than alone: validate
  # by 15 %. The option raises that limit. In modules that do not read every byte it would only cost compile time.
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"
     AND name MATCHES "^(base|model|text|encoding|html|format|extract)")
    target_compile_options(sheaf_${target} PRIVATE --param=inline-unit-growth=400)
    set(options hot_library)
  endif()
  # Builds with sanitizers are not optimised, which halves their compile time. The exceptions are modules that most tests wait
  # for.
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_FLAGS_DEBUG MATCHES "-O0" AND name MATCHES "^(base|text|encoding|html|format|extract|cli/options)")
    target_compile_options(sheaf_${target} PRIVATE -O1)
    set(options hot_library)
  endif()
  if(NOT name STREQUAL "cli")  # the program itself: one small source, and other options
    sheaf_precompile(sheaf_${target} ${options} ${sheaf_common_headers})
  endif()
  target_include_directories(sheaf_${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
endfunction()

function(sheaf_write_module_edges)
  get_property(modules GLOBAL PROPERTY SHEAF_MODULES)
  string(JOIN "\n" text ${modules})
  file(WRITE ${PROJECT_BINARY_DIR}/modules.txt "${text}\n")
endfunction()
