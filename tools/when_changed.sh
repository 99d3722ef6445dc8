#!/usr/bin/env bash
# Runs a test, or makes pages, unless that has succeeded before with the same command, compiler and files; then it only prints
# that. A failure leaves no stamp. A new clone has no stamps, so there every test runs.
# usage: when_changed.sh STAMP ROOT PATH... -- COMMAND [ARGUMENTS]   (each PATH is a file or folder, from ROOT on or absolute)
set -euo pipefail

stamp=$1 root=$2
shift 2
paths=()
while [[ $1 != -- ]]; do paths+=("$1"); shift; done
shift

inputs() {
  printf '%s\n' "$@"
  "${CXX:-c++}" --version
  (cd "$root" && find "${paths[@]}" "$1" -type f ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}
now=$(inputs "$@" | sha256sum)
if [[ -f $stamp && $(<"$stamp") == "$now" ]]; then
  echo "ok   ${stamp##*/}: nothing has changed since this succeeded"
  exit
fi
rm -f "$stamp"
"$@"
mkdir -p "${stamp%/*}"
printf '%s\n' "$now" >"$stamp"
