"""Makes sure that words name tests: `meson introspect --tests build | check_test_names.py WORDS`."""
import difflib
import fnmatch
import json
import sys

names = sorted({test["name"] for test in json.load(sys.stdin)})
for word in sys.argv[1:]:
    if word.startswith("-"):
        break  # the rest are flags of `meson test`, and their values
    if any(fnmatch.fnmatch(name, word.split(":")[-1]) for name in names):
        continue
    near = difflib.get_close_matches(word, names, 3)
    listed = ", ".join(f"'{name}'" for name in near or names)
    sys.exit(f"run: no test is called '{word}' ({'did you mean' if near else 'there are'} {listed}; "
             f"one file of the unit tests: build/tests/unit_tests --source-file='*{word}*')")
