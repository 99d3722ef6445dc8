#!/usr/bin/env bash
# Checks that --werror holds only for the run that has it: in one folder, a program with a warning fails, then builds,
# then fails again: werror.sh SOURCE FOLDER.
set -euo pipefail

source=$1 folder=$2
rm -rf "$folder"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/build"
cp "$source/run" "$source/meson_options.txt" "$folder"
{ cat "$source/build/.found" 2>/dev/null || true; } >"$folder/build/.found"
cat >"$folder/meson.build" <<'END'
project('one', 'cpp', default_options: ['warning_level=3'])
executable('gradus', 'main.cpp')
END
echo 'int main() { int unused; }' >"$folder/main.cpp"

failed=0
expect() {  # expect STATUS FLAGS
  local status=0
  "$folder/run" -y ${2:+"$2"} build >"$folder/log" 2>&1 </dev/null || status=$?
  if [[ $status == "$1" ]]; then echo "ok   ./run ${2:+$2 }build ends with $status"; return; fi
  cat "$folder/log"
  echo "FAIL ./run ${2:+$2 }build ends with $status, not $1"
  failed=1
}
expect 1 --werror
expect 0 ''
expect 1 --werror
expect 0 ''
exit "$failed"
