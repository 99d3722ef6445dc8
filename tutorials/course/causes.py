"""Finds the likely cause of a red check: wrong.txt names the cause of the wrong answer that is red like the reader's.

A check prints the values that it got and expected, and ends at the first wrong one. So answers with the same mistake are
red with the same words and the same numbers, whatever the check compares, and no check has to work out the result of a
mistake. If no numbers agree, answers that are red at the same place may have the same cause."""

import re

MOST = 3  # the most causes to name at once: a check that cannot distinguish more compares too little

NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|\binf\b|\bnan\b)")
CAUSE = re.compile(r"^likely cause: .*", re.M | re.S)
NO_NUMBERS = re.compile(r"^RED    (your program |the program was ended |exercise \d\d\.\d+: )", re.M)


class Failure:
    """The red message of a check without the cause that it names itself: the `words` between the `numbers`, and the
    `place`, which holds the question and how far the check came. `place` is empty for a program that crashed or was
    stopped."""

    def __init__(self, said):
        before, _, after = said.rpartition("RED    ")
        green = NUMBER.sub("#", "".join(re.findall(r"^green  .*", before, re.M)[-1:]))
        text = CAUSE.sub("", after).replace("-nan", "nan")
        asked, got, _ = text.split("\n")[0].partition(" got ")
        self.place = "" if NO_NUMBERS.search("RED    " + after) else green + (asked if got else NUMBER.sub("#", asked))
        self.words = [*green.split(), *NUMBER.sub("#", text).split()]
        self.numbers = [*map(float, NUMBER.findall(text))]

    def distance(self, other):
        """The distance between the numbers of two failures; None if the failures come from two mistakes. Small differences
        count as equal: numbers added in another order, or rounded by one of two formulas."""
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
    """Whether a check's output can be compared with its output for another answer."""
    return "RED    " in said and not re.search(r"^RED    (your program |exercise \d\d\.\d+: )", said, re.M)


def causes_of(said, usual):
    """The causes that fit a check's output. `usual` are pairs of a wrong answer's cause and the check's output for it.
    Returns the causes of the answers that are red with the nearest numbers, and of those that are red at the same place
    with other numbers."""
    if not is_comparable(said):
        return [], []
    mine = Failure(said)
    failures = [(cause, Failure(other)) for cause, other in usual if is_comparable(other)]
    found = [(apart, cause) for cause, failure in failures if (apart := mine.distance(failure)) is not None]
    least = min((apart for apart, _ in found), default=0)
    here = [cause for cause, failure in failures if mine.place and failure.place == mine.place]
    return [*dict.fromkeys(cause for apart, cause in found if apart <= least + 1e-6)], [*dict.fromkeys(here)]


def parted(said):
    """Splits a check's output into its words and the cause that it names itself at the end."""
    before, red, after = said.rpartition("RED    ")
    cause = CAUSE.search(after) if red else None
    return (before + red + after[: cause.start()], cause[0]) if cause else (said, "")


def told(general, causes):
    """The causes that fit, as text. If there are none, the check's own cause, `general`."""
    likely, possible = causes
    if likely and len(likely) <= MOST:
        return "likely cause: " + "\nor: ".join(likely) + "\n"
    if possible and len(possible) <= MOST and not likely and not general:
        return "red at this place, with other numbers: " + "\nor: ".join(possible) + "\n"
    return general


def with_causes(said, causes):
    head, general = parted(said)
    return f"{head.rstrip()}\n{told(general, causes)}"
