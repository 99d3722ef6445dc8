"""Wrong answers as edits of the right one, and the program that all answers of an exercise become. usage: course_wrong_test.py ROOT"""

import pathlib
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tutorials" / "course"))
sys.dont_write_bytecode = True

from answers import FUNCTION, arguments_of, chooser  # noqa: E402
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
becomes("an answer may be whole", "+ float f(float) {\n+   return 0;\n+ }", "float f(float) { return 0; }")
verdict("a name is not a part of a name", read_wrong("a: b\n- x\n+ y\n")[0].code("xx(x)") == "xx(y)")
answers = read_wrong("# a remark\none: first words: and more\n- a\n+ b\n\n# another\ntwo: second\n+ c\n")
verdict("entries have names, words and lines", [(a.name, a.words, a.line) for a in answers] == [("one", "first words: and more", 2), ("two", "second", 7)])


def refused(what, edits, words):
    try:
        read_wrong(f"a_name: its words\n{edits}")[0].code(RIGHT)
        verdict(f"{what} is refused", False, "nothing was said")
    except Trouble as trouble:
        verdict(f"{what} is refused", words in str(trouble) and "line 1" in str(trouble) or words in str(trouble) and "line 2" in str(trouble), trouble)


refused("a piece that is not there", "- z\n+ y", "is in the right answer 0 times, not once: z")
refused("one that is there twice", "- x\n+ z", "is in the right answer 2 times, not once: x")
refused("an end that is not there", "- y + 1 [...] y\n+ z", "lacks what comes behind [...]")
refused("a line that is neither", "* y", "neither 'name: words' nor an edit")

# The functions that choose an answer.
verdict("arguments are taken apart", arguments_of("const std::map<int, float>& m, std::function<int(int, int)> f = {}, int n = 3") ==
        ["const std::map<int, float>& m", "std::function<int(int, int)> f", "int n"])  # fmt: skip
made = chooser("int f", "const A& a, B b", "", [0, 1], lambda i: f"answer_{i}::f")
verdict("each answer is called with all arguments", "int f(const A& p0, B p1) {" in made and "case 1: return answer_1::f(p0, std::move(p1));" in made, made)
declared = FUNCTION.findall("using A = int;\nA first(const std::vector<int>& x,\n        int n = 2);\nstruct S {\n  void method();\n};\nvoid second();\n")
verdict("functions are found where they are declared", [d[1] for d in declared] == ["first", "second"], declared)

# All of the course's apply, and are answers of their own.
pocket = Pocket(titles=titles())
count, faults = 0, []
for exercise in (e for c in CHAPTERS for e in c.exercises if e.kind != "predict"):
    right, seen = answer_of(exercise, pocket), {}
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
verdict("each wrong answer applies, and is another one", not faults, "\n".join(faults))
print(f"{count} wrong answers")

finish()
