"""How far runs drift apart: takes names and pairs of files that `build/tutorials/gpt . --five` printed, prints a table.

    python3 tutorials/15_gpt/drift.py "pocket and gradus" pocket.txt gradus.txt ...
"""

import sys

STEPS = 0, 10, 50, 100, 200, 400


def runs(file):
    """For each seed the losses of all steps, and the held-out loss at the end."""
    return [list(map(float, line.split())) for line in open(file) if line.strip()]


pairs = [(name, runs(one), runs(other)) for name, one, other in zip(*[iter(sys.argv[1:])] * 3)]
print("training loss at step  " + "".join(f"{step:9}" for step in STEPS))
for name, one, other in pairs:
    apart = [max(abs(a[step] - b[step]) for a, b in zip(one, other)) for step in STEPS]
    print(f"{name:<23}" + "".join(f"{x:9.5f}" for x in apart))
print("held-out loss               mean" + "".join(f"   seed {seed}" for seed in range(1, 6)))
for name, one, other in pairs:
    ends = [b[-1] - a[-1] for a, b in zip(one, other)]
    print(f"{name:<23}" + "".join(f"{x:+9.4f}" for x in [sum(ends) / len(ends), *ends]))
