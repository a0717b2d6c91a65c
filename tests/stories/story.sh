# The words in which a story is told. A story begins with
#     source "$(dirname "$0")/story.sh"
# and is called with the program and a folder, which is emptied, and in which it then stands. The first check that fails
# ends it with what was seen.
set -u

program=$(readlink -f "$1")
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
unset GRAPHVEIL_BUDGET

seen_out=$folder/seen.out
seen_error=$folder/seen.error
asked="nothing yet"

# Ends the story: says what was wrong and what the person saw.
fail() {
  echo "FAILED: $*"
  echo "after: $asked"
  echo "--- standard output"
  cat "$seen_out"
  echo "--- standard error"
  cat "$seen_error"
  exit 1
}

# gv CODE ARGUMENTS...: runs the program, which must end with this exit code.
gv() {
  local wanted=$1 code=0
  shift
  asked="graphveil $*"
  "$program" "$@" >"$seen_out" 2>"$seen_error" || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code is $code, want $wanted"
}

# says TEXT: the last run printed this, on either of its two outputs. says_not TEXT: it did not.
says() { grep -qF -- "$1" "$seen_out" "$seen_error" || fail "it does not say: $1"; }
says_not() { ! grep -qF -- "$1" "$seen_out" "$seen_error" || fail "it says: $1"; }
# says_like REGEX: the same for an extended regular expression within a line.
says_like() { grep -qE -- "$1" "$seen_out" "$seen_error" || fail "nothing in it is like: $1"; }

# json_says TEXT: the JSON of the last run has this, its spaces and line ends left out.
json_says() { tr -d ' \n' <"$seen_out" | grep -qF -- "$1" || fail "the JSON does not have: $1"; }

# number NAME: the first number that stands after "NAME": in the JSON of the last run. mean NAME: the mean of such a figure
# over its repeats.
number() {
  tr -d ' \n' <"$seen_out" | grep -oE "\"$1\":-?[0-9][0-9.eE+-]*" | head -n 1 | sed 's/.*://'
}
mean() {
  tr -d ' \n' <"$seen_out" | grep -oE "\"$1\":\{\"mean\":-?[0-9][0-9.eE+-]*" | head -n 1 | sed 's/.*://'
}
# holds EXPRESSION: an awk expression over numbers, which must be true.
holds() { awk "BEGIN { exit !($1) }" || fail "does not hold: $1"; }

# there PATH..., not_there PATH...: files and folders.
there() {
  local path
  for path in "$@"; do [ -e "$path" ] || fail "$path is not there"; done
}
not_there() {
  local path
  for path in "$@"; do [ ! -e "$path" ] || fail "$path is there"; done
}
