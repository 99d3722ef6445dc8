"""Finds the earlier part of the reader's library that makes a later part red."""

import tempfile
from pathlib import Path

from chapters import Trouble
from mine import Mine, number_of, shown


def fault_of_earlier(builder, exercise):
    """Checks a part once more with the course's lines in all other places. If the check is still red, returns None. If
    it is green, returns the label of the first earlier part that is at fault, or "" if the fault is outside the parts,
    and the file of the fault."""
    mine = Mine()
    own, pocket = number_of(exercise.label), mine.pocket
    number = max(mine.reached()[0], own[0])
    holes = sorted((label for label in pocket.holes if number_of(label) < own), key=number_of)

    def written(label):
        lines, low, high = mine.place(label)
        return "".join(lines[low:high])

    texts = {label: written(label) for label in (*holes, exercise.label)}
    changed = [k for k in holes if k not in mine.open_holes() and texts[k].split() != pocket.block_of(k).text().split()]

    def state(labels):
        blocks = {pocket.block_of(label): texts[label] for label in (*labels, exercise.label)}
        return pocket.state(number, lambda label: number_of(label) > own, blocks=blocks)

    with tempfile.TemporaryDirectory() as folder:

        def passes(labels):
            home = Path(folder) / f"with_{len(labels)}"
            (home / "pocket").mkdir(parents=True)
            for name, text in state(labels).items():
                (home / "pocket" / name).write_text(text, errors="surrogateescape")
            try:
                return builder.check(exercise, home)[0]
            except Trouble:  # for example, a name that the reader defined elsewhere
                return False

        if not passes([]):
            return None
        if not changed or passes(changed):
            every = [label for label in pocket.holes if label[:2] <= number]
            blocks = {pocket.block_of(label): written(label) for label in every}
            whole = pocket.state(number, blocks=blocks)
            other = [f for f in whole if (mine.files / f).read_text(errors="surrogateescape").split() != whole[f].split()]
            return ("", mine.files / other[0]) if other else None
        low, high = 0, len(changed)  # green with the first `low` parts, red with the first `high`
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if passes(changed[:middle]) else (low, middle)
    return changed[low], mine.files / pocket.block_of(changed[low]).file


def said_of(fault):
    """Describes the fault in words."""
    label, file = fault
    if not label:
        return f"your lines here pass; the error is in a line of {shown(file)} outside of all exercises"
    return f"your lines here pass; an earlier part, {label} in {file.name}, is at fault, even if its own check is green"
