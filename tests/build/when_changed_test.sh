#!/usr/bin/env bash
# Checks that when_changed.sh runs a command again after a failure or a change, and only then.
# usage: when_changed_test.sh WHEN_CHANGED
set -euo pipefail
when_changed=$1 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/folder"
printf '#!/bin/sh\necho ran >>"%s"\nexit "$1"\n' "$work/ran" >"$work/command.sh"
chmod +x "$work/command.sh"
echo one >"$work/folder/file"
echo '{}' >"$work/options.json"
failed=0
expect() {  # expect WHAT RUNS STATUS [COMMAND_STATUS]: the next call ends with STATUS after RUNS runs of the command
  local status=0 runs
  : >"$work/ran"
  "$when_changed" "$work/stamps/one" "$work" folder "$work/options.json" -- "$work/command.sh" "${4:-0}" || status=$?
  runs=$(wc -l <"$work/ran")
  if [[ "$runs $status" == "$2 $3" ]]; then echo "ok   $1"; return; fi
  echo "FAIL $1: $runs runs and status $status, expected $2 runs and $3"
  failed=1
}
expect 'a new test runs' 1 0
expect 'a test that has passed does not run again' 0 0
echo two >"$work/folder/file"
expect 'a changed file runs it' 1 0
touch "$work/folder/new"
expect 'a new file runs it' 1 0
echo '{"optimization": 0}' >"$work/options.json"
expect 'changed build options run it' 1 0
CXX=echo expect 'another compiler runs it' 1 0
echo three >"$work/folder/file"
expect 'a failure ends with the status of the command' 1 5 5
expect 'and leaves no stamp' 1 5 5
expect 'until it passes' 1 0
rm -r "$work/folder"
expect 'a path that is missing is an error' 0 1
exit "$failed"
