"""Keeps a stamp for each step that went well, with the files that it read: the step is not repeated until one of them
changes."""

import functools
import hashlib
import json
import subprocess
from pathlib import Path


def digest(*words):
    return hashlib.sha256("\0".join(map(str, words)).encode(errors="surrogateescape")).hexdigest()


@functools.cache
def digest_of(file):
    """The digest of a file's contents; of its members' contents for a thin archive, which only names them. None if the file
    is gone."""
    try:
        content = Path(file).read_bytes()
    except OSError:
        return None
    if content.startswith(b"!<thin>"):
        named = subprocess.run(["ar", "t", file], capture_output=True, text=True, check=True).stdout.split("\n")
        return digest(*(digest_of(Path(file).parent / name) if name else "" for name in named))
    return hashlib.sha256(content).hexdigest()


def read_by(depfile, home):
    """The files that a compiler read, from the output of -MD; the compiler ran in `home`."""
    words = Path(depfile).read_text().replace("\\\n", " ").replace("\\ ", "\0").split()
    return [str(home / word.replace("\0", " ")) for word in words[1:] if not word.endswith(".gch")]  # its headers are named too


class Stamps:
    """A folder with a file for each stamp. All stamps depend on `always`, besides the files that they name."""

    def __init__(self, folder, *always):
        self.folder, self.always = folder, digest(*always)
        self.folder.mkdir(parents=True, exist_ok=True)

    def holds(self, name, *told):
        """Whether `name` was done with these words, and no file that it read has changed since."""
        try:
            stamp = json.loads((self.folder / f"{name}.json").read_text())
        except (OSError, ValueError):
            return False
        same = (found is not None and digest_of(file) == found for file, found in stamp["files"].items())
        return stamp["told"] == digest(self.always, *told) and all(same)

    def keep(self, name, *told, files=()):
        stamp = {"told": digest(self.always, *told), "files": {str(file): digest_of(file) for file in files}}
        (self.folder / f"{name}.json").write_text(json.dumps(stamp))
