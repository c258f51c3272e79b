import math
from enum import StrEnum

import orjson
import pytest

from otel_ragfault.landing.decoding.values import MAX_DEPTH, Repaired, clean_text, to_json


class Colour(StrEnum):
    RED = "red"


def nested(depth):
    value = "core"
    for _ in range(depth):
        value = [value]
    return value


LOSSLESS = [
    pytest.param({"a": 2**63 - 1}, '{"a":9223372036854775807}', id="greatest int64"),
    pytest.param({"a": -(2**63)}, '{"a":-9223372036854775808}', id="least int64"),
    pytest.param({"a": 2**64 - 1}, '{"a":18446744073709551615}', id="greatest uint64"),
    pytest.param({"a": 1.0}, '{"a":1.0}', id="a whole double keeps its point"),
    pytest.param({"a": 1e300}, '{"a":1e+300}', id="large double"),
    pytest.param({"a": 0.1 + 0.2}, '{"a":0.30000000000000004}', id="shortest digits that round-trip"),
    pytest.param({"a": math.nan}, '{"a":{"$double":"NaN"}}', id="NaN"),
    pytest.param({"a": [math.inf, -math.inf]}, '{"a":[{"$double":"Infinity"},{"$double":"-Infinity"}]}', id="inf"),
    pytest.param({"a": b"\x00\xff"}, '{"a":{"$bytes":"AP8="}}', id="bytes"),
    pytest.param({"a": None, "b": "null"}, '{"a":null,"b":"null"}', id="null and its word"),
    pytest.param({"a": (1, "x", True)}, '{"a":[1,"x",true]}', id="tuple"),
    pytest.param({"a": {"b": [{"c": 1.5}]}}, '{"a":{"b":[{"c":1.5}]}}', id="nested"),
    pytest.param({"a": "x\0y"}, '{"a":"x\\u0000y"}', id="NUL"),
    pytest.param({"a": Colour.RED}, '{"a":"red"}', id="a str of a subclass"),
    pytest.param({"": {}}, '{"":{}}', id="empty"),
]


@pytest.mark.parametrize(("value", "text"), LOSSLESS)
def test_value_is_written_without_loss(value, text):
    notes = {}
    assert to_json(value, "attributes", notes) == text
    assert notes == {}


REPAIRED = [
    pytest.param({"a": 2**64}, {"a": None}, {"attributes.a": "18446744073709551616"}, id="integer beyond 64 bits"),
    pytest.param({"a": "x\ud800y"}, {"a": "x\ufffdy"}, {"attributes.a": "x\\ud800y"}, id="lone surrogate"),
    pytest.param({"a": ["\ud83d\ude00"]}, {"a": ["😀"]}, {"attributes.a[0]": "\\ud83d\\ude00"}, id="surrogate pair"),
    pytest.param(
        {"k\udc00": 1}, {"k\ufffd": 1}, {"attributes.k\udc00 (name)": "k\\udc00"}, id="lone surrogate in a name"
    ),
    pytest.param({"a": Repaired(1, "was")}, {"a": 1}, {"attributes.a": "was"}, id="repaired by a decoder"),
    pytest.param(
        {"a": {"$bytes": "eA=="}}, {"a": {"$bytes": "eA=="}}, {"attributes.a": "a map, not a marker"}, id="marker"
    ),
]


@pytest.mark.parametrize(("value", "kept", "notes"), REPAIRED)
def test_value_that_cannot_be_kept_is_replaced_and_noted(value, kept, notes):
    found = {}
    assert orjson.loads(to_json(value, "attributes", found)) == kept
    assert found == notes


def test_foreign_object_is_left_out_and_noted():
    notes = {}
    assert to_json({"a": object, "b": 1}, "attributes", notes) == '{"a":null,"b":1}'
    assert notes["attributes.a"].startswith("a type, which is no attribute value")


def test_an_integer_too_long_to_print_is_noted_in_hex():
    notes = {}
    to_json({"a": 1 << 40_000}, "attributes", notes)
    assert notes["attributes.a"].startswith("0x1000")


def test_depth_is_bounded():
    notes = {}
    text = to_json({"a": nested(5000)}, "attributes", notes)
    assert text.count("[") == MAX_DEPTH - 1
    assert list(notes.values()) == [f"left out: nested deeper than {MAX_DEPTH} levels"]


@pytest.mark.parametrize("text", ["plain", "naïve", "日本語", "😀", "\u202eabc", "\0", "\x7f", "\ufffe"])
def test_valid_text_is_left_alone(text):
    notes = {}
    assert clean_text(text, "name", notes) is text
    assert notes == {}
