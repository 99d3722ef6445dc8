#!/usr/bin/env bash
# Starts a program on N processes that Open MPI connects, and ends them as one: cluster.sh PROGRAM N [ARGUMENTS].
# MPIRUN_FLAGS may hold more flags for mpirun, such as --hostfile FILE.
#
# mpirun alone would end all ranks two seconds after Ctrl-C, whether they have saved or not, and bind each to a single
# core. So it runs in a process group of its own here, and Ctrl-C becomes a SIGUSR1, which it passes on to the ranks and
# then waits for them. Ctrl-C once more ends them at once.
set -euo pipefail
program=$1 processes=$2
shift 2
flags=(--quiet --bind-to none --oversubscribe -n "$processes")
if [[ $(id -u) == 0 ]]; then flags+=(--allow-run-as-root); fi

stops=0
stop() {
  stops=$((stops + 1))
  if [[ $stops == 1 ]]; then kill -USR1 "$pid"; else kill -INT "$pid"; fi
}
set -m
# shellcheck disable=SC2086
mpirun "${flags[@]}" ${MPIRUN_FLAGS:-} "$program" "$@" <&0 &
pid=$!
set +m
trap stop INT TERM HUP
while status=0; wait "$pid" || status=$?; kill -0 "$pid" 2>/dev/null; do :; done  # a trap ends the wait alone
last=0
wait "$pid" 2>/dev/null || last=$?
if [[ $last != 127 ]]; then status=$last; fi  # 127: the first wait has had it

if [[ $stops != 0 && $status -gt 128 ]]; then exit 130; fi  # before the first step, nothing waits for a SIGUSR1
case $status in
  13[4-9])
    printf 'cluster: a process died (exit %d), and mpirun has ended the others; what was saved last is whole: %s goes on\n' \
      "$status" "'${GRADUS_LAUNCHER:-${0##*/} $program $processes} train --init_from=resume'" >&2
    ;;
esac
exit "$status"
