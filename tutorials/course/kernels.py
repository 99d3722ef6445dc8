"""Finds the kernels that OpenBLAS chooses for a CPU. Kernels add up in different orders, and training amplifies the
differences."""

import ctypes
import functools
import subprocess
from pathlib import Path

from chapters import CHAPTERS, ROOT, TRIALS, Trouble

# The kernels that made every expected.txt, with OpenBLAS's version: both give the same products, with AVX-512.
KEPT = ("SkylakeX 0.3.21", "Cooperlake 0.3.21")


@functools.cache
def blas_kernels():
    """OpenBLAS's name for the kernels that it uses here, and its version, because other versions add up in other orders;
    empty if OpenBLAS is not found."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        name, config = library.openblas_get_corename, library.openblas_get_config
    except (OSError, AttributeError):
        return ""
    name.restype = config.restype = ctypes.c_char_p
    return f"{name().decode()} {config().decode().split()[1]}"  # "OpenBLAS 0.3.21 ..."


def other_kernels():
    """Further kernels that this CPU can run, with which pages must not contradict themselves: the AVX2 kernels, if the
    usual ones use AVX-512. (A CPU without AVX-512 uses the AVX2 kernels anyway.)"""
    return ["Haswell"] if blas_kernels().split(" ")[0] in ("SkylakeX", "Cooperlake", "SapphireRapids") else []


def build_for_avx2(build):
    """A second build of the chapters' programs, for a CPU with AVX2 alone, as its users have it. Takes minutes."""
    folder = Path(build) / "avx2"
    steps = [["ninja", "-C", folder, *(f"tutorials/{c.program}" for c in CHAPTERS)]]
    if not (folder / "build.ninja").exists():
        steps.insert(0, ["meson", "setup", folder, ROOT, "-Dcourse=true", "-Dnative=false", "-Dcpp_args=-march=x86-64-v3"])
    for step in steps:
        made = subprocess.run(step, capture_output=True, text=True)
        if made.returncode != 0:
            raise Trouble(f"the build for AVX2 failed:\n{made.stdout}{made.stderr}")
    return folder


def folder_of(kernels):
    """The folder of the programs' output with these kernels."""
    return TRIALS / "kernels" / kernels
