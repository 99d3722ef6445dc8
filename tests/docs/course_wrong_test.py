"""Wrong answers as edits of the right one, and the program that all answers of an exercise become. usage: course_wrong_test.py ROOT"""

import pathlib
import re
import sys
import textwrap

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tutorials" / "course"))
sys.dont_write_bytecode = True

from answers import FUNCTION, arguments_of, chooser  # noqa: E402
from causes import MOST, causes_of, is_comparable, with_causes  # noqa: E402
from chapters import CHAPTERS  # noqa: E402
from mine import titles  # noqa: E402
from pocket import Pocket, answer_of  # noqa: E402
from verdicts import finish, verdict  # noqa: E402
from wrong import Trouble, read_wrong, tokens_of  # noqa: E402

RIGHT = """#include <cmath>

float f(float x) {
  // twice, and one more
  const float y = 2 * x;  /* twice */
  return y + 1;
}
"""


def code(text):
    return [token for token, _, _ in tokens_of(text)]


def becomes(what, edits, expected):
    answer = read_wrong(f"a_name: its words\n{edits}")[0]
    made = answer.code(RIGHT)
    verdict(what, code(made) == code(expected), made)


becomes("a piece is replaced", "- y + 1\n+ y", RIGHT.replace("y + 1", "y"))
becomes("white space and comments do not matter", "-   y=2*x ;\n- return y+1;\n+ y = x;\n+ return y;", RIGHT.replace("2 * x", "x").replace("y + 1", "y"))
becomes("nor a comment in between", "- {\n- const float y\n+ {\n+ float y", RIGHT.replace("const float y", "float y"))
becomes("[...] is what lies between", "- const float y [...] return y + 1\n+ return x", "#include <cmath>\nfloat f(float x) { return x; }")
becomes("a piece may be left out", "- + 1", RIGHT.replace(" + 1", ""))
becomes("before another edit too", "- + 1\n+\n- 2 *\n+ 3 *", RIGHT.replace(" + 1", "").replace("2 *", "3 *"))
becomes("an include is a piece", "- #include <cmath>\n+ #include <cstdlib>", RIGHT.replace("cmath", "cstdlib"))
becomes("[...] in a replacement is the piece", "- return y + 1;\n+ if (x > 0) [...]", RIGHT.replace("return", "if (x > 0) return"))
becomes("which may have a [...] of its own", "- const float y [...] 1;\n+ { [...] }", RIGHT.replace("const", "{ const").replace("1;", "1; }"))
becomes("an answer may be whole, and gets the includes", "+ float f(float) {\n+   return 0;\n+ }", "#include <cmath>\nfloat f(float) { return 0; }")
verdict("a name is not a part of a name", read_wrong("a: b\n- x\n+ y\n")[0].code("xx(x)") == "xx(y)")
answers = read_wrong("# a remark\none: first words: and more\n- a\n+ b\n\n# another\ntwo: second\n+ c\n")
verdict("entries have names, words and lines", [(a.name, a.words, a.line) for a in answers] == [("one", "first words: and more", 2), ("two", "second", 7)])
answers = read_wrong("one: its words\n- a\n+ b\ntwo = a cause: of two\n+ c\nthree (alone) = another\n+ d\n")
verdict("words may be a cause, and not the check's own", [(a.words, a.is_cause, a.alone) for a in answers] ==
        [("its words", False, False), ("a cause: of two", True, False), ("another", True, True)])  # fmt: skip


def refused(what, edits, words):
    try:
        read_wrong(f"a_name: its words\n{edits}")[0].code(RIGHT)
        verdict(f"{what} is refused", False, "nothing was said")
    except Trouble as trouble:
        verdict(f"{what} is refused", words in str(trouble) and "line 1" in str(trouble) or words in str(trouble) and "line 2" in str(trouble), trouble)


refused("a piece that is not there", "- z\n+ y", "is in the right answer 0 times, not once: z")
refused("one that is there twice", "- x\n+ z", "is in the right answer 2 times, not once: x")
refused("an end that is not there", "- y + 1 [...] y\n+ z", "lacks the text after [...]")
refused("a line that is neither", "* y", "neither 'name: words' nor 'name = cause' nor an edit")

# The functions that choose an answer.
verdict("arguments are taken apart", arguments_of("const std::map<int, float>& m, std::function<int(int, int)> f = {}, int n = 3") ==
        ["const std::map<int, float>& m", "std::function<int(int, int)> f", "int n"])  # fmt: skip
made = chooser("int f", "const A& a, B b", "", [0, 1], lambda i: f"answer_{i}::f")
verdict("each answer is called with all arguments", "int f(const A& p0, B p1) {" in made and "case 1: return answer_1::f(p0, std::move(p1));" in made, made)
declared = FUNCTION.findall("using A = int;\nA first(const std::vector<int>& x,\n        int n = 2);\nstruct S {\n  void method();\n};\nvoid second();\n")
verdict("functions are found where they are declared", [d[1] for d in declared] == ["first", "second"], declared)

# The cause is taken from the wrong answer with the same failure.
USUAL = [
    ("a sum", "green  one\nRED    two rows\ngot\n[1.5 2]\nexpected\n[1 3]\n"),
    ("a mean", "green  one\nRED    two rows\ngot\n[0.5 -nan]\nexpected\n[1 3]\nlikely cause: a division\n"),
    ("in the first", "RED    one row: got 3, expected 4\n"),
    ("a null pointer", "green  one\nRED    the program was ended by SIGSEGV\nlikely cause: an index\n"),
    ("no end", "RED    your program ran for 20 s and was stopped: is there an endless loop?\n"),
]


def says(what, said, likely, here=None):
    found = causes_of(said, USUAL)
    verdict(what, found[0] == likely and (here is None or found[1] == here), found)


rows = "my own line\ngreen  one\nRED    two rows\ngot\n{}\nexpected\n[1 3]\n"
says("the numbers of a wrong answer name its cause", rows.format("[1.5 2]"), ["a sum"])
says("numbers that were rounded are the same", rows.format("[1.5001 2.0003]"), ["a sum"])
says("NaN is NaN, of either sign", rows.format("[0.5 nan]"), ["a mean"])
says("other numbers name nothing but the place", rows.format("[1.6 2]"), [], ["a sum", "a mean"])
says("the same words further on are another failure", rows.format("[1.5 2]").replace("one", "another"), [], [])
says("what a check says of the cause is not compared", rows.format("[0.5 nan]") + "likely cause: something\n", ["a mean"])
says("a whole number is not another one", "RED    one row: got 2, expected 4\n", [], ["in the first"])
says("a program that crashes at the same step", "green  one\nRED    the program was ended by SIGSEGV\n", ["a null pointer"], [])
says("at another step", "RED    the program was ended by SIGSEGV\n", [], [])
says("one that was stopped has nothing to compare", USUAL[4][1], [], [])
verdict("nor has a hole", not is_comparable("RED    exercise 01.1: strides\nnot written yet\n"))
said = "green  one\nRED    two rows\nlikely cause: a general one\n"
verdict("a cause takes the place of a general one", with_causes(said, (["a", "b"], [])) == "green  one\nRED    two rows\nlikely cause: a\nor: b\n")
verdict("one of the place does not", with_causes(said, ([], ["a"])) == said)
verdict("where there is none it is said", "\nred at this place, with other numbers: a\n" in with_causes("RED    x\n", ([], ["a"])))
many = [str(i) for i in range(MOST + 1)]
verdict("too many are none", with_causes(said, (many, many)) == said)


def literals(source):
    """The string literals of a source; those with only white space between are one."""
    texts = [""]
    for token, _, _ in tokens_of(source):
        texts[-1:] = [texts[-1] + token[1:-1].replace('\\"', '"')] if token[0] == '"' else [texts[-1], ""]
    return texts


# All wrong answers of the course apply, and all differ. Each cause is written once.
pocket = Pocket(titles=titles())
count, faults, twice = 0, [], []
for exercise in (e for c in CHAPTERS for e in c.exercises if e.kind != "predict"):
    right, seen, texts = answer_of(exercise, pocket), {}, literals(exercise.checker.read_text())
    for wrong in exercise.wrong:
        count += 1
        try:
            made = code(wrong.code(right))
        except Trouble as trouble:
            faults.append(f"{exercise.label}: {trouble}")
            continue
        if made == code(right):
            faults.append(f"{exercise.label}: {wrong.name} is the right answer")
        if wrong.name in seen or made in seen.values():
            faults.append(f"{exercise.label}: {wrong.name} is there twice")
        seen[wrong.name] = made
        if wrong.is_cause and any(wrong.words in text for text in texts):
            twice.append(f"{exercise.label}: {wrong.name} = {wrong.words}")
verdict("each wrong answer applies, and is another one", not faults, "\n".join(faults))
verdict("a cause of wrong.txt is not in the check, too", not twice, "\n".join(twice))

# The example of AUTHORS.md is in the file that it names.
guide = (root / "tutorials" / "AUTHORS.md").read_text()
label, block = re.search(r"Two of exercise (\S+):\n\n((?:    .*\n|\n)+)", guide).groups()
kept = next(e for c in CHAPTERS for e in c.exercises if e.label == label).folder / "wrong.txt"
entries = textwrap.dedent(block).strip().split("\n\n")
verdict("the example of AUTHORS.md is in the course", len(entries) == 2 and all(e + "\n" in kept.read_text() for e in entries), entries)
print(f"{count} wrong answers")

finish()
