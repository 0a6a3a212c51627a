# The program, the library, its public headers, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS sheaf EXPORT sheafTargets COMPONENT library)
install(TARGETS sheaf_cli COMPONENT program)
# Installs the Python package, and the library that it loads, where Debian's Python looks for packages.
if(TARGET sheaf_c)
  file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/sheaf/*.py ${PROJECT_SOURCE_DIR}/python/sheaf/py.typed)
  install(FILES ${python_sources} DESTINATION lib/python3/dist-packages/sheaf COMPONENT python)
  install(TARGETS sheaf_c LIBRARY DESTINATION lib/python3/dist-packages/sheaf COMPONENT python)
endif()
get_property(sheaf_public_headers GLOBAL PROPERTY SHEAF_PUBLIC_HEADERS)
install(FILES ${sheaf_public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sheaf COMPONENT library)
install(EXPORT sheafTargets NAMESPACE sheaf:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sheaf COMPONENT library)

configure_package_config_file(cmake/sheafConfig.cmake.in sheafConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sheaf)
write_basic_package_version_file(sheafConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sheafConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/sheafConfigVersion.cmake
              cmake/dependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sheaf COMPONENT library)

set(sheaf_pc_isal "")
if(TARGET PkgConfig::dep_isal)
  set(sheaf_pc_isal ", libisal")
endif()
# The path is relative, so that `cmake --install --prefix` and relocated packages keep working.
file(RELATIVE_PATH sheaf_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sheaf.pc.in sheaf.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sheaf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES systemd/sheaf-serve.service systemd/sheaf-serve.socket DESTINATION lib/systemd/system COMPONENT program)
