# A folder under src/sheaf is a module, and so is a folder inside it, such as http/fetch. What a module may include is
# listed once, in src/sheaf/CMakeLists.txt:
#
#   sheaf_module(format DEPENDS base model PUBLIC reader.h writer.h LINK dep_simdjson dep_zstd)
#
# DEPENDS names the modules whose headers its files may include, PUBLIC the headers in include/sheaf that belong to
# it, LINK the libraries its .cpp files use. The edges are written to build/<preset>/modules.txt, and the test
# `module_edges` fails on any other include. Public headers are the only ones that are installed.
# The objects of a module go into the library that SHEAF_LIBRARY names. Those of a PROGRAM module (`cli` and the folders inside it) go into
# the program, or into a part of it if there are shared libraries.

set_property(GLOBAL PROPERTY SHEAF_MODULES "")

if(NOT DEFINED SHEAF_SHARED)
  set(SHEAF_SHARED ON)
endif()
if(SHEAF_SANITIZE OR SHEAF_FUZZ OR SHEAF_STEPS)
  set(SHEAF_SHARED OFF)
endif()

# sheaf_shared(TARGET NAME): a shared library lib/libNAME.so of the build folder. They are private to the program and the Python package, so
# they have no versions; each finds the others in its own folder.
function(sheaf_shared target name)
  add_library(${target} SHARED)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LINKER_LANGUAGE CXX
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/sheaf/library_symbols.map)
  # --disable-new-dtags: the folder is also searched for what our libraries bring with them and for what those need.
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags -Wl,-Bsymbolic-functions -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/sheaf/library_symbols.map)
  target_link_libraries(${target} PRIVATE Threads::Threads sheaf_warnings)
endfunction()

# sheaf_library(TARGET NAME [DEPENDENCY]): the static library sheaf::TARGET in libNAME.a, and the shared library TARGET_shared.
function(sheaf_library target name)
  add_library(${target} STATIC)
  add_library(sheaf::${target} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC Threads::Threads ${ARGN})
  if(SHEAF_SHARED)
    sheaf_shared(${target}_shared ${name})
    if(NOT target IN_LIST SHEAF_PROGRAM_PARTS)  # parts of the program use symbols of the program
      target_link_options(${target}_shared PRIVATE -Wl,-z,defs)
    endif()
    foreach(dependency ${ARGN})
      target_link_libraries(${target}_shared PUBLIC ${dependency}_shared)
    endforeach()
    if(NOT target STREQUAL scp AND NOT target STREQUAL sheaf)
      target_link_libraries(${target}_shared PUBLIC scp_shared)
    endif()
  endif()
endfunction()

# sheaf_program(TARGET): the program `sheaf`. With shared libraries, its parts are libraries too: `commands` is one of its own,
# the others belong to the component of their name and use `commands`.
set(SHEAF_PROGRAM_PARTS browse doctor)
function(sheaf_program target)
  add_executable(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME sheaf RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  if(NOT SHEAF_SHARED)
    target_link_libraries(${target} PRIVATE browse doctor shared_store sql_sources sheaf)
    return()
  endif()
  target_link_libraries(${target} PRIVATE scp_shared)
  set(exported ${PROJECT_SOURCE_DIR}/src/sheaf/program_symbols.list)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags -Wl,--dynamic-list=${exported})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exported} BUILD_RPATH_USE_ORIGIN ON
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/sheaf")
  sheaf_shared(commands_shared sheaf_commands)
  target_link_libraries(commands_shared PUBLIC sheaf_shared scp_shared)
  foreach(part ${SHEAF_PROGRAM_PARTS})
    target_link_libraries(${part}_shared PUBLIC commands_shared)
  endforeach()
  add_dependencies(${target} browse_shared doctor_shared shared_store_shared sql_sources_shared)
endfunction()

function(sheaf_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "PROGRAM" "DEPENDS;PUBLIC;LINK")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  sheaf_unity(${sources})
  string(REPLACE "/" "_" target ${name})
  string(JOIN " " edges ${module_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY SHEAF_MODULES "${name}: ${edges}")
  foreach(header ${module_PUBLIC})
    set_property(GLOBAL APPEND PROPERTY SHEAF_MODULES "${header} ${name}")
    set_property(GLOBAL APPEND PROPERTY SHEAF_PUBLIC_HEADERS_${SHEAF_LIBRARY} ${PROJECT_SOURCE_DIR}/include/sheaf/${header})
  endforeach()
  set(objects sheaf_${target})
  if(name STREQUAL "cli")  # the program itself: one small source
    set(objects sheaf_cli)
  else()
    add_library(${objects} OBJECT)
  endif()
  target_sources(${objects} PRIVATE ${sources})
  target_link_libraries(${objects} PRIVATE sheaf_warnings ${module_LINK})
  if(SHEAF_STEPS)  # calls a function of tests/growth for each branch taken
    target_compile_options(${objects} PRIVATE -fsanitize-coverage=trace-pc-guard)
  endif()
  set(whole ${SHEAF_LIBRARY})
  if(SHEAF_SHARED)
    list(APPEND whole ${SHEAF_LIBRARY}_shared)
  endif()
  if(module_PROGRAM)
    target_compile_definitions(${objects} PRIVATE SHEAF_VERSION="${PROJECT_VERSION}")
    set(whole sheaf_cli)
    if(SHEAF_SHARED AND NOT module_PROGRAM STREQUAL sheaf_cli)
      set(whole ${module_PROGRAM}_shared)
    endif()
  endif()
  if(NOT name STREQUAL "cli")
    foreach(library ${whole})
      target_sources(${library} PRIVATE $<TARGET_OBJECTS:${objects}>)
      target_link_libraries(${library} PRIVATE ${module_LINK})
    endforeach()
  endif()
  set(options library)
  # g++ stops inlining when a unit has grown by a certain percentage. So twelve sources in one unit would run slower than alone: validate
  # by 15 %. The option raises that limit. In modules that do not read every byte it would only cost compile time.
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"
     AND name MATCHES "^(base|model|text|encoding|html|format|extract)")
    target_compile_options(${objects} PRIVATE --param=inline-unit-growth=400)
    set(options hot_library)
  endif()
  # Builds with sanitizers are not optimised, which halves their compile time. The exceptions are modules that most tests wait
  # for.
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_FLAGS_DEBUG MATCHES "-O0" AND name MATCHES "^(base|text|encoding|html|format|extract|cli/options)")
    target_compile_options(${objects} PRIVATE -O1)
    set(options hot_library)
  endif()
  if(NOT name STREQUAL "cli")  # the program itself: one small source, and other options
    sheaf_precompile(${objects} ${options} ${sheaf_common_headers})
  endif()
  target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
endfunction()

function(sheaf_write_module_edges)
  get_property(modules GLOBAL PROPERTY SHEAF_MODULES)
  string(JOIN "\n" text ${modules})
  file(WRITE ${PROJECT_BINARY_DIR}/modules.txt "${text}\n")
endfunction()
