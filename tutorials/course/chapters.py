"""The chapters as their folders hold them: chapter.json, chapter.md, exercises and notes."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TUTORIALS = ROOT / "tutorials"
OUTPUT = ROOT / "build" / "course"  # what a run prints and draws, and what the site shows of it
HINTS = ("Nudge", "Formula", "Skeleton")
SECTIONS = ("Task", *HINTS, "Why", "Another way")
WORDS_A_MINUTE = 120  # of a text to think along with


class Trouble(Exception):
    """Something to tell the reader, in one line."""


class Exercise:
    """Its starter, its solution, wrong answers, the check and what is said about it."""

    def __init__(self, chapter, name, title, minutes):
        self.chapter, self.name, self.title, self.minutes = chapter, name, title, minutes
        self.label = f"{chapter.number}.{name.split('_')[0]}"
        self.starter = chapter.folder / "exercises" / f"{name}.cpp"
        self.solution = chapter.folder / "solutions" / f"{name}.cpp"
        self.checker = chapter.folder / "checks" / f"{name}.cpp"
        self.wrong = sorted((chapter.folder / "wrong").glob(f"{name}.*.cpp"))

    def section(self, title):
        """A part of the notes: the task, a hint, or what is said after success."""
        notes = self.checker.with_suffix(".md")
        found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", notes.read_text(), re.S | re.M)
        if not found:
            raise Trouble(f"{notes.relative_to(ROOT)} lacks the section {title}")
        return found.group(1).strip("\n")  # code may begin it, and keeps its indentation


class Chapter:
    def __init__(self, folder):
        self.folder, self.number = folder, folder.name[:2]
        about = json.loads((folder / "chapter.json").read_text())
        self.title, self.question = about["title"], about["question"]
        self.program, self.running = about["program"], about["running"]
        self.varies = about.get("varies", [])  # parts of the output that differ from run to run
        self.expected = folder / "expected.txt"
        self.text = folder / "chapter.md"
        self.source = folder / f"{self.program}.cpp"
        self.output = OUTPUT / folder.name
        self.exercises = [Exercise(self, **e) for e in about["exercises"]]

    @property
    def reading(self):
        """Minutes."""
        return max(1, round(len(self.text.read_text().split()) / WORDS_A_MINUTE))


# What is still to be written: number, title and question of each, for the plan of the course.
PLANNED = json.loads((TUTORIALS / "planned.json").read_text())
CHAPTERS = [Chapter(p.parent) for p in sorted(TUTORIALS.glob("[0-9][0-9]_*/chapter.json"))]


def chapter_of(number):
    for chapter in CHAPTERS:
        if chapter.number == number.zfill(2):
            return chapter
    known = ", ".join(c.number for c in CHAPTERS)
    raise Trouble(f"there is no chapter {number} yet (there is {known})")
