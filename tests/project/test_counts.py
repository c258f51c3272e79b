"""Messages count in English: one case, two cases."""

import ast
import re
from itertools import pairwise

import pytest

from otel_ragfault.counting import counted
from paths import REPOSITORY

NOUNS = (
    "case|chunk|document|disagreement|file|group|id|label|line|member|message|piece|probe|problem|question|quote|"
    "reason|record|request|row|run|segment|snapshot|span|trace|unknown|verdict"
)
PLURAL = re.compile(rf"^ (?:(?!of )[a-z]+ ){{0,2}}?(?:{NOUNS})s\b")
NEVER_ONE = {  # what can only be none or several at its place
    "landing/spool/record.py": {"spans"},
    "jobs/query.py": {"len(statements)"},
    "judging/verdicts/load.py": {"len(found)", "len(nameless)"},
    "pytest_plugin/settings.py": {"len(paths)"},
    "receiving/checks.py": {"MOST_ITEMS"},
    "cli/show.py": {"cards[0]['found']"},
}


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        pytest.param(1, ["case"], "1 case", id="one"),
        pytest.param(0, ["case"], "0 cases", id="none"),
        pytest.param(2, ["case"], "2 cases", id="two"),
        pytest.param(1, ["quote is", "quotes are"], "1 quote is", id="one, with a verb"),
        pytest.param(3, ["quote is", "quotes are"], "3 quotes are", id="several, with a verb"),
    ],
)
def test_what_is_counted_is_one_or_several(number, words, said):
    assert counted(number, *words) == said


def plurals_of(source):
    """Yield the line, the number and the words where a message puts a plural behind a number."""
    for node in ast.walk(ast.parse(source)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for value, text in pairwise(parts):
            if not (isinstance(value, ast.FormattedValue) and isinstance(text, ast.Constant)):
                continue
            named = ast.unparse(value.value)
            if value.conversion == -1 and PLURAL.match(text.value) and is_a_number(named):
                yield node.lineno, named, text.value[:40]


def is_a_number(named):
    """Tell whether an expression looks like a number: the rest are names, and ``x is in y`` is no count."""
    return not named.startswith(("', '.join", "counted(", "visible(", "shown("))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        pytest.param('f"{number} cases"', 1, id="bare"),
        pytest.param('f"of {len(x)} log records."', 1, id="a word between"),
        pytest.param("f\"{counted(n, 'case')} loaded\"", 0, id="counted"),
        pytest.param('f"{case!r} requests more"', 0, id="a quoted name"),
    ],
)
def test_the_search_for_plurals_finds_what_it_should(source, found):
    assert len(list(plurals_of(source))) == found


def test_no_message_says_one_cases():
    package = REPOSITORY / "otel_ragfault"
    files = {path.relative_to(package).as_posix(): path for path in sorted(package.rglob("*.py"))}
    found = [
        f"{name}:{line}: {number}{words}"
        for name, path in files.items()
        for line, number, words in plurals_of(path.read_text(encoding="utf-8"))
        if number not in NEVER_ONE.get(name, ())
    ]
    assert found == [], "use otel_ragfault.counting.counted"
