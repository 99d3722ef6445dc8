"""What was done and found well before, by what it read: nothing of it is done again until that changes."""

import functools
import hashlib
import json
import subprocess
from pathlib import Path


def digest(*words):
    return hashlib.sha256("\0".join(map(str, words)).encode(errors="surrogateescape")).hexdigest()


@functools.cache
def digest_of(file):
    """Of a file's contents; of a thin archive, of its members, which it only names. None if it is gone."""
    try:
        content = Path(file).read_bytes()
    except OSError:
        return None
    if content.startswith(b"!<thin>"):
        named = subprocess.run(["ar", "t", file], capture_output=True, text=True, check=True).stdout.split("\n")
        return digest(*(digest_of(Path(file).parent / name) if name else "" for name in named))
    return hashlib.sha256(content).hexdigest()


def read_by(depfile, home):
    """The files that a compiler read, which ran in `home`, from what -MD wrote."""
    words = Path(depfile).read_text().replace("\\\n", " ").replace("\\ ", "\0").split()
    return [str(home / word.replace("\0", " ")) for word in words[1:] if not word.endswith(".gch")]  # what is in that is named, too


class Stamps:
    """A file for each thing that was done, in a folder. `always` is what all of them depend on, besides what they read."""

    def __init__(self, folder, *always):
        self.folder, self.always = folder, digest(*always)
        self.folder.mkdir(parents=True, exist_ok=True)

    def holds(self, name, *told):
        """Whether `name` was done with these words, and no file has changed that it read then."""
        try:
            stamp = json.loads((self.folder / f"{name}.json").read_text())
        except (OSError, ValueError):
            return False
        same = (found is not None and digest_of(file) == found for file, found in stamp["files"].items())
        return stamp["told"] == digest(self.always, *told) and all(same)

    def keep(self, name, *told, files=()):
        stamp = {"told": digest(self.always, *told), "files": {str(file): digest_of(file) for file in files}}
        (self.folder / f"{name}.json").write_text(json.dumps(stamp))
