"""Includes in the sources point downwards, and tools/check_core.py says of each that does not which it is.

usage: core_test.py CHECK_CORE ROOT
"""

import pathlib
import subprocess
import sys
import tempfile

CASES = [  # the file, its include, and the message about it
    ("autograd/kernels/loops.h", "autograd/tensor.h", "autograd/kernels/loops.h includes autograd/tensor.h, which is not below it"),
    ("autograd/kernels/loops.h", "autograd/shape.h", ""),
    ("autograd/graph.h", "autograd/inspect/profile.h", "autograd/graph.h includes autograd/inspect/profile.h, which is not below it"),
    ("autograd/graph.h", "nn/module.h", "autograd/graph.h includes nn/module.h, which is not below it"),
    ("nn/text/tokenizer.h", "nn/files/safetensors.h", "nn/text/tokenizer.h includes nn/files/safetensors.h, which is not below it"),
    ("nn/files/safetensors.h", "nn/text/tokenizer.h", ""),
    ("nn/tasks/task.cpp", "autograd/kernels/loops.h", ""),
    ("nn/train/trainer.cpp", "nn/tasks/gpt_task.h", "nn/train/trainer.cpp includes nn/tasks/gpt_task.h, which is not below it"),
    ("cli/program/flags.h", "cli/cluster/cluster.h", "cli/program/flags.h includes cli/cluster/cluster.h, which is not below it"),
    ("cli/program/main.cpp", "cli/commands/chat.h", "cli/program/main.cpp includes cli/commands/chat.h, which is not below it"),
    ("cli/main.cpp", "cli/cluster/cluster.h", ""),
    ("nn/more/part.h", "nn/module.h", "nn/more/part.h is in no folder of BELOW"),
    ("autograd/graph.h", "autograd/graph.h", "autograd/graph.h includes autograd/graph.h: a circle"),
]


def said_of(check_core, root):
    run = subprocess.run([sys.executable, check_core, root], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def main():
    check_core, root = sys.argv[1:]
    code, said = said_of(check_core, root)
    failed = code != 0
    print(said, end="")
    for file, header, wanted in CASES:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / file
            (pathlib.Path(folder) / "autograd").mkdir()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'#include "{header}"\n')
            code, said = said_of(check_core, folder)
        if code != bool(wanted) or not said.startswith(wanted) or (said and not wanted):
            print(f"FAIL {file} with {header}: expected {wanted!r}, got {said!r}")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
