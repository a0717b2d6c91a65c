set(prefix ${BUILD_DIR}/install-test/prefix)
set(consumer_build ${BUILD_DIR}/install-test/consumer)
file(REMOVE_RECURSE ${BUILD_DIR}/install-test)

function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
step(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER_DIR} -B ${consumer_build} -DCMAKE_PREFIX_PATH=${prefix}
     -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release)
step(${CMAKE_COMMAND} --build ${consumer_build})
step(${consumer_build}/consumer ${BUILD_DIR}/install-test/run)
step(${prefix}/bin/graphveil --version)
# What the consumer certified, the installed program verifies.
step(${prefix}/bin/graphveil verify ${BUILD_DIR}/install-test/run)

# The installed examples, by the package and, for one of them, by pkg-config.
file(GLOB examples ${prefix}/share/doc/*/examples)
step(${CMAKE_COMMAND} -G Ninja -S ${examples} -B ${BUILD_DIR}/install-test/examples -DCMAKE_PREFIX_PATH=${prefix}
     -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release)
step(${CMAKE_COMMAND} --build ${BUILD_DIR}/install-test/examples)
step(${BUILD_DIR}/install-test/examples/account_only)
step(${BUILD_DIR}/install-test/examples/train_and_certify ${BUILD_DIR}/install-test/people)
step(${prefix}/bin/graphveil verify ${BUILD_DIR}/install-test/people)
# A method that another project registers is trained, certified and verified by the library like ours.
step(${BUILD_DIR}/install-test/examples/own_method ${BUILD_DIR}/install-test/own)
file(GLOB_RECURSE package ${prefix}/*/graphveil.pc)
get_filename_component(packages ${package} DIRECTORY)
step(sh -c "PKG_CONFIG_PATH=${packages} && export PKG_CONFIG_PATH && ${CXX_COMPILER} ${examples}/account_only.cpp \
  -o ${BUILD_DIR}/install-test/by-pkg-config $(pkg-config --static --cflags --libs graphveil) && \
  ${BUILD_DIR}/install-test/by-pkg-config")

# What shells and people look for.
file(GLOB_RECURSE installed ${prefix}/include/*.h)
list(LENGTH installed installed_headers)
file(GLOB_RECURSE all ${CONSUMER_DIR}/../../../src/*.h)
list(LENGTH all all_headers)
if(NOT installed_headers LESS all_headers)
  message(FATAL_ERROR "all ${all_headers} headers are installed, wanted only what graphveil.h and own_method.h include")
endif()
foreach(file share/man/man1/graphveil.1 share/bash-completion/completions/graphveil include/graphveil/graphveil.h)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
execute_process(COMMAND bash -c "source ${prefix}/share/bash-completion/completions/graphveil
  COMP_WORDS=(${prefix}/bin/graphveil data imp) COMP_CWORD=2; _graphveil; echo -n \"\${COMPREPLY[*]}\"" OUTPUT_VARIABLE completed)
if(NOT completed STREQUAL "import")
  message(FATAL_ERROR "completion says '${completed}', want 'import'")
endif()
