#!/usr/bin/env bash
# Starts a program on N processes that Open MPI connects, and ends them together: cluster.sh PROGRAM N [ARGUMENTS].
# MPIRUN_FLAGS may hold more flags for mpirun, such as --hostfile FILE.
#
# By itself, mpirun would end all ranks two seconds after Ctrl-C, whether they have saved or not, and bind each rank to a single
# core. So this script runs mpirun in a separate process group and sends it SIGUSR1 at Ctrl-C. mpirun passes the signal on to
# the ranks and waits for them. A second Ctrl-C ends them at once.
set -euo pipefail
program=$1 processes=$2
shift 2
flags=(--bind-to none --oversubscribe -n "$processes")
if [[ $(id -u) == 0 ]]; then flags+=(--allow-run-as-root); fi
# A machine that is gone sends nothing. With these flags mpirun asks it after 2 s, three times, instead of after minutes.
flags+=(--mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3)

stops=0 passed_on=0 pid=''
stop() {
  stops=$((stops + 1))
  if [[ $stops == 1 && $processes != 1 ]]; then
    echo 'cluster: stopping after this step, or at the next averaging of weights (Ctrl-C again: stop now)' >&2
  fi
  pass_on
}
pass_on() {  # does nothing before mpirun has started
  while [[ -n $pid && $passed_on -lt $stops ]]; do
    passed_on=$((passed_on + 1))
    if [[ $passed_on == 1 ]]; then kill -USR1 "$pid"; else kill -INT "$pid"; fi 2>/dev/null || true
  done
}
trap stop INT TERM HUP

# Rank 0 writes a file here while it trains, in case its process ends without a message: see cli/run/carry_out.cpp.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GRADUS_LAST_WORDS=$folder/last_words

# mpirun reports the end of each rank between two rules. The messages of gradus and of this script have more detail,
# so these reports go to a file. All other lines of mpirun are shown. If they come after the last message of gradus,
# that message is printed again, because users read the end.
mkfifo "$folder/said"
show() {
  awk -v aside="$folder/reports" '
    /^(mpirun|prterun): Forwarding signal / { next }
    length($0) && !/[[:print:]]/ { next }  # Open MPI 5 ends a report with a zero byte
    /^gradus: / { print; fflush(); words = $0; later = 0; next }
    /^-+$/ && length($0) > 60 {
      if (!inside) { inside = 1; report = ""; next }
      inside = 0
      if (report ~ /MPI_ABORT was invoked|^Primary job|detected that one or more processes|noticed that process rank|has exited due to process rank/) {
        gsub(/\n/, " ", report)  # Open MPI 5 breaks the line
        print report >>aside
        close(aside)
      } else {
        printf "%s", report
        later = 1
      }
      fflush()
      next
    }
    inside { report = report $0 "\n"; next }
    /^\[.*:[0-9]+\] / { print; fflush(); later = 1; next }
    { print; fflush(); words = "" }
    END {
      if (inside) printf "%s", report
      if (words != "" && (inside || later)) print words
    }' <"$folder/said" >&2
}
set -m
show &
showing=$!
# shellcheck disable=SC2086
mpirun "${flags[@]}" ${MPIRUN_FLAGS:-} "$program" "$@" <&0 2>"$folder/said" &
pid=$!
set +m
pass_on
while status=0; wait "$pid" || status=$?; kill -0 "$pid" 2>/dev/null; do :; done  # a trap ends only the wait
last=0
wait "$pid" 2>/dev/null || last=$?
if [[ $last != 127 ]]; then status=$last; fi  # 127: the first wait has already returned it
for _ in {1..20}; do  # a lost ssh may hold the pipe open: waits no longer
  if ! kill -0 "$showing" 2>/dev/null; then break; fi
  sleep 0.05
done
kill "$showing" 2>/dev/null || true

if [[ ($stops -gt 1 && $status != 0) || ($stops == 1 && $status == 138) ]]; then exit 130; fi  # 138: before the first step
report='s/.*noticed that process \(rank [0-9]*\) with PID [0-9]* \(on node [^ ]*\) exited on \(signal .*\)\. *$/\1 \2 was killed by \3/p'
died=$(sed -n "$report" "$folder/reports" 2>/dev/null | tail -n 1) || true
if [[ ! -e $GRADUS_LAST_WORDS && ($status -le 128 || -z $died) ]]; then exit "$status"; fi  # the reason has been printed
case $died in
  *' signal 4 '*) died+=', because it was built for another CPU ("meson configure build -Dnative=false" builds for any CPU)' ;;
  *' signal 9 '*) died+=', often because memory ran out' ;;
esac
kept='no checkpoint was saved here'
if [[ -s $GRADUS_LAST_WORDS ]]; then kept="the last checkpoint is complete"$'\n'"to resume: $(<"$GRADUS_LAST_WORDS")"; fi
printf 'cluster: %s; all processes have ended; %s\n' "${died:-mpirun ended with status $status}" "$kept" >&2
exit "$status"
