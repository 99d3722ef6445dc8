"""The fold-outs "Same in PyTorch": checks that the output of NN_name/pytorch*.py, kept in pytorch*.txt, has the page's
numbers.

A script prints the marks of the chapter's parts, [name] before and after, and between them numbers that the chapter's
program printed in that part, in the same order. tests/golden/make_fixtures.py runs the scripts. The first line of the
kept output holds a digest of the script, which shows whether the script has changed since.
"""

import hashlib
import re

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def script_of(script):
    """The script as a page shows it, without the lines that print marks."""
    return re.sub(r'^ *print\("\[\w+\]"\)\n', "", script.read_text(), flags=re.M)


def digest(script):
    return f"# made from {script.name}, {hashlib.sha256(script.read_bytes()).hexdigest()[:16]}\n"


def is_same(ours, theirs):
    """Whether two printed numbers agree, up to one unit in the last digit of the page's number."""
    mantissa, _, power = ours.partition("e")
    unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    return abs(float(ours) - float(theirs)) <= (1.01 * unit if "." in ours else 0)


def faults_of_pytorch(script, parts):
    """The places where a script's numbers differ from the numbers in the chapter's parts (name: text)."""
    made = script.with_suffix(".txt")
    if not made.exists() or not made.read_text().startswith(digest(script)):
        return [f"{script.name} has changed since {made.name} was made: run tests/golden/make_fixtures.py"]
    printed = re.findall(r"^\[(\w+)\]\n(.*?)^\[\1\]$", made.read_text(), re.M | re.S)
    faults = [] if printed else [f"{made.name} has no part of the chapter"]
    for name, text in printed:
        if name not in parts:
            faults.append(f"{made.name}: the chapter prints no part {name}")
            continue
        rest = iter(NUMBER.findall(parts[name]))
        numbers = NUMBER.findall(text)
        if not numbers:
            faults.append(f"{made.name}: the part {name} has no number")
        for number in numbers:
            if not any(is_same(ours, number) for ours in rest):
                faults.append(f"{made.name}: PyTorch has {number} in {name}, and the chapter does not, or not there")
                break
    return faults
