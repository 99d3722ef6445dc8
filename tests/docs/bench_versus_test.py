"""Tests ./run bench versus and ./run bench growth with programs that print canned results, and their errors. A canned Python
stands for one with PyTorch, and a canned train_gpt2.c for llm.c, so it needs neither.

usage: bench_versus_test.py SOURCE_ROOT
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from verdicts import finish, verdict

root = pathlib.Path(sys.argv[1]).resolve()
# The arithmetic of each program's time, so that the tables can be computed by hand. A train_step in bfloat16 takes half.
PROGRAM = f"""#!{sys.executable}
import json, pathlib, sys
name = pathlib.Path(sys.argv[0]).name
flags = dict(argument.removeprefix("--").partition("=")[::2] for argument in sys.argv[1:])
with open(__file__ + ".calls", "a") as calls:
    calls.write(json.dumps(flags) + "\\n")
half = flags.get("dtype") == "bfloat16"
if half and name in ("train_step", "products") and pathlib.Path(__file__).with_name("no_bfloat16").exists():
    sys.exit("bfloat16: this CPU has none")
best = {{"train_step": 20.0, "products": 16.0, "attention": 5.0}}.get(name, 1.0) / (2 if half else 1)
result = {{"blas": "CannedBLAS 1.0", "best_ms": best, "median_ms": best + 1, "peak_rss_mib": 50.5, "peak_tensors_mib": 2.5}}
if name == "products":
    result["gflops"] = 100.0
print(json.dumps(result))
"""
# Eager steps take 60 ms with threads in either pool, and half of that with the best setting; compiled ones 10 ms less.
PYTHON = f"""#!{sys.executable}
import json, pathlib, sys
script, arguments = pathlib.Path(sys.argv[1]).name, sys.argv[2:]
if script == "about.py":
    print(json.dumps({{"torch": "2.6.0", "blas": "CannedBLAS 2.0", "compiler": "g++ 14", "system": "Canned Linux"}}))
    sys.exit()
assert script == "train_step.py" and "--serve" in arguments, sys.argv
setting = next(a for a in arguments if a.startswith("--setting=")).removeprefix("--setting=").split(",")
with open(__file__ + ".calls", "a") as calls:
    calls.write(" ".join(arguments) + "\\n")
if "--compile" in arguments and pathlib.Path(__file__).with_name("no_compiler").exists():
    sys.exit("no compiler at all")
best = 60.0 - 30 * (setting[1] == "1") - 10 * ("--compile" in arguments)
print("a line that is no result")
for line in sys.stdin:
    assert int(line) > 0
    if setting[2] != "1" and pathlib.Path(__file__).with_name("no_memory").exists() and int(line) < 8:
        raise MemoryError("no memory for workers")
    print(json.dumps({{"best_ms": best, "median_ms": best + 2, "peak_rss_mib": 300, "steps": int(line),
                      "setting": dict(zip(("threads", "blas_threads", "workers"), setting))}}), flush=True)
"""
# The names that llmc_step.c uses, with a model of one array. It refuses weights whose length does not fit its sizes.
LLMC = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define NUM_PARAMETER_TENSORS 16
#define fopenCheck fopen
#define fcloseCheck fclose
#define fwriteCheck fwrite
#define mallocCheck malloc
typedef struct { int max_seq_len, vocab_size, padded_vocab_size, num_layers, num_heads, channels; } GPT2Config;
typedef struct { GPT2Config config; float mean_loss; } GPT2;
static void fill_in_parameter_sizes(size_t* sizes, GPT2Config c) {
  for (int i = 0; i < NUM_PARAMETER_TENSORS; ++i) sizes[i] = c.num_layers;
  sizes[0] = c.vocab_size * c.channels;
}
static void gpt2_build_from_checkpoint(GPT2* model, const char* path) {
  int header[256];
  FILE* file = fopen(path, "rb");
  if (fread(header, sizeof(int), 256, file) != 256 || header[0] != 20240326 || header[1] != 3) exit(3);
  const int expected = header[3] * header[6] + 15 * header[4];
  float value;
  int found = 0;
  while (fread(&value, sizeof(float), 1, file) == 1) ++found;
  if (found != expected || header[2] != 64 || header[7] != 65) exit(4);
  printf("[canned]\n");
  model->config = (GPT2Config){header[2], header[3], header[7], header[4], header[5], header[6]};
}
static void gpt2_forward(GPT2* model, int* inputs, int* targets, size_t b, size_t t) {
  for (size_t i = 0; i < b * t; ++i) {
    if (inputs[i] < 0 || inputs[i] >= model->config.vocab_size || targets[i] < 0) exit(5);
  }
  model->mean_loss = 4;
}
static void gpt2_zero_grad(GPT2* model) { (void)model; }
static void gpt2_backward(GPT2* model) { (void)model; }
static void gpt2_update(GPT2* model, float rate, float b1, float b2, float eps, float decay, int t) {
  (void)model, (void)rate, (void)b1, (void)b2, (void)eps, (void)decay;
  if (t < 1) exit(6);
}
"""


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def bench(name, *arguments, **variables):
    """The exit code, standard output and standard error."""
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, root / "bench" / name, "--build", made, *arguments],
                          capture_output=True, text=True, cwd=made, env=environment)  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def rows_of(out):
    return [re.sub("  +", "|", line.strip()) for line in out.splitlines()]


def refuses(what, name, arguments, code, *said, **variables):
    got, out, err = bench(name, *arguments, **variables)
    last = (err.splitlines() or [""])[-1]
    verdict(what, got == code and not out and all(part in err for part in said) and "(" in last and "Traceback" not in err,
            f"exit {got}: {out}{err}")  # fmt: skip


with tempfile.TemporaryDirectory() as folder:
    made = pathlib.Path(folder)
    for program in ("gradus", "bench/gradus_bench", "bench/products", "bench/train_step", "bench/fused", "bench/attention"):
        script(made / program, PROGRAM)
    python = made / "python"
    script(python, PYTHON)
    (made / "llm.c").mkdir()
    (made / "llm.c" / "train_gpt2.c").write_text(LLMC)

    llmc = ["--llmc", "llm.c"] if shutil.which("cc") else []
    code, out, err = bench("versus", "--size", "tiny", *llmc, PYTHON=str(python))
    rows = rows_of(out)
    verdict("versus compares a step", code == 0, err)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    wanted = ["gradus|20.00|21.00|1.00|50.5", "products alone|16.00|17.00|0.80|50.5|100.0 GFLOP/s",
              "gradus|10.00|11.00|1.00|50.5", "products alone|8.00|9.00|0.80|50.5|100.0 GFLOP/s"]  # fmt: skip
    verdict("prints gradus and its bound in both dtypes", [row for row in rows if row in wanted] == wanted, out)
    for ratio, dtype in (("1.50", "float32"), ("3.00", "bfloat16")):
        verdict(f"PyTorch, eager, has the best of its settings in {dtype}",
                any(re.match(rf"PyTorch, eager\|30\.00\|32\.00\|{ratio}\|300\|threads \d+ \+ 1, workers 1", row) for row in rows),
                out)  # fmt: skip
    verdict("and compiled", any(row.startswith("PyTorch, compiled|20.00|22.00|1.00|300|") for row in rows), out)
    verdict("llm.c has a row in float32", sum(row.startswith("llm.c|") for row in rows) == bool(llmc), out)
    verdict("names machine, date and versions",
            re.search(r" cores, \d+ GiB; \w+; \d+ \w+ 20\d\d\ngradus.* with CannedBLAS 1\.0\nPyTorch 2\.6\.0 with CannedBLAS 2\.0, "
                      r"g\+\+ 14; Canned Linux\n" + "llm.c.*, compiled by " * bool(llmc), out), out)  # fmt: skip
    calls = (made / "python.calls").read_text().splitlines()
    settings = {re.search(r"--setting=(\S+)", call)[1] for call in calls}
    verdict("tries one thread and all cores", {"1,1,1", f"{cores},{cores},1"} <= settings, settings)

    (made / "bench" / "no_bfloat16").touch()
    code, out, err = bench("versus", "--size", "tiny", "--quick", "--dtype", "bfloat16", PYTHON=str(python))
    verdict("without bfloat16, gradus's step is in float32", code == 0 and "gradus|20.00|21.00|1.00|50.5" in rows_of(out)
            and "gradus has no bfloat16 on this CPU" in err, out + err)  # fmt: skip
    (made / "no_compiler").touch()
    code, out, err = bench("versus", "--size", "tiny", "--quick", "--dtype", "float32", PYTHON=str(python))
    verdict("without a compiler, the compiled step is left out", code == 0 and "PyTorch, eager|" in "\n".join(rows_of(out))
            and "PyTorch, compiled|" not in "\n".join(rows_of(out)) and "no compiler at all" in err, out + err)  # fmt: skip
    (made / "no_memory").touch()
    code, out, err = bench("versus", "--size", "tiny", "--quick", "--dtype", "float32", PYTHON=str(python))
    verdict("a peer that stops within its turn is left out", code == 0 and "by workers|" not in "\n".join(rows_of(out))
            and (cores == 1 or "left out, because it stopped: MemoryError: no memory for workers" in err), out + err)  # fmt: skip
    # Without PyTorch anywhere, gradus is measured all the same.
    code = ("import sys; sys.path.insert(0, 'bench'); import contestants; contestants.PYTHONS = ('nowhere',); "
            "print(contestants.torch_of(None))")  # fmt: skip
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd=root,
                          env={key: value for key, value in os.environ.items() if key != "PYTHON"})  # fmt: skip
    verdict("without PyTorch it says so", done.stdout == "None\n" and "no Python with torch (" in done.stderr, done.stderr)

    (made / "debian" / "etc").mkdir(parents=True)
    (made / "debian" / "etc" / "debian_version").write_text("13.0\n")
    for what, arguments, said in [
        ("refuses a root that is not there", ["--root", "nowhere"], "must be a folder with a Debian that has PyTorch, got nowhere"),
        ("refuses a root without Python", ["--root", "debian"], "got debian" if os.geteuid() == 0 else "the rights of root"),
        ("refuses llm.c that is not there", ["--llmc", "nowhere"], "--llmc must be the folder of llm.c"),
        ("refuses --root for other work", ["kernels", "--root", "debian"], "--root is for step and sample, got kernels"),
        ("refuses --llmc for other work", ["sample", "--llmc", "llm.c"], "--llmc is for step, got sample"),
        ("refuses --size default for other work", ["fused", "--size", "default"], "--size default is for step, got fused"),
        ("refuses no round", ["--rounds", "0"], "--rounds: must be a positive whole number, got '0'"),
    ]:  # fmt: skip
        refuses(what, "versus", arguments, 2, said, PYTHON=str(python))
    refuses("refuses a Python without torch", "versus", [], 2, "PYTHON must be a Python that has torch, got nowhere",
            PYTHON="nowhere")  # fmt: skip
    refuses("refuses llm.c without a compiler", "versus", ["--llmc", "llm.c"], 2, "needs a compiler for C, got nowhere",
            PYTHON=str(python), CC="nowhere")  # fmt: skip
    (made / "llm.c" / "train_gpt2.c").write_text("int none;\n")
    if llmc:
        refuses("names sources that do not compile", "versus", ["--llmc", "llm.c"], 1, "llm.c in llm.c does not compile",
                PYTHON=str(python))  # fmt: skip

    # Growth: 100 GFLOP/s, 20 ms a step; T 256, C 128, L 4, B 4, V 1024 is 6 x 1024 x (12 x 4 x 128^2 + 128 x 1024)
    # + 4 x 6 x 2 x 4 x 256 x 257 / 2 x 128 = 6.446 GFLOP, so 64.46 ms and 0.31 of them.
    code, out, err = bench("growth", "--rounds", "1", "--out", "growth.svg")
    verdict("growth measures all axes", code == 0, err)
    base = ["context 256|6.45|20.00|21.00|64.46|0.31|2.5", "channels 128|6.45|20.00|21.00|64.46|0.31|2.5",
            "layers 4|6.45|20.00|21.00|64.46|0.31|2.5", "batch 4|6.45|20.00|21.00|64.46|0.31|2.5",
            "vocabulary 1024|6.45|20.00|21.00|64.46|0.31|2.5"]  # fmt: skip
    found = [row for row in rows_of(out) if "|6.45|20.00|" in row]
    verdict("and has the bound of each step", found == base, out)
    # 6 x 2 x 4 x 256 x 257 / 2 x 128 = 0.2021 GFLOP
    verdict("and of attention alone", "context 256|0.20|5.00|6.00|2.02|2.47|2.5" in rows_of(out), out)
    for name, width in (("growth.svg", 720), ("growth_narrow.svg", 340)):
        figure = made / name
        drawn = figure.read_text() if figure.exists() else ""
        verdict(f"draws {name}", f'width="{width}"' in drawn and "over vocabulary" in drawn and "</svg>" in drawn, drawn[:400])
    calls = [json.loads(line) for line in (made / "bench/train_step.calls").read_text().splitlines()]
    heads = {(c["n_embd"], c["n_head"]) for c in calls if "dtype" in c}
    verdict("heads have 32 channels", heads >= {("64", "2"), ("1024", "32")}, heads)
    code, out, err = bench("growth", "--axis", "L", "--quick", "--dtype", "float32")
    verdict("measures one axis", code == 0 and "\nlayers 32|" in "\n".join(rows_of(out)) and "\ncontext 64" not in out, out)
    for what, arguments, said in [
        ("refuses another figure", ["--out", "growth.png"], "--out must name a file that ends in .svg, got growth.png"),
        ("refuses a figure of one axis", ["--out", "growth.svg", "--axis", "T"], "takes no --axis"),
        ("refuses growth without rounds", ["--rounds", "-1"], "must be a positive whole number"),
    ]:  # fmt: skip
        refuses(what, "growth", arguments, 2, said)
    (made / "bench/attention").unlink()
    refuses("refuses a build without its programs", "growth", [], 1, "there is no", "(./run bench growth builds it)")
finish()
