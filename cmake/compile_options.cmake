# For what computes little: -O1 compiles faster, and under sanitizers -O0 faster still.
set(graphveil_light_level -O1)
if(GRAPHVEIL_SANITIZE)
  set(graphveil_light_level -O0)
endif()

# Flags for our own targets only; nothing global.
function(graphveil_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # -Wno-restrict: false alarms of GCC 12 on string concatenation (its bug 105651).
  # -ffp-contract=off: the plain loops are the reference and must not change with the CPU level.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                         -Wno-psabi -Wno-restrict -ffp-contract=off $<$<BOOL:${GRAPHVEIL_WERROR}>:-Werror>)
  if(GRAPHVEIL_ASSERTIONS)
    target_compile_options(${target} PRIVATE -UNDEBUG -D_GLIBCXX_ASSERTIONS)
  endif()
  if(GRAPHVEIL_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${GRAPHVEIL_SANITIZE} -fno-omit-frame-pointer)
    if(GRAPHVEIL_SANITIZE MATCHES undefined)
      target_compile_options(${target} PRIVATE -fno-sanitize-recover=undefined)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${GRAPHVEIL_SANITIZE})
  endif()
endfunction()
