# Sourced by ./run and ./test: installs the packages of system-packages.txt that are missing, then
# configures and builds one preset. Quick when there is nothing to do.

install_missing_packages() {
  local wanted missing=() package
  wanted=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' system-packages.txt)
  for package in $wanted; do
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
  if ! { $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# build_preset PRESET [TARGET...]: prints the whole log only when the build fails.
build_preset() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if ! { [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset"; } >"$log" 2>&1 ||
     ! cmake --build "build/$preset" ${1:+--target "$@"} >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    rm -f "$log"
    echo "The build of preset '$preset' failed." >&2
    return 1
  fi
  rm -f "$log"
}
