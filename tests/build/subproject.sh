#!/usr/bin/env bash
# A project that uses gradus as a subproject gets the library alone, optimised though its own build is not, and
# neither the command nor what only the command needs. Configures; compiles nothing.
set -euo pipefail

source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/subprojects"
ln -s "$source" "$folder/subprojects/gradus"
cat >"$folder/meson.build" <<'END'
project('mine', 'cpp', default_options: ['cpp_std=c++20'])
gradus_dep = dependency('gradus', fallback: ['gradus', 'gradus_dep'])
executable('mine', 'main.cpp', dependencies: gradus_dep)
END
echo 'int main() {}' >"$folder/main.cpp"
meson setup "$folder/build" "$folder" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }

python3 - "$folder/build" <<'END'
import json, pathlib, sys

build = pathlib.Path(sys.argv[1])
targets = json.loads((build / "meson-info" / "intro-targets.json").read_text())
names = {t["name"] for t in targets if t["build_by_default"]}
entries = json.loads((build / "compile_commands.json").read_text())


def flags(file, target):
    return next(e["command"].split() for e in entries if e["file"].endswith(file) and target in e["command"])


failed = 0
for what, holds in {
    "the library is built": "gradus_float" in names,
    "the command is not": "gradus" not in names,
    "CLI11 is not asked for": "CLI11" not in (build / "meson-logs" / "meson-log.txt").read_text(),
    "the library is optimised": "-O3" in flags("autograd/ops/matmul.cpp", "libgradus_float"),
    "the project's own program is not": "-O3" not in flags("main.cpp", "mine"),
}.items():
    failed += not holds
    print("ok  " if holds else "FAIL", what)
print(f"{5 - failed} passed, {failed} failed")
sys.exit(failed != 0)
END
