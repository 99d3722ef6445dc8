"""Prints the needs of the named tests, for ./run test: on the first line packages, with their names in ./run's
table; then the files that ninja must build, one on each line. A test needs the packages that its suites name.

usage: named_tests.py BUILD NAME... [FLAGS OF meson test]
"""

import difflib
import fnmatch
import itertools
import json
import pathlib
import sys


def main(build, *words):
    build = pathlib.Path(build)
    tests, targets = (json.loads((build / "meson-info" / f"intro-{kind}.json").read_text())
                      for kind in ("tests", "targets"))
    names = sorted({test["name"] for test in tests})
    chosen = []
    for word in itertools.takewhile(lambda word: not word.startswith("-"), words):
        found = [test for test in tests if fnmatch.fnmatch(test["name"], word.split(":")[-1])]
        if not found:
            near = difflib.get_close_matches(word, names, 3)
            listed = ", ".join(f"'{name}'" for name in near or names)
            sys.exit(f"run: no test is called '{word}' ({'did you mean' if near else 'there are'} {listed}; "
                     f"one file of the unit tests: build/tests/unit_tests --source-file='*{word}*')")
        chosen += found
    suites = (suite.split(":")[-1] for test in chosen for suite in test["suite"])
    print(*dict.fromkeys(suites))
    wanted = {depends for test in chosen for depends in test["depends"]}
    files = (file for target in targets if target["id"] in wanted for file in target["filename"])
    print(*dict.fromkeys(str(pathlib.Path(file).relative_to(build.resolve())) for file in files), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
