# With CMAKE_UNITY_BUILD several sources of a target are compiled as one, which takes a third of the time. The presets
# `asan`, `tsan`, `plain`, `steps`, `fuzz` and `release` do so; `dev` does not, so that each source also compiles alone, and `package` does not,
# so that a program that only reads collections links only the objects that it needs.
#
# So names in unnamed namespaces have to be unique within a module. A source that must reuse a name is compiled alone.
# Test builds are made from scratch more often than they are updated, so larger batches pay off: they read fewer headers.
if(NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 32)
  endif()
endif()

# Headers that nearly every source includes are compiled once, for all targets that are compiled with the same options.
# sheaf_precompile(TARGET GROUP HEADER...): GROUP names these options; the first call for a group also says which headers.
function(sheaf_precompile target group)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY SHEAF_PRECOMPILED_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY SHEAF_PRECOMPILED_${group} ${target})
  endif()
endfunction()
add_compile_options(-pthread)  # required by the pkg-config file of re2
set(sheaf_common_headers <algorithm> <array> <chrono> <cstdint> <expected> <filesystem> <functional> <map> <memory> <mutex> <optional> <ranges> <set>
  <span> <string> <string_view> <thread> <utility> <variant> <vector> <fmt/format.h>)

set(sheaf_alone
  # src/sheaf
  url_host.cpp json_text.cpp front_matter.cpp hint_words.cpp json_ld.cpp sitemap_layout.cpp transport.cpp
  metadata_date.cpp sql_source.cpp remote_target.cpp fetch_transfer.cpp prepare.cpp section_memory.cpp encoding_sniffer.cpp
  section_change.cpp verify_store.cpp maintenance.cpp
  # tests
  collection_writer_test.cpp legacy_media_test.cpp page_decoder_test.cpp validator_test.cpp extract_test.cpp json_ld_test.cpp
  encoding_prescan_test.cpp http_date_test.cpp fetcher_test.cpp content_coding_test.cpp page_identity_test.cpp site_walk_test.cpp
  sitemap_test.cpp store_damage_test.cpp page_file_name_test.cpp pull_plan_test.cpp publish_plan_test.cpp schedule_test.cpp catalog_test.cpp
)

# sheaf_unity(SOURCE...): excludes the sources that are compiled alone.
function(sheaf_unity)
  foreach(source ${ARGN})
    cmake_path(GET source FILENAME name)
    if(name IN_LIST sheaf_alone)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()
