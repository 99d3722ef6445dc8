#!/usr/bin/env python3
"""Prints one JSON object: PyTorch's version, the BLAS, the C++ compiler that torch.compile would use, and the system."""

import ctypes
import json
import os
import pathlib
import platform
import shutil
import subprocess

import peer_gpt  # noqa: F401  first: see there
import torch


def blas():
    """OpenBLAS's version and core, if it is loaded."""
    for name in ("libopenblas.so.0", "libopenblas.dylib"):
        try:
            library = ctypes.CDLL(name, mode=os.RTLD_NOLOAD)
            library.openblas_get_config.restype = library.openblas_get_corename.restype = ctypes.c_char_p
            version = " ".join(library.openblas_get_config().decode().split()[:2])
            return f"{version} {library.openblas_get_corename().decode()}"
        except (OSError, AttributeError):
            continue
    return ""


def compiler():
    name = os.environ.get("CXX", "g++")
    if not shutil.which(name):
        return ""
    return subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]


def system():
    release = pathlib.Path("/etc/os-release")
    for line in release.read_text().splitlines() if release.exists() else ():
        if line.startswith("PRETTY_NAME="):
            return line.split("=", 1)[1].strip('"')
    return platform.platform(terse=True)


torch.mm(torch.ones(64, 64), torch.ones(64, 64))  # loads the BLAS, however it is linked
print(json.dumps({"torch": torch.__version__, "blas": blas(), "compiler": compiler(), "system": system()}))
