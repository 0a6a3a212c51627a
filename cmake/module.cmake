# One folder under src/sheaf is one module. What a module may include is said once, in src/sheaf/CMakeLists.txt:
#
#   sheaf_module(format DEPENDS base model LINK dep_simdjson dep_zstd)
#
# DEPENDS are the other modules whose headers its files may include, LINK the libraries its .cpp files use.
# The edges are written to build/<preset>/modules.txt, and the test `module_edges` fails on any other include.
# Every module's objects go into the one library `sheaf`; `cli` is the program and is not part of it.

set_property(GLOBAL PROPERTY SHEAF_MODULES "")

function(sheaf_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "PROGRAM" "" "DEPENDS;LINK")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  string(JOIN " " edges ${module_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY SHEAF_MODULES "${name}: ${edges}")
  if(module_PROGRAM)
    add_executable(sheaf_${name} ${sources})
    target_link_libraries(sheaf_${name} PRIVATE sheaf sheaf_warnings ${module_LINK})
  else()
    add_library(sheaf_${name} OBJECT ${sources})
    target_link_libraries(sheaf_${name} PRIVATE sheaf_warnings ${module_LINK})
    target_sources(sheaf PRIVATE $<TARGET_OBJECTS:sheaf_${name}>)
    target_link_libraries(sheaf PRIVATE ${module_LINK})
  endif()
  target_include_directories(sheaf_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()

function(sheaf_write_module_edges)
  get_property(modules GLOBAL PROPERTY SHEAF_MODULES)
  string(JOIN "\n" text ${modules})
  file(WRITE ${PROJECT_BINARY_DIR}/modules.txt "${text}\n")
endfunction()
