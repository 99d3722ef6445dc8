"""Makes the live pieces of pages. They are C++ programs with pocket, in tutorials/live, which emscripten compiles for the
reader's browser.

A piece NAME is NAME.cpp (functions from numbers to numbers), NAME.html (the piece on the page: still figures made by the
native program, and the controls) and NAME.js (the actions of the controls). All pieces are compiled into one program, which
the site has once, in live.js. Without emscripten a page has only its still figures."""

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
TALES = ROOT / "nn" / "data" / "corpus" / "tales.txt"
COMPILED = ROOT / "build" / "live"
GRAPH_STEPS = TUTORIALS / "common" / "graph_steps.cpp"
PROGRAM = COMPILED / "live.js"
FIRST = "train"  # speed matters there: if several pieces have a function, the program takes it from the first
COMPILE = ["em++", "-std=c++20", "-msimd128", f"-I{LIVE / 'web'}", f"-I{TUTORIALS}", f"-I{ROOT}", "-c"]
LINK = [
    "em++", "-O2", "-msimd128", "-sENVIRONMENT=worker", "-sFILESYSTEM=0", "-sALLOW_MEMORY_GROWTH=1", "--no-entry",
    "-sEXPORTED_FUNCTIONS=_live_arguments,_live_call,_live_results,_live_trouble",
    "-sEXPORTED_RUNTIME_METHODS=ccall,stackSave,stackRestore",
]  # fmt: skip
# A part of a page that finish() fills with a file, after all steps that look for markup.
HELD = re.compile(r'(?P<begin><script type="text/plain" class="\w+" data-file="(?P<file>[^"]+)">)</script>')


def compile_pieces(build):
    """Compiles build/live/live.js and live.wasm from the sources that have changed, or that use a changed header. Also trains
    the models that pieces show; this takes as long."""
    COMPILED.mkdir(parents=True, exist_ok=True)
    common = [*LIVE.glob("*.h"), *LIVE.glob("web/*"), *TUTORIALS.glob("pocket/*.h"), Path(__file__)]
    sources = sorted([*LIVE.glob("*.cpp"), *LIVE.glob("web/*.cpp"), GRAPH_STEPS], key=lambda file: file.stem != FIRST)
    objects = [COMPILED / f"{source.stem}.o" for source in sources]

    def compile_source(source, made):
        if not is_newer(made, [source, *common, *used_by(source)]):
            fast = source.stem in (FIRST, "sgemm")
            emscripten(made, *COMPILE, "-O3" if fast else "-Oz", source)

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # starts training first, which takes longest; compiles beside it
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
    # A node that is not Debian's does not look for emscripten's modules in Debian's folder.
    environment = os.environ | {"NODE_PATH": os.pathsep.join(filter(None, (os.environ.get("NODE_PATH"), "/usr/share/nodejs")))}
    run = subprocess.run([*command, "-o", made], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        made.unlink(missing_ok=True)
        raise Trouble(f"{made.relative_to(ROOT)} does not compile for browsers:\n{run.stderr}")


def is_newer(made, sources):
    return made.exists() and made.stat().st_mtime > max(file.stat().st_mtime for file in sources)


class Native:
    """The program that Meson built: call(name, numbers) of a piece returns numbers."""

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
    """Keeps the result of a piece's function "make", such as weights, as bfloat16 in build/live/NAME.bin, for the page.
    Returns the file, or None if the piece has no such function."""
    kept = COMPILED / f"{chapter.live}.bin"
    source = LIVE / f"{chapter.live}.cpp"
    if '"make"' not in source.read_text():
        return None
    if not is_newer(kept, [source, LIVE / "weights.h", *TUTORIALS.glob("pocket/*.h"), *chapter.folder.glob("*.h"), TALES]):
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
    """Writes each chapter's live.html, for \\htmlinclude."""
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
    """The indices of the largest numbers."""
    return sorted(range(len(numbers)), key=lambda i: -numbers[i])[:count]


def text_of(numbers):
    return bytes(map(int, numbers)).decode(errors="replace")


def write_program(site):
    """Writes live.js, the program of all pieces, packed for reading.js. A page with a piece loads it after the page
    itself."""
    if shutil.which("em++") and PROGRAM.exists():
        parts = {"kLiveProgram": PROGRAM, "kLiveWasm": PROGRAM.with_suffix(".wasm")}
        (site / "live.js").write_text("".join(f'const {name} = "{packed(file.read_bytes())}";\n' for name, file in parts.items()))


def with_data(page):
    """A finished page with the data of its live piece, packed for reading.js."""

    def held(found):
        return f"{found['begin']}{packed((ROOT / html.unescape(found['file'])).read_bytes())}</script>"

    return HELD.sub(held, page)
