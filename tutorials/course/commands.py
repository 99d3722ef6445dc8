"""Makes the page of the commands from their help."""

import html
import os
import re
import subprocess

FLAG = re.compile(r"^  (\S+(?: [A-Z,]+)?)(?:\s{2,}(.*))?$")


def write_commands(build, folder):
    """Writes commands.md into a folder, and an HTML file for each command, which commands.md
    includes."""
    folder.mkdir(parents=True, exist_ok=True)
    said = help_of(build, "help")
    commands = re.findall(r"^  ([a-z]+)  ", said, re.M)
    page = ["# Commands {#commands}", "", "The output of `./run COMMAND --help-all`, for each command that works on models."]
    for command in commands:
        (folder / f"command_{command}.html").write_text(as_html(help_of(build, command, "--help-all")))
        page += ["", f"## ./run {command} {{#command_{command}}}", "", f"\\htmlinclude command_{command}.html"]
    (folder / "commands.md").write_text("\n".join(page) + "\n")


def help_of(build, *arguments):
    environment = os.environ | {"GRADUS_PROGRAM": "./run"}
    run = subprocess.run([build / "gradus", *arguments], capture_output=True, text=True, check=True, env=environment)
    return run.stdout


def as_html(said):
    """Help as HTML: a table for each group of flags, paragraphs for words, code for indented
    lines."""
    out = []
    for block in said.strip().split("\n\n"):
        lines = block.split("\n")
        if len(lines) > 1 and lines[1].startswith("  -"):
            out.append(f"<h2>{html.escape(lines[0])}</h2>\n{table(lines[1:])}")
        elif block.startswith("usage: "):
            out.append(f"<pre>{html.escape(block.removeprefix('usage: '))}</pre>")
        else:
            words = [line for line in lines if not line.startswith("  ")]
            code = [line[2:] for line in lines if line.startswith("  ")]
            out.append(f"<p>{html.escape(' '.join(words), quote=False)}</p>" if words else "")
            out.append("<pre>" + html.escape("\n".join(code), quote=False) + "</pre>" if code else "")
    return "\n".join(filter(None, out)) + "\n"


def table(lines):
    rows = []
    for line in lines:
        flag = FLAG.match(line)
        if flag:
            rows.append([flag[1], flag[2] or ""])
        else:
            rows[-1][1] = f"{rows[-1][1]} {line.strip()}".strip()
    cells = "".join(
        f"<tr><td><code>{html.escape(name)}</code></td><td>{html.escape(what, quote=False)}</td></tr>\n" for name, what in rows
    )
    return f'<table class="markdownTable flags">\n<tr class="markdownTableHead"><th>flag</th><th>what it does</th></tr>\n{cells}</table>'
