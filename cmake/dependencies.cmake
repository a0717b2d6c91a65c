# Every third-party library, found once. Shared by the build and by the installed package.
find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3>=3.37)

# oneDNN's own package file asks for OpenCL headers that its CPU interface does not need.
if(NOT TARGET graphveil_dnnl)
  find_library(GRAPHVEIL_DNNL_LIBRARY dnnl REQUIRED)
  find_path(GRAPHVEIL_DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.h REQUIRED)
  add_library(graphveil_dnnl INTERFACE IMPORTED)
  target_link_libraries(graphveil_dnnl INTERFACE ${GRAPHVEIL_DNNL_LIBRARY})
  target_include_directories(graphveil_dnnl INTERFACE ${GRAPHVEIL_DNNL_INCLUDE_DIR})
endif()
