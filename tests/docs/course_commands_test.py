"""What ./run chapter, my and exercise do, in a made-up course of two chapters, with a compiler and without gradus.

usage: course_commands_test.py ROOT SCRATCH
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

real, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(1, str(real / "tutorials/course"))

from kernels import KEPT, blas_kernels  # noqa: E402
from verdicts import finish, verdict  # noqa: E402

FILES = {
    "tutorials/parts.json": "[]",
    "tutorials/introduced.txt": "",
    "tutorials/start_here.md": "",
    "tutorials/stuck.md": "",
    "tutorials/common/plot.cpp": "",
    "tutorials/common/guards.h": "",
    "gradus/engine.h": "",
    "tutorials/pocket/tensor.h": """//! [01 all]
#pragma once
#include <stdexcept>
#include <vector>
namespace pocket {
inline int area(const std::vector<int>& sizes) {
  //! [01.1]
  int all = 1;
  for (const int n : sizes) all *= n;
  return all;
  //! [01.1]
}
//! [01 all]

//! [02 twice]
inline int twice(int x) {
  //! [02.1]
  return 2 * x;
  //! [02.1]
}
//! [02 twice]

//! [01 end]
}  // namespace pocket
//! [01 end]
""",
    "tutorials/01_area/chapter.json": json.dumps({
        "title": "Area", "question": "How large?", "program": "area", "running": 1, "long": "about a second",
        "exercises": [
            {"name": "1_area", "title": "All sizes", "minutes": 5, "kind": "part"},
            {"name": "2_half", "title": "Half", "minutes": 5},
            {"name": "3_guess", "title": "Guess", "minutes": 5, "kind": "predict"},
        ],
    }),
    "tutorials/01_area/chapter.md": """# 01 Area {#chapter01}
\\htmlinclude 01_area/head.html
\\snippet pocket/tensor.h 01 all
\\snippet pocket/tensor.h 01 end
\\snippet 01_area/area.cpp main
\\snippet 01_area/output.txt area
\\htmlinclude 01_area/exercises.html
\\htmlinclude 01_area/foot.html
""",
    "tutorials/01_area/area.cpp": """#include "pocket/tensor.h"

#include <cstdio>
// [main]
int main(int count, char**) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  std::printf("[area]\\narea %d\\n[area]\\n", pocket::area({2, 3}));
  if (count > 2) std::printf("and long\\n");
}
// [main]
""",
    "tutorials/01_area/expected.txt": "[area]\narea 6\n[area]\n",
    "tutorials/01_area/exercises/1_area/check.cpp": """#include <cstdio>
#include "pocket/tensor.h"

int main() try {
  const bool right = pocket::area({2, 3}) == 6 && pocket::area({}) == 1;
  std::printf(right ? "green  areas\\n" : "RED    areas\\n");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::printf("RED    %s\\n", error.what());
  return 1;
}
""",
    "tutorials/01_area/exercises/1_area/wrong.txt": """sum: areas
- int all = 1;
+ int all = 0;
- all *= n;
+ all += n;
two: areas
+ return sizes.empty() ? 0 : sizes[0] * sizes[1];
""",
    "tutorials/01_area/exercises.h": "int half(int x);\n",
    "tutorials/01_area/exercises/2_half/check.cpp": """#include <cstdio>
#include "tutorials/01_area/exercises.h"
int main() { const bool right = half(6) == 3; std::printf(right ? "green  half\\n" : "RED    half\\n"); return right ? 0 : 1; }
""",
    "tutorials/01_area/exercises/2_half/starter.cpp": "// Exercise 01.2, 5 minutes: half.\nint half(int x) { return 0; }\n",
    "tutorials/01_area/exercises/2_half/answer.cpp": "int half(int x) { return x / 2; }\n",
    "tutorials/01_area/exercises/2_half/wrong.txt": "same: half\n- x / 2\n+ x\none: half\n+ int half(int) { return 1; }\n",
    "tutorials/01_area/exercises/3_guess/starter.cpp": '#include <cstdio>\nint main() { std::printf("it is 42\\n"); }\n',
    "tutorials/01_area/exercises/3_guess/task.md": "## Task\nWhat comes out?\n## Why\nSix times seven.\n",
    "tutorials/02_twice/chapter.json": json.dumps({
        "title": "Twice", "question": "And twice?", "program": "doubled", "running": 1,
        "exercises": [{"name": "1_twice", "title": "Twice", "minutes": 5, "kind": "part"}],
    }),
    "tutorials/02_twice/chapter.md": """# 02 Twice {#chapter02}
\\htmlinclude 02_twice/head.html
\\snippet pocket/tensor.h 02 twice
\\htmlinclude 02_twice/exercises.html
\\htmlinclude 02_twice/foot.html
""",
    "tutorials/02_twice/doubled.cpp": """#include "pocket/tensor.h"

#include <cstdio>
int main() { std::printf("%d\\n", pocket::twice(pocket::area({2, 3}))); }
""",
    "tutorials/02_twice/expected.txt": "",
    "tutorials/02_twice/exercises/1_twice/check.cpp": """#include <cstdio>
#include "pocket/tensor.h"

int main() try {
  const bool right = pocket::twice(pocket::area({3, 7})) == 42;
  std::printf(right ? "green  twice\\n" : "RED    twice\\n");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::printf("RED    %s\\n", error.what());
  return 1;
}
""",
    "tutorials/02_twice/exercises/1_twice/wrong.txt": "thrice: twice\n- 2\n+ 3\nsquare: twice\n- 2\n+ x\n",
}
NOTES = "".join(f"## {s}\nThe {s.lower()}.\n" for s in ("Task", "Nudge", "Formula", "Skeleton", "Why", "Another way"))
FILES |= {f"tutorials/{name}/task.md": NOTES for name in ("01_area/exercises/1_area", "01_area/exercises/2_half", "02_twice/exercises/1_twice")}
# Times: for a part that varies, the page shows the kept output, and the kept figure of it, too.
FILES |= {
    "tutorials/03_times/chapter.json": json.dumps({
        "title": "Times", "question": "How long?", "program": "times", "running": 1, "varies": ["time"],
        "amplifies": ["learned"], "exercises": [],
    }),
    "tutorials/03_times/chapter.md": """# 03 Times {#chapter03}
\\htmlinclude 03_times/head.html
\\snippet 03_times/output.txt time
It took 41 ms.
\\snippet 03_times/output.txt learned
\\snippet 03_times/output.txt same
\\image html times.svg "Times."
\\htmlinclude 03_times/learned.html
\\htmlinclude 03_times/exercises.html
\\htmlinclude 03_times/foot.html
""",
    "tutorials/03_times/times.cpp": """#include <cstdio>
#include <fstream>
#include <string>

int main(int, char** arguments) {
  std::printf("[time]\\n97 ms\\n[time]\\n[same]\\n2.001 rows\\n[same]\\n[learned]\\nloss 2.5\\n[learned]\\n");
  std::ofstream(std::string(arguments[1]) + "/times.svg") << "a figure of now<!-- of the part time -->";
  std::ofstream(std::string(arguments[1]) + "/learned.html") << "a page of now<!-- of the part learned -->";
  std::ofstream(std::string(arguments[1]) + "/../ran", std::ios::app) << "once\\n";  // and reads data/
}
""",
    "tutorials/03_times/expected.txt": "[time]\n41 ms\n[time]\n[same]\n2.000 rows\n[same]\n[learned]\nloss 1.5\n[learned]\n",
    "tutorials/03_times/kept/times.svg": "a figure as kept",
    "tutorials/03_times/kept/learned.html": "a page as kept",
    "tutorials/03_times/data/rows.txt": "rows",
}
# Sums: another processor's kernels may print another number and draw another figure.
FILES |= {
    "tutorials/04_sums/chapter.json": json.dumps({
        "title": "Sums", "question": "How much?", "program": "sums", "running": 1, "exercises": [],
    }),
    "tutorials/04_sums/chapter.md": """# 04 Sums {#chapter04}
\\htmlinclude 04_sums/head.html
\\snippet 04_sums/output.txt sum
The sum is 2.5.
\\image html sum.svg "A sum."
\\htmlinclude 04_sums/exercises.html
\\htmlinclude 04_sums/foot.html
""",
    "tutorials/04_sums/sums.cpp": f"""#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int, char** arguments) {{
  const char* kernels = std::getenv("OPENBLAS_CORETYPE");
  const bool haswell = kernels != nullptr && kernels == std::string("Haswell");
  std::ifstream numbers("{scratch}/tutorials/04_sums/data/" + std::string(haswell ? "haswell" : "usual"));
  std::string sum, place;
  numbers >> sum >> place;
  std::printf("[sum]\\n%s\\n[sum]\\n", sum.c_str());
  std::ofstream(std::string(arguments[1]) + "/sum.svg") << "<svg><path d='M" << place << ",0'/></svg>\\n<!-- of the part sum -->";
}}
""",
    "tutorials/04_sums/expected.txt": "[sum]\n2.50\n[sum]\n",
    "tutorials/04_sums/data/usual": "2.50 100",
    "tutorials/04_sums/data/haswell": "2.50 102",
}
PROGRAMS = {"sums": "04_sums", "times": "03_times", "area": "01_area", "doubled": "02_twice"}


def make_tree():
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(real / "tutorials" / "course", scratch / "tutorials" / "course")
    for name, text in FILES.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_text(text)
    build = scratch / "build"
    (build / "tutorials").mkdir(parents=True)
    command = "c++ -I.. -I../tutorials -std=c++20 -Wall -Wextra -O1"
    rules = f"rule cxx\n command = {command} -o $out -c $in\nrule link\n command = c++ -o $out $in\n"
    entries = [{"file": "../tutorials/common/plot.cpp", "command": f"{command} -o x.o -c ../tutorials/common/plot.cpp"}]
    for program, folder in PROGRAMS.items():
        source, made = f"../tutorials/{folder}/{program}.cpp", f"tutorials/{program}.p/{folder}_{program}.cpp.o"
        rules += f"build {made}: cxx {source}\nbuild tutorials/{program}: link {made}\n"
        entries.append({"file": source, "command": f"{command} -o {made} -c {source}"})
    (build / "build.ninja").write_text(rules)
    (build / "compile_commands.json").write_text(json.dumps(entries))
    for name in ("gradus", "gradus_engine"):
        subprocess.run(["ar", "crs", build / f"lib{name}.a"], check=True)
    subprocess.run(["ninja", "-C", build], check=True, capture_output=True)


def by_kernels(name):
    return os.environ | {"OPENBLAS_CORETYPE": name}


def run(*arguments, said="", env=by_kernels("Haswell"), **options):
    """The command's exit status and all that it says. Haswell's kernels differ from kept runs: nothing amplified is compared."""
    made = subprocess.run(
        [sys.executable, "-B", scratch / "tutorials" / "course", scratch / "build", *arguments],
        input=said, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, env=env, **options,
    )  # fmt: skip
    return made.returncode, made.stdout


def holds(what, outcome, status, *words, without=()):
    code, said = outcome
    absent = [w for w in words if w not in said] + [f"not {w}" for w in without if w in said]
    verdict(what, code == status and not absent and "Traceback" not in said, f"status {code}, missing {absent}, in:\n{said}")


make_tree()
tensor = scratch / "my" / "pocket" / "tensor.h"

# The check of the course: it passes, and then finds each fault.
holds("the made-up course is without fault", run("check"), 0, "pocket: compiles after chapter 01", "01.1: the starter is red",
      "01.1: the solution is green", "01.1: sum is rejected: areas", "01.2: one is rejected: half", "01.3: the program runs",
      "6 wrong answers, 6 of them tried now", " 0 failed", without=["FAIL"])  # fmt: skip
holds("what has not changed is not tried again", run("check"), 0, "6 wrong answers, 0 of them tried now", " 0 failed", without=["rejected"])
ran = (scratch / "build" / "course" / "ran").read_text()
verdict("nor is a program run again", ran == "once\n", ran)
data = scratch / "tutorials/03_times/data/rows.txt"
data.write_text("other rows")
run("check", "03")
ran = (scratch / "build" / "course" / "ran").read_text()
verdict("until what it reads changes", ran == "once\nonce\n", ran)
half = scratch / "tutorials/01_area/exercises/2_half/wrong.txt"
half.write_text(half.read_text() + "more: half\n- x / 2\n+ x / 2 + 1\n")
holds("a new wrong answer is", run("check"), 0, "01.2: more is rejected: half", "7 wrong answers, 3 of them tried now", without=["01.1: sum"])
checker = scratch / "tutorials/02_twice/exercises/1_twice/check.cpp"
checker.write_text(checker.read_text() + "// more\n")
holds("and all where the check has changed", run("check"), 0, "02.1: thrice is rejected: twice", "7 wrong answers, 2 of them tried now")
header = scratch / "tutorials/01_area/exercises.h"
header.write_text("// What is asked.\n" + header.read_text())
holds("and where a header has that it includes", run("check"), 0, "01.2: same is rejected: half", "7 wrong answers, 3 of them tried now")
half.write_text("one: half\n- x / 3\n+ 1\n")
holds("an edit of what is not there is named", run("check", "01"), 1, "FAIL  01.2", "wrong.txt: line 1: one: is in the right answer 0 times")
half.write_text("one: half\n- x / 2\n+ y\nsame: half\n- x / 2\n+ x\n")
holds("one that does not compile, too", run("check", "01"), 1, "FAIL  01.2: one is rejected", "does not compile:", "01.2: same is rejected")
half.write_text(half.read_text().replace("one: half", "one: was not declared"))
holds("which may be what is wanted of it", run("check", "01"), 0, "01.2: one is rejected: was not declared")
holds("and is not tried again either", run("check", "01"), 0, "0 of them tried now")
half.write_text("before (alone): RED    half\n+ #include <cstdio>\n+ #include <cstdlib>\n+ static const int made = (std::puts(\"before\"), 1);\n"
                "+ int half(int) { return made; }\nsame: half\n- x / 2\n+ x\n")
holds("one that disturbs others is alone", run("check", "01"), 0, "01.2: before is rejected", "01.2: the solution is green")
printing = scratch / "tutorials/01_area/exercises/2_half/check.cpp"
telling = """#include <cstdio>
#include <initializer_list>
#include "tutorials/01_area/exercises.h"
int main() {
  for (const int x : {6, 8, -4, 7}) {
    if (half(x) == x / 2) { std::printf("green  half of %d\\n", x); continue; }
    std::printf("RED    half of %d: got %d, expected %d\\n", x, half(x), x / 2);
    return 1;
  }
}
"""
printing.write_text(telling)
half.write_text("same = that is x itself\n- x / 2\n+ x\none: got 1, expected 3\n+ int half(int) { return 1; }\n"
                "down = a half is rounded towards 0\n- x / 2\n+ x >> 1\n")
holds("a cause that never fires is found", run("check", "01"), 1, "FAIL  01.2: down is rejected: a half is rounded towards 0",
      "ok    01.2: same is rejected: that is x itself", "ok    01.2: one is rejected")  # fmt: skip
half.write_text("".join(f"{name} = cause {name}\n- x / 2\n+ x + {name[1]} * (x < 0)\n" for name in ("a1", "a2", "a3", "a4")))
holds("answers that the check does not tell apart are found", run("check", "01"), 1, "FAIL  01.2: a1 is red as at most 2 others are")
printing.write_text(FILES["tutorials/01_area/exercises/2_half/check.cpp"])
half.write_text(FILES["tutorials/01_area/exercises/2_half/wrong.txt"])


def broken(what, name, before, after, *words):
    file = scratch / name
    text = file.read_text()
    assert before in text, before
    file.write_text(text.replace(before, after))
    holds(what, run("check"), 1, "FAIL", *words)
    file.write_text(text)


broken("a chapter that uses a later one's code is found", "tutorials/01_area/area.cpp", "pocket::area({2, 3})",
       "pocket::twice(3)", "FAIL  pocket: compiles after chapter 01", "twice")  # fmt: skip
broken("a block that uses a later one is found", "tutorials/pocket/tensor.h", "return all;", "return twice(all) / 2;",
       "FAIL  pocket: compiles after chapter 01")  # fmt: skip
broken("a block that is on no page is found", "tutorials/02_twice/chapter.md", "\\snippet pocket/tensor.h 02 twice\n", "",
       "FAIL  pocket: the excerpts of all pages are its files", "no page shows tensor.h 02 twice", "return 2 * x;")  # fmt: skip
broken("a wrong answer that passes is found", "tutorials/01_area/exercises/1_area/wrong.txt", "+ int all = 0;\n- all *= n;\n+ all += n;",
       "+ int every = 1, all = 1;", "FAIL  01.1: sum is rejected")  # fmt: skip
broken("a hole without an exercise is found", "tutorials/pocket/tensor.h", "//! [01 end]\n}", "//! [01 end]\n//! [01.7]\n// more\n//! [01.7]\n}",
       "FAIL  pocket: each hole is an exercise", "01.7")  # fmt: skip

# The page shows the kept times, because the text refers to them.
captured = scratch / "build" / "course" / "03_times"
shown = captured.joinpath("output.txt").read_text()
verdict("a part that varies is shown as it is kept", "[time]\n41 ms\n[time]" in shown and "97" not in shown, shown)
verdict("others as they were printed", "2.001 rows" in shown, shown)
figures = [captured.joinpath(name).read_text() for name in ("times.svg", "learned.html")]
verdict("its figures are the kept ones", figures == ["a figure as kept", "a page as kept"], figures)
broken("a text that quotes another run's time is found", "tutorials/03_times/chapter.md", "took 41 ms", "took 97 ms",
       "the number 97 in the text was never printed")  # fmt: skip
page = scratch / "tutorials/03_times/chapter.md"
text = page.read_text()
for where, before, after, number in (
    ("a caption", '"Times."', '"Times up to 55 ms."', "55"),
    ("a fold's summary", "It took 41 ms.", "\\fold{All 55 rows}\n\nIt took 41 ms.\n\n\\endfold", "55"),
    ("a row", "It took 41 ms.", "| rows | ms | both |\n|---|---|---|\n| 55 | 41 | 14 |", "55"),
    ("a row, computed of others,", "It took 41 ms.", "| rows | ms | both |\n|---|---|---|\n| 2 | 41 | 44 |", "44"),
    ("a sentence, a small one", "41 ms", "41 ms for 17 rows", "17"),
    ("a sentence, in words,", "41 ms", "41 ms for seventeen rows", "seventeen"),
    ("a sentence, with an exponent,", "41 ms", "4.2e-02 s", "4.2e-02"),
):
    page.write_text(text.replace(before, after))
    holds(f"a number of {where} that was never printed is found", run("check", "03"), 1, f"the number {number} in the text was never printed")
page.write_text(text.replace("It took 41 ms.", "It took 41 ms. Exercise\n03.7 asks why.\n\n| rows | ms | both |\n|---|---|---|\n| 2 | 41 | 43 |"))
holds("but a row may have the sum of two of its numbers", run("check", "03"), 0)
page.write_text(text)
(scratch / "tutorials/03_times/kept/gone.svg").write_text("")
holds("a kept figure that is drawn no more is found", run("check", "03"), 1, "chapter 03: kept/ has gone.svg, which the program does not draw")
(scratch / "tutorials/03_times/kept/gone.svg").unlink()
for name, part in (("times.svg", "time"), ("learned.html", "learned")):
    file = scratch / "tutorials/03_times/kept" / name
    content = file.read_text()
    file.unlink()
    shutil.rmtree(captured)
    holds(f"a figure of such a part that is not kept is found: {name}", run("check", "03"), 1, f"{name} is of the part {part}, which is shown as in expected.txt")
    file.write_text(content)
run("check", "03")
verdict("what training amplifies too", "loss 1.5" in shown and "2.5" not in shown, shown)
version = blas_kernels().split()[-1]
for kernels in ("Haswell", "SkylakeX"):
    kept = f"{kernels} {version}" in KEPT
    said = "learned: expected.txt has 'loss 1.5', the run printed 'loss 2.5'" if kept else "ok    03: the text shows"
    holds(f"it is compared only where products are those of the kept run: {kernels}", run("check", "03", env=by_kernels(kernels)), int(kept), said)

# The page must fit another processor's kernels, too. Where OpenBLAS would choose kernels for AVX-512, the program runs with Haswell's.
by_haswell, usual_kernels = scratch / "tutorials/04_sums/data/haswell", by_kernels("SkylakeX")
holds("a page that another processor's kernels agree with passes", run("check", "04", env=usual_kernels), 0, "ok    04: the text shows")
for what, numbers, *words in (
    ("prints another number", "2.61 100", "with Haswell's kernels: the number 2.5 in the text was never printed",
     "with Haswell's kernels: sum: expected.txt has '2.50', the run printed '2.61'"),
    ("draws another figure", "2.50 104", "with Haswell's kernels: sum.svg is another drawing there (keep one in kept/"),
):  # fmt: skip
    by_haswell.write_text(numbers)
    holds(f"one on which it {what} is found", run("check", "04", env=usual_kernels), 1, *words)
by_haswell.write_text(FILES["tutorials/04_sums/data/haswell"])
drawings = scratch / "tutorials/04_sums/drawings.py"
drawings.write_text("from drawing import kept_part\n\ndef drawings():\n    return [kept_part(__file__, 'sum')] and []\n")
holds("so is a drawing of the kept run beside a table of this one", run("check", "04"), 1, "run: 04_sums/drawings.py draws the part sum of expected.txt")
drawings.write_text("def drawings():  # of expected.txt\n    return []\n")
holds("or one that reads the kept run unseen", run("check", "04"), 1, "FAIL  04: the text", "drawings.py reads expected.txt itself")
drawings.unlink()
usual = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
holds("times by another processor's products are not kept", run("accept", "03"), 1,
      "OPENBLAS_CORETYPE")  # fmt: skip
verdict("nor was anything written", "41 ms" in (scratch / "tutorials/03_times/expected.txt").read_text())
holds("accept keeps what is printed now", run("accept", "03", env=usual), 0, "tutorials/03_times/expected.txt")
kept = [(scratch / "tutorials/03_times" / name).read_text() for name in ("expected.txt", "kept/times.svg", "kept/learned.html")]
verdict("and the figures of the same run", "97 ms" in kept[0] and "a figure of now" in kept[1] and "a page of now" in kept[2], kept)

# A chapter.
holds("a chapter runs under headings and ends with where to go", run("chapter", "01"), 0, "Area\narea 6\n",
      "source:     tutorials/01_area/area.cpp\n            tutorials/pocket/tensor.h", "page:       tutorials/01_area/chapter.md",
      "exercises:  0 of 3 solved", "next:       ./run exercise 01.1")  # fmt: skip
holds("--long reaches the program", run("chapter", "01", "--long"), 0, "The long run: about a second", "and long")
holds("a chapter without a long run says so", run("chapter", "02", "--long"), 1, "run: chapter 02 has no long run")
holds("a chapter that is not there is said", run("chapter", "07"), 1, "unknown chapter 07")
holds("an unknown option is said", run("chapter", "01", "--fast"), 1, "unknown option: --fast")
holds("no chapter is said", run("chapter"), 1, "needs a chapter, such as")
holds("what is to be built", run("program", "1", "--mine"), 0, "tutorials/area\n")

# From nothing: my, --mine, exercise.
holds("my begins with nothing", run("my"), 0, "my/pocket/ does not exist yet", "next:  ./run exercise 01.1", "tensor.h  ")
holds("--mine stops at what is to be written", run("chapter", "01", "--mine"), 1, "exercise 01.1: All sizes",
      "01.1 is still to be written: ./run exercise 01.1")  # fmt: skip
holds("exercise alone is the first one, and red", run("exercise"), 1, "01.1 All sizes", "Write your answer in my/pocket/tensor.h, line",
      "The task.", "RED    exercise 01.1: All sizes", "next: edit my/pocket/tensor.h", without=["warning"])  # fmt: skip
hole = '  throw std::logic_error("exercise 01.1: All sizes");\n'
start = tensor.read_text()
tensor.write_text(start.replace(hole, "  return sizes[0]\n"))
holds("a half-edited file gets the compiler's words", run("exercise", "01.1"), 1, "RED    my/pocket/tensor.h does not compile",
      "tensor.h:", "expected", without=["\x1b"])  # fmt: skip
tensor.write_text(start.replace(hole, "  if (sizes.size() == 2) return 6;\n"))
holds("a warning of the compiler is shown", run("exercise", "01.1"), 1, "The compiler warns:", "-Wreturn-type")
tensor.write_text(start.replace(hole, "  int* none = nullptr;\n  return *none + static_cast<int>(sizes.size());\n"))
holds("a crash is told with a likely cause", run("exercise", "01.1"), 1, "ended by SIGSEGV",
      "the address sanitizer says: a null pointer was followed (SEGV)", "\n    my/pocket/tensor.h:7: return *none",
      "next: edit my/pocket/tensor.h", without=["likely cause"])  # fmt: skip
tensor.write_bytes(start.replace(hole, "  return sizes.size();  // half a letter: @\n").encode().replace(b"@", b"\xc3"))
holds("a file that is not all UTF-8 is checked", run("exercise", "01.1"), 1, "RED    areas", without=["codec"])
tensor.write_bytes(start.replace(hole, "  return sizes[0] @;\n").encode().replace(b"@", b"\xc3"))
holds("and does not hide what the compiler says", run("exercise", "01.1"), 1, "does not compile", without=["codec"])
tensor.write_text(start.replace(hole, "  return sizes.size() == 2 ? 6 : 1;  // mine\n"))
holds("green, then why, another way, yours and ours, and what is next", run("exercise", "01.1"), 0, "01.1 All sizes: solved.", "The why.",
      "Another way: The another way.", "-  return sizes.size() == 2 ? 6 : 1;  // mine", "+  return all;", "next: ./run exercise 01.2",
      without=["twice"])  # fmt: skip
holds("--mine runs on the reader's library", run("chapter", "01", "--mine"), 0, "area 6", "my/pocket/tensor.h", "next:       ./run exercise 01.2")
holds("my draws the part that is done", run("my"), 0, "tensor.h", "1 files", "next:  ./run exercise 01.2")
holds("--mine of the next chapter brings its lines and keeps mine", run("chapter", "02", "--mine"), 1, "up to chapter 02: tensor.h", "exercise 02.1")
verdict("what I wrote is still there", "// mine" in tensor.read_text() and "twice" in tensor.read_text(), tensor.read_text())

# A variation, an endless loop, a prediction.
shutil.rmtree(scratch / "build" / "trials" / "01.2")  # as if no test had run
holds("a starter is red without noise", run("exercise", "01.2"), 1, "RED    half", "Write your answer in my/01.2_half.cpp", without=["warning"])
own = scratch / "my" / "01.2_half.cpp"
printing.write_text(telling)
half.write_text("same = that is x itself\n- x / 2\n+ x\nloop = no end\n+ int half(int x) { for (;;) x = x / 2; }\n"
                "none = a null pointer was followed\n+ int half(int x) { return x * *(volatile int*)nullptr; }\n")
own.write_text("int half(int x) { int y = 0; for (int i = 0; i < 2; ++i) y += x; return y - x; }\n")
trials = scratch / "tutorials" / "course" / "trial.py"
waiting = trials.read_text()
trials.write_text(waiting.replace("SECONDS_OF_CAUSES = 20", "SECONDS_OF_CAUSES = 2"))
holds("the wrong answer with the same numbers names the cause", run("exercise", "01.2"), 1, "RED    half of 6: got 6, expected 3\nlikely cause: that is x itself\n")
own.write_text("int half(int x) { return x - 1; }\n")
holds("other numbers do not", run("exercise", "01.2"), 1, "got 5, expected 3\nred at this place, with other numbers: that is x itself\n", without=["likely cause"])
own.write_text("int half(int x) { int* none = nullptr; return x * *none; }\n")
holds("a crash may have a cause, too", run("exercise", "01.2"), 1, "ended by SIGSEGV", "likely cause: a null pointer was followed")
half.write_text(half.read_text().replace("x itself", "the whole"))
own.write_text("int half(int x) { return x; }\n")
holds("a cause that changes is another at once", run("exercise", "01.2"), 1, "likely cause: that is the whole")
half.write_text("same = that is x itself\n- x / 2\n+ @\n")
holds("a wrong answer that does not compile costs nothing but the cause", run("exercise", "01.2"), 1, "RED    half of 6", without=["likely cause"])
trials.write_text(waiting)
printing.write_text(FILES["tutorials/01_area/exercises/2_half/check.cpp"])
half.write_text(FILES["tutorials/01_area/exercises/2_half/wrong.txt"])
own.write_text("int half(int x) { while (x != -1) x = x / 2; return x; }\n")
running = scratch / "tutorials" / "course" / "running.py"
patient = running.read_text()
running.write_text(patient.replace("SECONDS = 60", "SECONDS = 1"))
holds("an endless loop is stopped", run("exercise", "01.2"), 1, "stopped: is there an endless loop?")
running.write_text(re.sub("MOST_MEMORY = .*", "MOST_MEMORY = 100_000_000", patient))
own.write_text("#include <vector>\nint half(int x) { for (std::vector<int> all; x; all.push_back(x)); return x; }\n")
holds("one that fills the memory is stopped", run("exercise", "01.2"), 1, "likely cause: the program asked for too much memory, through a loop that does not end")
running.write_text(patient)
own.write_text('#include <cstdio>\nint half(int x) { for (;;) std::puts("half and half and half and half"); return x; }\n')
said = run("exercise", "01.2")
holds("one that prints is stopped", said, 1, "half and half", "printed more than 1 MB and was stopped: is there an endless loop?")
verdict("and fills no screen", len(said[1]) < 3000, len(said[1]))
own.write_text('#include <cstdio>\nint half(int x) { std::fputs("\\xff and \\x1b[2J\\n", stdout); return x; }\n')
holds("bytes that are no letters are shown, and hide no verdict", run("exercise", "01.2"), 1, "\\xff and \\x1b[2J\n", "RED    half", without=["\x1b"])
own.write_text(f"""#include <fstream>
#include <unistd.h>
int half(int x) {{
  const int child = fork();
  if (child == 0) for (;;) sleep(1);
  std::ofstream("{scratch}/child") << child;
  return x;
}}
""")
holds("a child that runs on holds up nothing", run("exercise", "01.2"), 1, "RED    half")
child = int((scratch / "child").read_text())
for _ in range(50):  # the system may need a moment to remove a killed process from its list
    gone = not pathlib.Path(f"/proc/{child}").exists() or ") Z" in pathlib.Path(f"/proc/{child}/stat").read_text()
    if gone:
        break
    time.sleep(0.1)
verdict("and has ended with its answer", gone)
temporary = scratch / "temporary"
temporary.mkdir()
command = [sys.executable, "-B", scratch / "tutorials" / "course", scratch / "build", "exercise", "01.2", "--watch"]
watching = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "env": by_kernels("Haswell") | {"TMPDIR": str(temporary)}}
own.write_text('#include <cstdio>\nint half(int x) { std::fputs("\\xff\\n", stdout); return x; }\n')
with subprocess.Popen(command, **watching) as watch:
    for line in watch.stdout:
        if line.startswith("next: edit"):  # it continues to watch and notices this
            time.sleep(0.1)
            own.write_text("int half(int x) { return x / 2; }\n")
        if "green  half" in line:
            break
    said = watch.stdout.read()
verdict("--watch goes on after bytes that are no letters", watch.returncode == 0 and "solved" in said, said)
own.write_text(f'#include <fstream>\n#include <unistd.h>\nint half(int x) {{ std::ofstream("{scratch}/child") << getpid() << std::endl; for (;;) sleep(x); }}\n')
(scratch / "child").unlink()
with subprocess.Popen(command, **watching) as watch:
    while not (scratch / "child").exists() or not (scratch / "child").read_text().endswith("\n"):
        time.sleep(0.05)
    watch.terminate()
child = int((scratch / "child").read_text())
alive = pathlib.Path(f"/proc/{child}").exists() and ") Z" not in pathlib.Path(f"/proc/{child}/stat").read_text()
verdict("what ends the command ends the answer, too", not alive)
verdict("and no folder is left behind", not any(temporary.iterdir()), [*temporary.iterdir()])
own.write_text("int half(int x) { int unused = 1; return x / 2; }\n")
holds("a green answer shows its warnings too", run("exercise", "01.2"), 0, "unused", "green  half", "next: ./run exercise 01.3")
own.unlink()
holds("a reader's file that is gone begins again", run("exercise", "01.2"), 1, "Write your answer in my/01.2_half.cpp")
own.write_text("int half(int x) { return x / 2; }\n")
run("exercise", "01.2")
holds("a prediction asks first", run("exercise", "01.3"), 1, "What comes out?", "Your prediction", "this exercise needs your prediction first", without=["42"])
holds("then it runs", run("exercise", "01.3", said="about 40\n"), 0, "it is 42", "You said: about 40", "Six times seven.",
      "next: ./run exercise 02.1", "change my/01.3_guess.cpp")  # fmt: skip
holds("and does not ask again", run("exercise", "01.3"), 0, "You said: about 40")
holds("a prediction may come with the command", run("exercise", "01.3", "--predict", "42,", "surely"), 0, "You said: 42, surely")
holds("a prediction has no hints", run("exercise", "01.3", "--hint"), 1, "01.3 has no hints")
holds("no other exercise takes one", run("exercise", "01.2", "--predict", "3"), 1, "01.2 is a variation")

# Catching up, hints, solutions, resetting.
holds("a catch-up keeps what was there", run("my", "--catch-up", "2"), 0, "your earlier version is in my/pocket.1/", "before chapter 02: 1 files")
verdict("it is still there", "// mine" in (scratch / "my" / "pocket.1" / "tensor.h").read_text())
holds("my refuses what it does not know", run("my", "--back"), 1, "my takes no arguments, or --catch-up")
holds("the course's own lines are no answer", run("exercise", "01.1"), 0, "The check passes, but the file holds the course's answer", without=["solved."])
holds("a reset opens the place again", run("exercise", "01.1", "--reset"), 0, "your earlier version is in my/pocket/tensor.h.old", "Write your answer in")
holds("hints come one by one", run("exercise", "02.1", "--hint"), 0, "Hint 1 of 3", "The nudge.")
holds("the answer is for who has given up", run("exercise", "02.1", "--solution"), 1, "is not solved yet")
holds("and then it is the hole's", run("exercise", "02.1", "--solution", "--give-up"), 0, "return 2 * x;")
holds("an earlier hole that is open is named", run("chapter", "02", "--mine"), 1, "01.1 is still to be written")
tensor.unlink()
holds("a file that is gone comes back", run("exercise", "02.1"), 1, "my/pocket/tensor.h was missing", "exercise 02.1")
shutil.rmtree(scratch / "my")
run("exercise", "02.1")
tensor.write_text(tensor.read_text().replace('  throw std::logic_error("exercise 02.1: Twice");\n', "  return area({2, x});  // mine\n"))
ask = f"import runpy; print(runpy.run_path({str(scratch / 'tutorials' / 'course')!r})['waiting_in']('exercise 06.1: x', '24.2'))"
said = subprocess.run([sys.executable, "-B", "-c", ask], capture_output=True, text=True)
verdict("an open place of a much earlier chapter sends to the state before one's own", "--catch-up 24" in said.stdout, said)
first = said.stdout.find("--catch-up 24") < said.stdout.find("./run exercise 06.1")
verdict("and names that before the exercise, which is for who goes back", first, said)
holds("who begins at 02 is sent to the state before it", run("exercise", "02.1"), 1, "01.1 is still to be written", "--catch-up 02")
tensor.write_text(tensor.read_text().replace('  throw std::logic_error("exercise 01.1: All sizes");\n', "  return sizes.size() == 2 ? 6 : 1;  // mine\n"))
tensor.write_text(tensor.read_text().replace("  return area({2, x});  // mine\n", "  return area({2, x}) + 0;  // mine\n"))
holds("an earlier part whose own check is green", run("exercise", "01.1"), 0, "01.1 All sizes: solved.")
holds("is named where a later one is red", run("exercise", "02.1"), 1, "RED    twice",
      "your lines here pass; an earlier part, 01.1 in tensor.h, is at fault", "next: edit my/pocket/tensor.h")  # fmt: skip
right = tensor.read_text()
tensor.write_text(right.replace("return area({2, x}) + 0", "return area({3, x})"))
holds("but not where the lines here are wrong", run("exercise", "02.1"), 1, "RED    twice", without=["your lines here pass"])
tensor.write_text(right.replace("sizes.size() == 2 ? 6 : 1;", "sizes.empty() ? 1 : sizes.size() == 1 ? sizes[0] : sizes[0] * sizes[1];").replace(
    "namespace pocket {\n", "namespace pocket {\ninline int one() { return 0; }\n").replace("area({2, x}) + 0", "area({2, x}) * one()"))
holds("nor where they call what the course lacks", run("exercise", "02.1"), 1, "RED    twice", without=["your lines here pass"])
tensor.write_text(right)
holds("a catch-up to a chapter keeps what is solved of it", run("my", "--catch-up", "02"), 0, "before chapter 02", "with yours of 02.1")
holds("and all is there", run("exercise", "02.1"), 0, "02.1 Twice: solved.", "-  return area({2, x}) + 0;  // mine")
shutil.rmtree(scratch / "my")
holds("a folder that is gone begins anew", run("exercise", "02.1"), 1, "up to chapter 02", "Twice: The task.", "Write your answer in")
shutil.rmtree(scratch / "my")
(scratch / "my" / "pocket").mkdir(parents=True)
holds("a catch-up into an empty folder", run("my", "--catch-up", "02"), 0, "before chapter 02", without=["what you had"])
holds("what is next is what was caught up for", run("my"), 0, "next:  ./run exercise 02.1")
shutil.rmtree(scratch / "my")
(scratch / "my").write_text("")
holds("a folder that cannot be made is named", run("exercise", "01.1"), 1, "run: ", "my/pocket'")
(scratch / "my").unlink()
holds("authors get a table, and where a page shows too little", run("table"), 1, "01 Area", "02 Twice", "less than 80% of the experiment")
holds("the list has them all", run("list"), 0, "01.1", "02.1", "you are here")

finish()
