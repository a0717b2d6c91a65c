# cmake -D INPUT=FILE -D OUTPUT=SOURCE.cpp -D HEADER=graphveil/x/y.h -D NAMESPACE=a::b -D FUNCTION=f -P embed.cmake
# writes a C++ source with the bytes of a file, given out by `std::string_view FUNCTION()`. Needs no tool but CMake.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
# A literal is written in pieces: some compilers want short ones.
set(piece_digits 4096)
set(literal "")
set(at 0)
while(at LESS digits)
  string(SUBSTRING "${bytes}" ${at} ${piece_digits} piece)
  string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
  string(APPEND literal "    \"${piece}\"\n")
  math(EXPR at "${at} + ${piece_digits}")
endwhile()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}() {
  static constexpr char kBytes[] =
${literal}      ;
  return {kBytes, ${size}};
}

}  // namespace ${NAMESPACE}
")
