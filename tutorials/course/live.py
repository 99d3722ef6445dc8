"""Live pieces of pages: C++ on pocket, in tutorials/live, which emscripten compiles for the reader's browser.

A piece NAME is NAME.cpp (functions from numbers to numbers), NAME.html (what the page shows: still figures made by the
native program, and the controls) and NAME.js (what the controls do). All pieces are compiled into one program, which the
site has once, in live.js. Without emscripten a page has its still figures."""

import array
import html
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chapters import CHAPTERS, OUTPUT, ROOT, TUTORIALS, Trouble
from dress import packed
from jinja2 import Environment, FileSystemLoader

LIVE = TUTORIALS / "live"
FABLES = ROOT / "nn" / "data" / "corpus" / "fables.txt"
COMPILED = ROOT / "build" / "live"
GRAPH_STEPS = TUTORIALS / "common" / "graph_steps.cpp"
PROGRAM = COMPILED / "live.js"
FIRST = "train"  # speed matters there: of a function that several pieces have, the program takes the first one's
COMPILE = ["em++", "-std=c++20", "-msimd128", f"-I{LIVE / 'web'}", f"-I{TUTORIALS}", f"-I{ROOT}", "-c"]
LINK = [
    "em++", "-O2", "-msimd128", "-sENVIRONMENT=worker", "-sFILESYSTEM=0", "-sALLOW_MEMORY_GROWTH=1", "--no-entry",
    "-sEXPORTED_FUNCTIONS=_live_arguments,_live_call,_live_results,_live_trouble",
    "-sEXPORTED_RUNTIME_METHODS=ccall,stackSave,stackRestore",
]  # fmt: skip
# A part of a page that finish() fills in with a file, when nothing looks for markup any more.
HELD = re.compile(r'(?P<begin><script type="text/plain" class="\w+" data-file="(?P<file>[^"]+)">)</script>')


def compile_pieces(build):
    """build/live/live.js and live.wasm, of the sources that changed since, or that use what did; and the models that
    pieces show, which take as long to train."""
    COMPILED.mkdir(parents=True, exist_ok=True)
    common = [*LIVE.glob("*.h"), *LIVE.glob("web/*"), *TUTORIALS.glob("pocket/*.h"), Path(__file__)]
    sources = sorted([*LIVE.glob("*.cpp"), *LIVE.glob("web/*.cpp"), GRAPH_STEPS], key=lambda file: file.stem != FIRST)
    objects = [COMPILED / f"{source.stem}.o" for source in sources]

    def compile_source(source, made):
        if not is_newer(made, [source, *common, *used_by(source)]):
            fast = source.stem in (FIRST, "sgemm")
            emscripten(made, *COMPILE, "-O3" if fast else "-Oz", source)

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # what trains longest first, then compilers beside it
        trained = [pool.submit(make_data, build, chapter) for chapter in CHAPTERS if chapter.live]
        compiled = [pool.submit(compile_source, *pair) for pair in zip(sources, objects)]
        for done in [*trained, *compiled]:
            done.result()
    if not is_newer(PROGRAM, objects):
        emscripten(PROGRAM, *LINK, *objects)
        size = PROGRAM.stat().st_size + PROGRAM.with_suffix(".wasm").stat().st_size
        print(f"{PROGRAM.relative_to(ROOT)}  {size // 1000} kB", flush=True)


def used_by(source):
    """The headers of chapters that a piece uses."""
    return [ROOT / file for file in re.findall(r'#include "(tutorials/[^"]+)"', source.read_text())]


def emscripten(made, *command):
    # Where node is not Debian's own, it does not look where Debian has emscripten's modules.
    environment = os.environ | {"NODE_PATH": os.pathsep.join(filter(None, (os.environ.get("NODE_PATH"), "/usr/share/nodejs")))}
    run = subprocess.run([*command, "-o", made], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        made.unlink(missing_ok=True)
        raise Trouble(f"{made.relative_to(ROOT)} does not compile for browsers:\n{run.stderr}")


def is_newer(made, sources):
    return made.exists() and made.stat().st_mtime > max(file.stat().st_mtime for file in sources)


class Native:
    """The program as Meson built it: call(name, numbers) of a piece gives numbers."""

    def __init__(self, build, piece):
        self.piece, program = piece, Path(build, "tutorials", "live")
        self.run = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, name, numbers=()):
        self.run.stdin.write(f"{self.piece}.{name} {' '.join(map(repr, numbers))}\n")
        self.run.stdin.flush()
        answer = self.run.stdout.readline()
        if not answer:
            raise Trouble(f"{self.run.args[0]} ended in {self.piece}.{name}")
        if answer.startswith("!"):
            raise Trouble(f"{self.piece}.{name}: {answer[1:].strip()}")
        return [float(x) for x in answer.split()]

    def end(self):
        self.run.stdin.close()
        self.run.wait()


def make_data(build, chapter):
    """What a piece's function "make" gives, such as weights: kept as bfloat16 in build/live/NAME.bin, for the page. The
    file, or nothing if the piece has no such function."""
    kept = COMPILED / f"{chapter.live}.bin"
    source = LIVE / f"{chapter.live}.cpp"
    if '"make"' not in source.read_text():
        return None
    if not is_newer(kept, [source, LIVE / "weights.h", *TUTORIALS.glob("pocket/*.h"), *chapter.folder.glob("*.h"), FABLES]):
        COMPILED.mkdir(parents=True, exist_ok=True)
        native = Native(build, chapter.live)
        wide = array.array("I", array.array("f", native("make")).tobytes())
        native.end()
        kept.write_bytes(array.array("H", (bits + 0x7FFF + (bits >> 16 & 1) >> 16 for bits in wide)).tobytes())
    return kept


def made_by(build, chapter):
    """The numbers that `make_data` has kept."""
    kept = make_data(build, chapter)
    if not kept:
        return []
    halves = array.array("H", kept.read_bytes())
    return array.array("f", array.array("I", (half << 16 for half in halves)).tobytes())


def write_live(build):
    """For \\htmlinclude: each chapter's live.html."""
    templates = Environment(loader=FileSystemLoader(LIVE), autoescape=True, trim_blocks=True)
    templates.filters |= {"bytes": lambda text: list(text.encode()), "text": text_of, "largest": largest}
    templates.filters |= {"of": lambda i, numbers: numbers[i], "letter": lambda i, letters: {" ": "_", "\n": "/"}.get(letters[i], letters[i])}
    for chapter in CHAPTERS:
        if not chapter.live:
            continue
        native = Native(build, chapter.live)
        scripts = (LIVE / "live.js").read_text() + (LIVE / f"{chapter.live}.js").read_text()
        made = templates.get_template(f"{chapter.live}.html").render(
            chapter=chapter, native=native, made=made_by(build, chapter), scripts=scripts, read=lambda file: (ROOT / file).read_text(),
            compiled=shutil.which("em++") and PROGRAM.exists(),
        )  # fmt: skip
        native.end()
        (OUTPUT / chapter.folder.name / "live.html").write_text(re.sub(r"\n\s*\n", "\n", made))


def largest(numbers, count):
    """Where the largest numbers are."""
    return sorted(range(len(numbers)), key=lambda i: -numbers[i])[:count]


def text_of(numbers):
    return bytes(map(int, numbers)).decode(errors="replace")


def write_program(site):
    """live.js, which a page with a piece asks for once it has loaded: the program of all pieces, as reading.js unpacks it."""
    if shutil.which("em++") and PROGRAM.exists():
        parts = {"kLiveProgram": PROGRAM, "kLiveWasm": PROGRAM.with_suffix(".wasm")}
        (site / "live.js").write_text("".join(f'const {name} = "{packed(file.read_bytes())}";\n' for name, file in parts.items()))


def with_data(page):
    """A finished page with its live piece's data, as reading.js unpacks them."""

    def held(found):
        return f"{found['begin']}{packed((ROOT / html.unescape(found['file'])).read_bytes())}</script>"

    return HELD.sub(held, page)
