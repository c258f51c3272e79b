import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.errors import InputError
from otel_ragfault.model import Problem
from otel_ragfault.model.jsonlines import Line, read_lines


def read(tmp_path, content):
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    return list(read_lines(path))


@pytest.mark.parametrize(
    ("content", "values"),
    [
        pytest.param(b'\xef\xbb\xbf{"a": 1}\n', [(1, {"a": 1})], id="byte order mark"),
        pytest.param(b'{"a": 1}\r\n{"a": 2}\r\n', [(1, {"a": 1}), (2, {"a": 2})], id="carriage returns"),
        pytest.param(b'\n  \n{"a": 1}\n\n', [(3, {"a": 1})], id="blank lines keep the count"),
        pytest.param(
            '{"a": "x\u2028y\x85z\u2029"}'.encode(), [(1, {"a": "x\u2028y\x85z\u2029"})], id="separators in texts"
        ),
        pytest.param(
            '{"a": "e\u0301"}\n{"a": "\u00e9"}'.encode(), [(1, {"a": "e\u0301"}), (2, {"a": "\u00e9"})], id="NFD stays"
        ),
        pytest.param(b'{"a": "\\u0000"}', [(1, {"a": "\x00"})], id="escaped NUL"),
        pytest.param(b"", [], id="empty file"),
    ],
)
def test_reads(tmp_path, content, values):
    assert [(line.number, line.value) for line in read(tmp_path, content)] == values


@pytest.mark.parametrize(
    ("content", "line", "field", "reason"),
    [
        pytest.param(b'{"a": NaN}', 1, "", "not strict JSON", id="NaN"),
        pytest.param(b'{"a": -Infinity}', 1, "", "not strict JSON", id="Infinity"),
        pytest.param(b'{"a": 1e999}', 1, "", "not strict JSON", id="too large a number"),
        pytest.param(b'{"a": "\\ud800"}', 1, "", "not strict JSON", id="lone surrogate"),
        pytest.param(b'{}\n{"a": "\xff"}', 2, "", "UTF-8", id="invalid UTF-8"),
        pytest.param(b'{"a": "x\x00"}', 1, "", "not strict JSON", id="raw NUL"),
        pytest.param(b'{"a": {"b": 1, "b": 2}}', 1, "b", "given twice", id="repeated key"),
        pytest.param(b"{}\n3", 2, "", "wanted a JSON object", id="not an object"),
        pytest.param(b'{}\n["x"]', 2, "", "found the list", id="a list among objects"),
        pytest.param(b'[{"a": 1}]', 1, "", "a JSON array, wanted one JSON object a line", id="array on one line"),
        pytest.param(b'[\n {\n  "a": 1}]', 1, "", "a JSON array", id="array over lines"),
        pytest.param(b'[{"a": 1},\n{"a": 2}]', 1, "", "a JSON array", id="array with a line each"),
        pytest.param(b'{\n "a": 1\n}', 1, "", "spread over several lines", id="pretty printed"),
        pytest.param('{"a": 1}'.encode("utf-16"), 1, "", "UTF-16", id="UTF-16"),
        pytest.param(b"\x1f\x8b\x08rest", 1, "", "gzip", id="gzip"),
        pytest.param(b'{"a":' + b"[" * 2000 + b"]" * 2000 + b"}", 1, "", "depth", id="deep nesting"),
    ],
)
def test_names_what_is_wrong(tmp_path, content, line, field, reason):
    problems = [item for item in read(tmp_path, content) if isinstance(item, Problem)]
    assert len(problems) == 1
    assert (problems[0].line, problems[0].field) == (line, field)
    assert reason in problems[0].reason
    assert str(problems[0]).startswith(f"{tmp_path / 'file.jsonl'}:{line}: ")


@pytest.mark.parametrize("name", ["absent.jsonl", "."], ids=["no such file", "a folder"])
def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path, name):
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines(tmp_path / name))


BROKEN = st.sampled_from(
    [b"{", b'{"a": }', b"null", b'"x"', b"{'a': 1}", b'{"a": 1} {}', b"\xff", b'{"a":1,"a":1}', b"NaN"]
)
VALID = st.dictionaries(st.text(), st.text() | st.integers(-9, 9)).map(lambda value: json.dumps(value).encode())


@given(lines=st.lists(st.tuples(st.booleans(), VALID, BROKEN)), end=st.sampled_from([b"\n", b"\r\n"]))
def test_exactly_the_broken_lines_are_reported(tmp_path_factory, lines, end):
    raw = [b"{}"] + [valid if good else broken for good, valid, broken in lines]
    found = read(tmp_path_factory.getbasetemp(), end.join(raw))
    expected = [n for n, (good, _, _) in enumerate(lines, start=2) if not good]
    assert [item.line for item in found if isinstance(item, Problem)] == expected
    assert len([item for item in found if isinstance(item, Line)]) == len(raw) - len(expected)
