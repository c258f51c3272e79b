import pytest
from pydantic import ValidationError

from conventions.shapes import span, text
from otel_ragfault.conventions.mapping import at, convention, follow, read_mapped
from otel_ragfault.conventions.reading import CUT
from otel_ragfault.conventions.record import Hit
from otel_ragfault.model.mapping import ConventionMapping, SpanMapping, parse_path

DOCUMENTS = [{"key": "a", "rank": {"value": 0.5}, "body": "A"}, {"body": "B"}, {"key": 7, "rank": {"value": "0.25"}}]


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("a", [("name", "a")]),
        ("a.b[0].c", [("name", "a"), ("name", "b"), ("index", 0), ("name", "c")]),
        ("a[-1]", [("name", "a"), ("index", -1)]),
        ("a[*].id", [("name", "a"), ("all", None), ("name", "id")]),
        ('["a.b"].c', [("quoted", "a.b"), ("name", "c")]),
        ("['a b']", [("quoted", "a b")]),
        ("$.events[search done].name", [("name", "events"), ("filter", "search done"), ("name", "name")]),
        ("$", []),
    ],
)
def test_a_path_is_a_list_of_steps(path, steps):
    assert list(parse_path(path)) == steps


@pytest.mark.parametrize("path", ["", "a[", "a]", "a[0", "a..b", "a.", "[]", "a[*", 'a["b]', "a" * 501, "a[1]b"])
def test_what_is_no_path_is_refused_with_a_reason(path):
    with pytest.raises(ValueError, match="path"):
        parse_path(path)


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        ({"a.b": 1, "a": {"b": 2}}, "a.b", 1),  # the longest name that is there
        ({"a": {"b": 2}}, "a.b", 2),
        ({"a": {"b.c": {"d": 3}}}, "a.b.c.d", 3),
        ({"a": '{"b": "[1, 2]"}'}, "a.b[1]", 2),  # JSON in JSON
        ({"a": "{'b': ('x', 'y')}"}, "a.b[0]", "x"),  # repr of Python
        ({"a": [{"id": 1}, {}, {"id": 3}]}, "a[*].id", [1, None, 3]),
        ({"a": [[1, 2], [3]]}, "a[*][*]", [1, 2, 3]),
        ({"a": []}, "a[*].id", []),
        ({"a": 1}, "a[*]", []),
        ({"a": [1]}, "a[5]", None),
        ({"a": '[{"id": "x"}, {"id'}, "a[*].id", CUT),
        ({"a": "plain"}, "a.b", None),
        ({"e": [{"name": "x", "v": 1}, {"name": "y", "v": 2}]}, "e[y].v", 2),
        (None, "a.b[0]", None),
        ({"a": list(range(20_000))}, "a[*]", ...),
    ],
)
def test_a_path_is_followed(value, path, found):
    assert follow(value, path) == found


def test_a_path_may_start_at_the_span():
    view = span("app", {"name": "attribute"}, name="search", resource={"service.name": "shop"}, events=[{"name": "e"}])
    assert [
        at(view, path) for path in ("$.name", "name", "$.scope.name", "$.resource.service.name", "$.events[e].name")
    ] == [
        "search",
        "attribute",
        "app",
        "shop",
        "e",
    ]


def mapped(**fields):
    return SpanMapping.model_validate({"match": {"name": "*"}, **fields})


def test_every_field_can_be_mapped():
    wanted = mapped(
        stage="retrieval",
        hits="out.docs",
        hit={"id": "key", "score": "rank.value", "text": "body"},
        query="in.q",
        top_k="in.k",
        case_id="meta.case",
        score_kind="similarity",
        complete=True,
    )
    view = span(
        attributes={"out": text({"docs": DOCUMENTS}), "in": text({"q": "?", "k": 3}), "meta": {"case": 12}},
    )
    record = read_mapped(wanted, view)
    assert record.hits == (Hit("a", 0.5, "A"), Hit(None, None, "B"), Hit("7", 0.25, None))
    assert (record.kind, record.query, record.top_k, record.case_id) == ("retrieval", "?", 3, "12")
    assert (record.score_kind, record.complete, record.problems) == ("similarity", True, ())


@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        ("hits", ["a text"], (Hit(None, None, "a text"),)),
        ("hits", [], ()),
        ("prompt_ids", '["a", null, 3]', ("a", None, "3")),
        ("cited", "a", ("a",)),
        ("cited", ["a", "b"], ("a", "b")),
        ("finish_reasons", "stop", ("stop",)),
        ("answer", "plain", "plain"),
        ("answer", [{"role": "assistant", "content": "said"}], "said"),
        ("prompt_text", [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}], "s\n\nu"),
        ("prompt_text", "all of it", "all of it"),
        ("decision", "refuse", "refuse"),
        ("input_tokens", 5.0, 5),
        ("prompt_version", 3, "3"),
    ],
)
def test_fields_are_read_in_every_form(field, value, read):
    record = read_mapped(mapped(stage="generation", **{field: "x"}), span(attributes={"x": value}))
    assert getattr(record, field) == read
    assert record.problems == ()


def test_a_ranking_of_ids():
    record = read_mapped(mapped(stage="retrieval", hits="ids", hit={"id": "$"}), span(attributes={"ids": ["a", "b"]}))
    assert record.hits == (Hit("a"), Hit("b"))


@pytest.mark.parametrize(
    ("field", "value", "rest", "problem"),
    [
        ("hits", '[{"id": "a"}, {"i', {}, "cut.ranking"),
        ("hits", "nothing of the kind", {}, "unreadable.ranking"),
        ("hits", None, {}, "content_off"),
        ("hits", None, {"dropped_attributes": 3}, "dropped.ranking"),
        ("decision", "maybe", {}, "unreadable.decision"),
        ("answer", {"x": 1}, {}, "unreadable.answer"),
    ],
)
def test_what_is_missing_is_told(field, value, rest, problem):
    attributes = {"other": 1} | ({} if value is None else {"x": value})
    record = read_mapped(mapped(stage="retrieval", **{field: "x"}), span(attributes=attributes, **rest))
    assert getattr(record, field) is None
    assert record.problems == (problem,)


def test_a_failed_span_owes_nothing():
    record = read_mapped(mapped(stage="retrieval", hits="x"), span(attributes={}, failed=True))
    assert record.problems == ()


@pytest.mark.parametrize(
    ("match", "claimed"),
    [
        ({"scope": "app"}, True),
        ({"scope": "app.*"}, False),
        ({"name": "sea*"}, True),
        ({"scope": "app", "name": "other"}, False),
        ({"attributes": {"kind": "retriever"}}, True),
        ({"attributes": {"kind": "re*", "n": 1}}, True),
        ({"attributes": {"n": True}}, False),
        ({"attributes": {"n": "*"}}, True),
        ({"attributes": {"absent": "*"}}, False),
    ],
)
def test_spans_are_matched(match, claimed):
    found = convention(
        ConventionMapping.model_validate({"name": "mine", "spans": [{"match": match, "stage": "request"}]})
    )
    view = span("app", {"kind": "retriever", "n": 1}, name="search")
    assert found.claims(view) is claimed
    assert (found.read(view) is not None) is claimed


def test_the_first_that_matches_reads():
    spans = [{"match": {"name": "a"}, "stage": "rerank"}, {"match": {"name": "*"}, "stage": "retrieval"}]
    found = convention(ConventionMapping.model_validate({"name": "mine", "spans": spans}))
    assert [found.read(span(name=name)).kind for name in ("a", "b")] == ["rerank", "retrieval"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "mine", "spans": []},
        {"name": "mine", "spans": [{"match": {}, "stage": "request"}]},
        {"name": "mine", "spans": [{"match": {"name": "*"}, "stage": "reading"}]},
        {"name": "mine", "spans": [{"match": {"name": "*"}, "query": "a["}]},
        {"name": "mine", "spans": [{"match": {"name": "*"}, "querry": "a"}]},
    ],
)
def test_a_wrong_mapping_is_refused(wrong):
    with pytest.raises(ValidationError):
        ConventionMapping.model_validate(wrong)
