"""What likely went wrong: wrong.txt says it, of the wrong answer that is red as the reader's is.

A check says what it got beside what it expected, and ends with the first thing that is wrong. So answers with one mistake
are red with the same words and the same numbers, whatever the check compares, and no check has to work out what a mistake
would give. Where no numbers agree, answers that were red at the same place may have the same cause."""

import re

MOST = 3  # causes that may be named at once: a check that cannot tell more apart compares too little

NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|\binf\b|\bnan\b)")
CAUSE = re.compile(r"^likely cause: .*", re.M | re.S)
NO_NUMBERS = re.compile(r"^RED    (your program |the program was ended |exercise \d\d\.\d+: )", re.M)


class Failure:
    """The red words of a check without the cause that it names itself: `words` between `numbers`, and the `place`, which is
    what was asked and how far the check came. `place` is empty for a program that crashed or was stopped."""

    def __init__(self, said):
        before, _, after = said.rpartition("RED    ")
        green = NUMBER.sub("#", "".join(re.findall(r"^green  .*", before, re.M)[-1:]))
        text = CAUSE.sub("", after).replace("-nan", "nan")
        asked, got, _ = text.split("\n")[0].partition(" got ")
        self.place = "" if NO_NUMBERS.search("RED    " + after) else green + (asked if got else NUMBER.sub("#", asked))
        self.words = [*green.split(), *NUMBER.sub("#", text).split()]
        self.numbers = [*map(float, NUMBER.findall(text))]

    def distance(self, other):
        """How far the numbers of two failures are from each other; None where these are two mistakes. Numbers that were
        added in another order, or that one of two formulas rounds, are the same."""
        if self.words != other.words:
            return None
        apart = 0
        for a, b in zip(self.numbers, other.numbers):
            if a == b or a != a and b != b:
                continue
            if not abs(a - b) <= 1e-5 + 1e-3 * max(abs(a), abs(b)) < float("inf"):
                return None
            apart += abs(a - b) / (1e-5 + max(abs(a), abs(b)))
        return apart


def is_comparable(said):
    """Whether a check said anything that another answer could have in common with this one."""
    return "RED    " in said and not re.search(r"^RED    (your program |exercise \d\d\.\d+: )", said, re.M)


def causes_of(said, usual):
    """The causes that fit what a check said: of the wrong answers `usual`, pairs of a cause and what the check said, those
    that are red with the nearest numbers; and those that were red at the same place with other numbers."""
    if not is_comparable(said):
        return [], []
    mine = Failure(said)
    failures = [(cause, Failure(other)) for cause, other in usual if is_comparable(other)]
    found = [(apart, cause) for cause, failure in failures if (apart := mine.distance(failure)) is not None]
    least = min((apart for apart, _ in found), default=0)
    here = [cause for cause, failure in failures if mine.place and failure.place == mine.place]
    return [*dict.fromkeys(cause for apart, cause in found if apart <= least + 1e-6)], [*dict.fromkeys(here)]


def parted(said):
    """What a check said, and the cause that it names itself at the end."""
    before, red, after = said.rpartition("RED    ")
    cause = CAUSE.search(after) if red else None
    return (before + red + after[: cause.start()], cause[0]) if cause else (said, "")


def told(general, causes):
    """The causes that fit. They take the place of the check's own, `general`, which is said where there are none."""
    likely, possible = causes
    if likely and len(likely) <= MOST:
        return "likely cause: " + "\nor: ".join(likely) + "\n"
    if possible and len(possible) <= MOST and not likely and not general:
        return "red at this place, with other numbers: " + "\nor: ".join(possible) + "\n"
    return general


def with_causes(said, causes):
    head, general = parted(said)
    return f"{head.rstrip()}\n{told(general, causes)}"
