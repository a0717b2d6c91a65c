include(CMakePackageConfigHelpers)

install(TARGETS graphveil EXPORT graphveil-targets FILE_SET HEADERS)
install(TARGETS graphveil_program)
install(EXPORT graphveil-targets NAMESPACE graphveil:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphveil)
configure_package_config_file(cmake/graphveil-config.cmake.in ${PROJECT_BINARY_DIR}/graphveil-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphveil)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/graphveil-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/graphveil-config.cmake ${PROJECT_BINARY_DIR}/graphveil-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphveil)
