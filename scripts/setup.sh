# Sourced by ./run, ./test and .ci/run: installs the packages of the given lists that are missing, then configures and
# builds one preset, with a line that moves. Quick when there is nothing to do.

# Shows how far an installation is. Reads apt's lines of status: dlstatus:FILE:PERCENT:WHAT, pmstatus:PACKAGE:PERCENT:WHAT.
show_install() {
  local line kind percent shown=-1
  while IFS= read -r line; do
    [[ $line =~ ^(dlstatus|pmstatus):[^:]*:([0-9]+) ]] || continue
    kind=${BASH_REMATCH[1]} percent=${BASH_REMATCH[2]}
    if [ -t 2 ]; then
      [ "$kind" = dlstatus ] && kind="fetching" || kind="unpacking"
      printf '\rInstalling, %s: %d%%   ' "$kind" "$percent" >&2
    elif [ "$kind" = pmstatus ] && [ $((percent / 25)) -gt "$shown" ]; then
      shown=$((percent / 25))
      echo "Installing: $percent%" >&2
    fi
  done
  [ -t 2 ] && printf '\n' >&2
  return 0
}

# install_missing_packages [LIST...]: by default system-packages.txt.
install_missing_packages() {
  local wanted missing=() package
  wanted=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${@:-system-packages.txt}")
  for package in $wanted; do
    # Node.js of another source than the distribution's has npm in it, and conflicts with the package.
    [ "$package" = npm ] && command -v npm >/dev/null && continue
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "These packages are missing and neither root nor sudo is at hand: ${missing[*]}" >&2; return 1; }
    sudo=sudo
  fi
  echo "Installing: ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { { $sudo apt-get update -qq -o APT::Status-Fd=1 && $sudo env DEBIAN_FRONTEND=noninteractive \
             apt-get install -y -qq -o APT::Status-Fd=1 --no-install-recommends "${missing[@]}"; } 2>&1 |
           tee "$log" | show_install; }; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Shows how far a build is: one line that moves on a terminal, every tenth of the way elsewhere. Reads ninja's output.
show_build() {
  local preset=$1 line done_ all shown=-1
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      done_=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
      if [ -t 2 ]; then
        printf '\rBuilding %s: %d of %d ' "$preset" "$done_" "$all" >&2
      elif [ $((10 * done_ / all)) -gt "$shown" ]; then
        shown=$((10 * done_ / all))
        echo "Building $preset: $done_ of $all" >&2
      fi
    fi
  done
  [ -t 2 ] && printf '\n' >&2
  return 0
}

# build_preset PRESET [TARGET...]: prints the end of the log when the build fails. GRAPHVEIL_CMAKE_OPTIONS go to CMake.
build_preset() {
  local preset=$1 log
  shift
  log=$(mktemp)
  [ -f "build/$preset/build.ninja" ] || echo "Configuring $preset" >&2
  # shellcheck disable=SC2086
  if ! { { [ -f "build/$preset/build.ninja" ] && [ -z "${GRAPHVEIL_CMAKE_OPTIONS:-}" ]; } ||
         cmake --preset "$preset" ${GRAPHVEIL_CMAKE_OPTIONS:-}; } >"$log" 2>&1 ||
     ! { cmake --build "build/$preset" ${1:+--target "$@"} 2>&1 | tee "$log" | show_build "$preset"; }; then
    tail -n 60 "$log" >&2
    rm -f "$log"
    echo "The build of preset '$preset' failed." >&2
    return 1
  fi
  rm -f "$log"
}
