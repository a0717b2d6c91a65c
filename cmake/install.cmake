include(CMakePackageConfigHelpers)

install(TARGETS graphveil EXPORT graphveil-targets FILE_SET HEADERS)
if(GRAPHVEIL_PROGRAM)
  install(TARGETS graphveil_program)
  install(FILES docs/graphveil.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES scripts/graphveil.bash-completion RENAME graphveil
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
file(RELATIVE_PATH GRAPHVEIL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/graphveil.pc.in ${PROJECT_BINARY_DIR}/graphveil.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/graphveil.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(EXPORT graphveil-targets NAMESPACE graphveil:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphveil)
configure_package_config_file(cmake/graphveil-config.cmake.in ${PROJECT_BINARY_DIR}/graphveil-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphveil)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/graphveil-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/graphveil-config.cmake ${PROJECT_BINARY_DIR}/graphveil-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graphveil)
