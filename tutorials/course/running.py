"""Runs a program that a reader wrote, with bounds on its output, time, memory and processes."""

import functools
import os
import re
import resource
import selectors
import signal
import subprocess
import time

from chapters import Trouble

SECONDS = 60  # the longest time of an answer
MOST_BYTES = 1_000_000  # the most output of a program
# The most memory of a program, in bytes. OpenBLAS reserves up to 128 MB for each core before it computes.
MOST_MEMORY = 4_000_000_000 + 128_000_000 * (os.cpu_count() or 1)
MOST_PROCESSES = 200 + 16 * (os.cpu_count() or 1)  # of the reader, beyond those that run already; threads count, too
# All control characters except tab and newline, and the marks that reverse the direction of a text, because terminals
# obey them.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(raw):
    """Bytes as text that is safe to print: bytes that are not UTF-8, and control characters, are shown like \\xff."""
    text = raw.decode(errors="backslashreplace").replace("\r\n", "\n")
    return CONTROLS.sub(lambda c: c[0].encode("unicode_escape").decode(), text)


@functools.cache
def threads_of_this_user():
    """The number of the reader's threads; the system counts threads as processes."""
    count, user = 0, os.getuid()
    for folder in os.scandir("/proc"):
        try:
            if folder.name.isdigit() and folder.stat().st_uid == user:
                count += len(os.listdir(f"{folder.path}/task"))
        except OSError:  # the process has ended
            continue
    return count


ALIVE = set()  # running programs


def end_all():
    """Ends all running programs; called at the end of the command, even if it was interrupted."""
    for running in [*ALIVE]:
        running.end()


class Running:
    """A program in a session of its own; ending it ends all of its children too.

    `stopped` holds the reason if the program was stopped, `complaints` its standard error, and `code` its exit status.
    `bounded=False` leaves out the bound on memory: the address sanitizer reserves terabytes."""

    def __init__(self, program, *arguments, seconds=None, bounded=True, **options):
        self.code, self.stopped, self.complaints, self.seconds = None, "", "", seconds
        limits = hasattr(resource, "prlimit")  # Linux
        most_processes = limits and threads_of_this_user() + MOST_PROCESSES
        self.run = subprocess.Popen(
            [str(program), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True, **options,
        )  # fmt: skip
        ALIVE.add(self)
        if limits:
            self.limit(resource.RLIMIT_CORE, 0)
            self.limit(resource.RLIMIT_NPROC, most_processes)
            if bounded:
                self.limit(resource.RLIMIT_DATA, MOST_MEMORY)

    def limit(self, kind, most):
        try:
            _, hard = resource.prlimit(self.run.pid, kind)
            resource.prlimit(self.run.pid, kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
        except (OSError, ValueError):  # the program has ended, or the system forbids it
            pass

    def lines(self):
        """Yields the lines of standard output as they come."""
        try:
            pending = ""
            for text in self.pieces():
                *lines, pending = (pending + text).split("\n")
                yield from (line + "\n" for line in lines)
            if pending:
                yield pending
        finally:  # also when the caller stops early
            self.end()

    def pieces(self):
        end = time.monotonic() + self.seconds if self.seconds else float("inf")
        kept, printed, ended = b"", 0, False
        complaints = []
        with selectors.DefaultSelector() as open_pipes:
            for pipe in (self.run.stdout, self.run.stderr):
                open_pipes.register(pipe, selectors.EVENT_READ)
            while open_pipes.get_map():
                for key, _ in open_pipes.select(0.1):
                    raw = os.read(key.fd, 65536)
                    printed += len(raw)
                    if not raw:
                        open_pipes.unregister(key.fileobj)
                    elif key.fileobj is self.run.stderr:
                        complaints.append(raw)
                    else:  # a letter of several bytes may be cut between two pieces
                        whole = (kept + raw).rfind(b"\n") + 1
                        raw, kept = (kept + raw)[:whole], (kept + raw)[whole:]
                        if raw:
                            yield printable(raw)
                if printed > MOST_BYTES:
                    self.stopped = f"printed more than {MOST_BYTES // 1_000_000} MB and was stopped: is there an endless loop?"
                    break
                if time.monotonic() > end:
                    self.stopped = f"ran for {self.seconds} s and was stopped: is there an endless loop?"
                    break
                if not ended and os.waitid(os.P_PID, self.run.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                    ended = True
                    self.kill()  # ends children that it left; they hold the pipes open
        if kept:
            yield printable(kept)
        while not self.stopped and not os.waitid(os.P_PID, self.run.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if time.monotonic() > end:  # it has closed its output and still runs
                self.stopped = f"ran for {self.seconds} s and was stopped: is there an endless loop?"
            time.sleep(0.01)
        self.complaints = printable(b"".join(complaints))

    def kill(self):
        try:
            os.killpg(self.run.pid, signal.SIGKILL)
        except OSError:  # no process of it is left
            pass

    def end(self):
        if self.code is None:
            self.kill()
            self.code = self.run.wait()
            ALIVE.discard(self)
            self.run.stdout.close()
            self.run.stderr.close()


def lines_of(program, *arguments, **options):
    """Yields the lines that a program prints, as they come; raises Ended if it does not end well."""
    running = Running(program, *arguments, **options)
    yield from running.lines()
    if running.stopped or running.code:
        raise Ended(running)


def ended_by(code, said="", chapter="00"):
    """Describes a crash for the reader. An open hole prints its own message."""
    name = signal.Signals(-code).name
    if re.search(r"exercise \d\d\.\d+: ", said):
        return f"RED    the program was ended by {name}\n"
    return f"RED    the program was ended by {name}\n{cause_of(name, said, chapter)}"


def cause_of(name, said, chapter):
    cause = {
        "SIGSEGV": "an index below 0 or past the end, or a recursion without end",
        "SIGFPE": "a whole number was divided by 0",
        "SIGKILL": "there was not enough memory",
    }.get(name, "an index below 0 or past the end, or exchanged sizes")
    if name == "SIGSEGV" and chapter >= "03":  # from chapter 03 on ops leave closures behind, and nodes have pointers
        cause = f"a pointer that is null, a closure that outlives what it captures by reference ([&]), {cause}"
    return memory_cause(said) or f"likely cause: {cause}\n"


def memory_cause(said):
    """The likely cause if a program was refused memory; otherwise empty."""
    if "std::bad_alloc" not in said and "std::length_error" not in said:
        return ""
    return "likely cause: the program asked for too much memory, through a loop that does not end, or a size that is negative or far too large\n"


class Ended(Trouble):
    """The error of a program that did not end well, with its standard error."""

    def __init__(self, running):
        self.complaints = running.complaints
        if running.stopped:
            ending = f"{running.stopped}\n"
        elif running.code < 0:
            ending = ended_by(running.code, self.complaints).removeprefix("RED    the program ")
        else:
            ending = f"ended with {running.code}\n{memory_cause(self.complaints)}"
        super().__init__(f"the program {ending}{self.complaints}")
