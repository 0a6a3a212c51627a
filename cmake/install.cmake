# The program, and for each library its public headers, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS sheaf_cli COMPONENT program)
# Installs the Python package, and the library that it loads, where Debian's Python looks for packages.
if(TARGET sheaf_c)
  file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/sheaf/*.py ${PROJECT_SOURCE_DIR}/python/sheaf/py.typed)
  install(FILES ${python_sources} DESTINATION lib/python3/dist-packages/sheaf COMPONENT python)
  install(TARGETS sheaf_c LIBRARY DESTINATION lib/python3/dist-packages/sheaf COMPONENT python)
endif()

set(sheaf_pc_isal "")
if(TARGET PkgConfig::dep_isal)
  set(sheaf_pc_isal ", libisal")
endif()
# The path is relative, so that `cmake --install --prefix` and relocated packages keep working.
file(RELATIVE_PATH sheaf_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(library scp sheaf)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${library})
  install(TARGETS ${library} EXPORT ${library}Targets COMPONENT ${library})
  get_property(headers GLOBAL PROPERTY SHEAF_PUBLIC_HEADERS_${library})
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sheaf COMPONENT ${library})
  install(EXPORT ${library}Targets NAMESPACE sheaf:: DESTINATION ${folder} COMPONENT ${library})
  configure_package_config_file(cmake/${library}Config.cmake.in ${library}Config.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${library}ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}Config.cmake ${CMAKE_CURRENT_BINARY_DIR}/${library}ConfigVersion.cmake
                cmake/${library}_dependencies.cmake
          DESTINATION ${folder} COMPONENT ${library})
  configure_file(cmake/${library}.pc.in ${library}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${library})
endforeach()
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES systemd/sheaf-serve.service systemd/sheaf-serve.socket DESTINATION lib/systemd/system COMPONENT program)
