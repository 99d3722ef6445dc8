# Sums up the testlog.txt of `meson test`: prints the output of failed tests, one line for each test, and the last
# line "N passed, N failed". A doctest program counts as its test cases, any other test as one. A program that ends
# badly without a failed case (a crash, a time-out) counts as one failure. Parts that a case reports as skipped are
# listed below its program. Exits with 1 if anything failed or nothing ran.

function close_test() {
  if (name == "") return
  bad = result != "exit status 0"
  if (result == "exit status 77") {  # Meson's status for a test that cannot run here
    table = table sprintf("skip  %-40s %8s\n", name, duration)
    return
  }
  if (!cases) { ok = !bad; ko = bad } else if (bad && !ko) ko = 1
  passed += ok
  failed += ko
  if (ko) printf "%s\n", output
  verdict = ko ? sprintf("%d passed, %d failed (%s)", ok, ko, result) : sprintf("%d passed", ok)
  table = table sprintf("%s  %-40s %8s  %s\n", ko ? "FAIL" : "ok  ", name, duration, verdict) notes
}

/^=+ [0-9]+\/[0-9]+ =+$/ {
  close_test()
  name = duration = result = output = notes = ""
  cases = ok = ko = ended = 0
  next
}

/^test: / && name == "" { name = $0; sub(/^test: +(gradus:)?/, "", name) }
/^duration: / && duration == "" { duration = $2 }
/^result: / && result == "" { result = $0; sub(/^result: +/, "", result) }
/^\[doctest\] test cases: / { cases = 1; ok += $6; ko += $9 }
/MESSAGE: skipped: / { notes = notes "      " substr($0, index($0, "skipped: ")) "\n" }
!ended { output = output $0 "\n" }
/^=+$/ && length($0) == 78 { ended = 1 }  # Meson's own line under a test; doctest's lines are one longer

END {
  close_test()
  printf "%s\n%d passed, %d failed\n", table, passed, failed
  exit failed > 0 || passed == 0
}
