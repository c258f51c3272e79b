"""The module map of ARCHITECTURE.md: one line a module, taken from the first line of its docstring.

``python tests/project/module_map.py`` rewrites the map; a test tells when that was forgotten.
"""

import ast
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "otel_ragfault"
BEGIN, END = "<!-- module map: begin -->", "<!-- module map: end -->"


def first_line(path):
    """Return the first line of the docstring of a module."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n", 1)[0]


def module_map():
    """Return the map as Markdown: a heading a folder, a row a module."""
    lines = []
    for folder in sorted({path.parent for path in PACKAGE.rglob("*.py")}):
        name = folder.relative_to(REPOSITORY).as_posix()
        lines += ["", f"**`{name}/`** — {first_line(folder / '__init__.py')}", ""]
        modules = [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
        lines += [f"- `{path.name}`: {first_line(path)}" for path in modules]
    return "\n".join([*lines, ""])


def parts():
    """Return ARCHITECTURE.md before the map, the map, and what follows it."""
    before, rest = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8").split(BEGIN)
    found, after = rest.split(END)
    return before, found, after


if __name__ == "__main__":
    before, _, after = parts()
    text = f"{before}{BEGIN}{module_map()}{END}{after}"
    (REPOSITORY / "ARCHITECTURE.md").write_text(text, encoding="utf-8")
    sys.exit(0)
