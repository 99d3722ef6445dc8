#!/usr/bin/env bash
# Checks that a project that uses gradus as README.md shows, with README.md's program, builds and runs. It must compile only
# the parts that it links, the engine alone or the whole library, and never the command, nor parts that only the command
# needs. The parts are optimised even if the project's own build is not. Prints the seconds: subproject.sh SOURCE FOLDER.
set -euo pipefail

source=$1 folder=$2
rm -rf "$folder"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/subprojects"
ln -s "$source" "$folder/subprojects/gradus"

block() {  # block LANGUAGE: README.md's first block in this language
  awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } on && $0 == "```" { exit } on' "$source/README.md"
}
block meson >"$folder/meson.build"
block cpp >"$folder/main.cpp"
block text >"$folder/wanted"
# This target is not built; ninja only lists its commands.
echo "executable('whole', 'main.cpp', dependencies: gradus_dep, build_by_default: false)" >>"$folder/meson.build"

began=$SECONDS
meson setup "$folder/build" "$folder" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
ninja -C "$folder/build" mine >"$folder/log" 2>&1 || { grep -m 3 error "$folder/log" || tail "$folder/log"; exit 1; }
"$folder/build/mine" | diff - "$folder/wanted"
echo "ok   README.md's project builds, and its program prints what README.md says: in $((SECONDS - began)) s"

python3 - "$folder/build" <<'END'
import pathlib, re, subprocess, sys

build = pathlib.Path(sys.argv[1])


def commands(target):
    """The commands that building the target runs, one per line."""
    ninja = ["ninja", "-C", str(build), "-t", "commands", *target]
    return subprocess.run(ninja, capture_output=True, text=True, check=True).stdout.splitlines()


def flags(file, lines):
    return next(line.split() for line in lines if line.endswith(f"-c {file}") or line.endswith(f"/{file}"))


def compiles(lines, folder):
    return any(re.search(rf"gradus/{folder}/|lib(models|text|tasks|sentences)\.a\.p", line) for line in lines)


engine, whole, default = commands(["mine"]), commands(["whole"]), commands([])
failed = 0
checks = {
    "a program of the engine compiles the engine": "autograd/ops/matmul.cpp" in "".join(engine),
    "and nothing of nn": not compiles(engine, "nn"),
    "nor is JSON or PCRE2 linked": not re.search("pcre|nlohmann", "".join(engine)),
    "a program of the library compiles nn": compiles(whole, "nn"),
    "the command is not built": not any("gradus/cli/" in line for line in default),
    "CLI11 is not asked for": "CLI11" not in (build / "meson-logs" / "meson-log.txt").read_text(),
    "the library is optimised": "-O3" in flags("autograd/ops/matmul.cpp", engine),
    "the project's own program is not": "-O3" not in flags("main.cpp", whole),
}
for what, holds in checks.items():
    failed += not holds
    print("ok  " if holds else "FAIL", what)
print(f"{1 + len(checks) - failed} passed, {failed} failed")
sys.exit(failed != 0)
END
