"""A line for each verdict of a test in Python, and the exit code of all of them."""

import sys

failed = 0


def verdict(what, holds, said=""):
    global failed
    failed += not holds
    print("ok  " if holds else "FAIL", what, "" if holds else f"\n{said}", flush=True)


def finish():
    print(f"failed: {failed}")
    sys.exit(failed != 0)
