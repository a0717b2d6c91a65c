# Small sources spend most of their time on the headers they share, so those of one room are compiled as one. The preset
# `dev` compiles each by itself, which is quicker after an edit and notices what a source forgot to include.
option(GRAPHVEIL_UNITY "Compile the sources of a room as one" ON)

# graphveil_unity(TARGET SOURCE...): the given sources, grouped by the room of src/graphveil they lie in. A room must not
# define two things of one name in its sources, anonymous or not.
function(graphveil_unity target)
  if(NOT GRAPHVEIL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    set(room all)
    if(source MATCHES "/src/graphveil/([a-z]+)/")
      set(room ${CMAKE_MATCH_1})
    endif()
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()
