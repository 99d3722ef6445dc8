"""Makes one program of all answers to an exercise: the starter, the right one and the wrong ones. The environment variable
COURSE_ANSWER, a number, chooses one of them. So the check and the library are parsed once for all answers."""

import re
import textwrap

from chapters import ROOT, Trouble
from mine import number_of
from terminal import CODES

CHOICE = """#include <cstdlib>
#include <utility>
inline int course_answer() {
  static const int chosen = std::atoi(std::getenv("COURSE_ANSWER"));
  return chosen;
}
"""


class Answer:
    """One answer. `kind` is "starter", "solution" or "wrong". A wrong answer that does not compile is left out of the
    program, and `refused` holds the compiler's errors."""

    def __init__(self, kind, code, where, wrong=None):
        self.kind, self.code, self.where, self.wrong, self.refused = kind, code, where, wrong, ""

    def marked(self, code):
        """Code with a line marker, so that the compiler's messages name its file. A wrong answer is marked as a system
        header, because the compiler prints no warnings for those."""
        return f'# 1 "{self.where}"{" 3" if self.kind == "wrong" else ""}\n{code}\n'


def answers_of(exercise, pocket):
    """All answers; the number of an answer is its index."""
    where = exercise.folder.relative_to(ROOT)
    if exercise.kind == "part":
        hole = pocket.holes[exercise.label]
        right = textwrap.dedent("".join(hole.lines))
        starter = "".join(hole.left_open(exercise.title))
        answers = [Answer("starter", starter, f"{where}"), Answer("solution", right, f"pocket, {exercise.label}")]
    else:
        right = exercise.solution.read_text()
        answers = [Answer("starter", exercise.starter.read_text(), exercise.starter.relative_to(ROOT))]
        answers.append(Answer("solution", right, exercise.solution.relative_to(ROOT)))
    for wrong in exercise.wrong:
        try:
            answers.append(Answer("wrong", wrong.code(right), f"{where}/wrong.txt, {wrong.name}", wrong))
        except Trouble as trouble:
            raise Trouble(f"{where}/wrong.txt: {trouble}") from None
    return answers


def groups_of(answers):
    """The numbers of the answers in each program: one program for most answers, and one for each answer that is `alone`."""
    alone = [i for i, answer in enumerate(answers) if answer.wrong and answer.wrong.alone]
    return [[i for i in range(len(answers)) if i not in alone], *([i] for i in alone)]


def write_part(exercise, answers, numbers, pocket, folder):
    """Writes pocket with a switch over the answers in place of the exercise. Later holes of the chapter are open, because the
    check must not need them. Returns the flags to compile the check with."""
    own = number_of(exercise.label)
    cases = "".join(f"case {i}: {{\n{a.marked(a.code)}\n}} break;\n" for i, a in enumerate(answers) if i in numbers)
    body = f'switch (course_answer()) {{\n{cases}}}\n# 1 "pocket, behind {exercise.label}"\n'
    pocket.write(folder / "pocket", own[0], lambda label: number_of(label) > own, {exercise.label: [body]})
    (folder / "choice.h").write_text(CHOICE)
    return "-include", str(folder / "choice.h"), f"-I{folder}", "-w"  # the test of pocket's state reports pocket's warnings


# The line markers, with which a compiler's messages name the right file, are an extension.
FLAGS = ("-Wno-pedantic",)


def write_variation(exercise, answers, numbers, folder):
    """Writes a source with each of these answers in a namespace of its own, with the functions that the check calls, each of
    which calls the chosen answer, and with the check, so that the headers of both are parsed once."""
    folder.mkdir(parents=True, exist_ok=True)
    header = exercise.chapter.folder / "exercises.h"
    declared = without_comments(header.read_text())
    right = without_comments(answers[1].code)
    every = {f[1]: f for f in FUNCTION.findall(declared)}
    functions = [f for f in every.values() if re.search(rf"^[\w:<>,*& ]*[ *&]{f[1]}\(", right, re.M)]
    structs = [s for s in STRUCT.findall(declared) if re.search(rf"\b{s[0]}::\w+\(", right)]
    if not functions and not structs:
        raise Trouble(f"{header.relative_to(ROOT)} declares no function that {answers[1].where} defines")
    methods = {name: [m for m in METHOD.findall(body) if re.search(rf"\b{name}::{m[1]}\(", right)] for name, body in structs}
    derived = "".join(
        f"struct {name} : ::{name} {{\n" + "".join(f"{m[0]}{m[1]}({m[2]}){m[3]};\n" for m in methods[name]) + "};\n"
        for name, _ in structs
    )
    # A call with an argument of the header's own struct would also find the declared function, so these functions get other
    # names.
    own_structs = {s[0] for s in STRUCT.findall(declared)}
    renamed = {f[1] for f in functions if own_structs & set(re.findall(r"\w+", f[2]))}
    define = "".join(f"#define {name} own_{name}\n" for name in sorted(renamed))
    undefine = "".join(f"#undef {name}\n" for name in sorted(renamed))
    parts = []
    for number in numbers:
        answer = answers[number]
        own = INCLUDE.sub("", answer.code)
        parts.append("".join(INCLUDE.findall(answer.code)))
        inside = f"{derived}{define}{answer.marked(own)}{undefine}"
        parts.append(f'namespace answer_{number} {{\n{inside}}}\n# 1 "answers"\n')
    parts.append(CHOICE)
    for result, name, parameters in functions:
        called = f"own_{name}" if name in renamed else name
        parts.append(chooser(f"{result}{name}", parameters, "", numbers, lambda i: f"answer_{i}::{called}"))  # noqa: B023
    for name, _ in structs:
        for result, method, parameters, constant in methods[name]:
            def call(i):
                return f"static_cast<{constant} answer_{i}::{name}*>(this)->{method}"  # noqa: B023

            parts.append(chooser(f"{result}{name}::{method}", parameters, constant, numbers, call))
    parts.append(f'#include "{exercise.checker}"\n')
    source = folder / "answers.cpp"
    source.write_text("".join(parts))
    return source


def refuse(answers, said):
    """Marks the wrong answers that a compiler's errors name. Returns whether all errors are in these answers."""
    errors = re.findall(r"^(\S.*?):(\d+:\d+): (?:fatal )?error: (.*)", CODES.sub("", said), re.M)
    for answer in answers:
        own = [f"line {place}: {words}" for where, place, words in errors if where == answer.where]
        if answer.kind == "wrong" and own:
            answer.refused = "\n".join(["does not compile:", *own])
    return bool(errors) and {where for where, _, _ in errors} <= {a.where for a in answers if a.refused}


INCLUDE = re.compile(r"^#include .*\n", re.M)
FUNCTION = re.compile(r"^(?=\S)((?:inline )?(?:[\w:<>,*& ]|\[\[nodiscard\]\])+?[ *&])(\w+)\(([^;{}]*?)\)\s*;", re.M | re.S)
STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.M | re.S)
METHOD = re.compile(r"^ +([\w:<>,*& ]+?[ *&])(\w+)\(([^;{}]*?)\)( const)?;", re.M | re.S)


def without_comments(code):
    return re.sub(r"//[^\n]*", "", code)


def chooser(head, parameters, constant, numbers, call):
    """A function that passes its arguments to the chosen answer's function."""
    kinds = [re.match(r"(.*?[\s&*>])\w+$", p, re.S) for p in arguments_of(parameters)]
    if not all(kinds):
        raise Trouble(f"exercises.h: {head}: each argument needs a name")
    taken = [f"{kind[1].strip()} p{i}" for i, kind in enumerate(kinds)]
    handed = [f"p{i}" if kind[1].strip().endswith("&") else f"std::move(p{i})" for i, kind in enumerate(kinds)]
    cases = "".join(f"  case {i}: return {call(i)}({', '.join(handed)});\n" for i in numbers)
    return f"{head}({', '.join(taken)}){constant} {{\n  switch (course_answer()) {{\n{cases}  }}\n  std::abort();\n}}\n"


def arguments_of(parameters):
    """Splits parameters at their commas, and leaves out their defaults."""
    found, depth, current = [], 0, ""
    for letter in parameters + ",":
        depth += (letter in "<({") - (letter in ">)}")
        if letter == "," and depth == 0:
            found.append(re.sub(r"\s*=.*", "", current, flags=re.S).strip())
            current = ""
        else:
            current += letter
    return [f for f in found if f]
