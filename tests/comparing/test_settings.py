"""Settings that differ come first, and more than one variable is a warning."""

import json

import pytest

from comparing.runs import AFTER, BEFORE, put_cases, put_pairs
from jobs.spans import pipeline, store
from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests
from queries.world import put_label, put_run

LATER = "20260102T000000Z-bb"


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        pytest.param({"k": 2}, {"k": 5}, {"k": (["2"], ["5"])}, id="k"),
        pytest.param({"budget": 50, "budget_unit": "words"}, {"budget": 400}, {"budget": (["50 words"], ["400"])}, id="budget and unit"),
        pytest.param({"request_model": "m1"}, {}, {"request_model": (["m1"], ["not recorded"])}, id="not recorded on a side"),
        pytest.param({"prompt_name": "p", "prompt_version": "1"}, {"prompt_name": "p", "prompt_version": "2"}, {"prompt_version": (["1"], ["2"])}, id="version of the prompt"),
        pytest.param({"snapshot_id": "mon"}, {"snapshot_id": "tue"}, {"snapshot": (["mon"], ["tue"])}, id="snapshot"),
        pytest.param({"convention": "ragfault"}, {"convention": "otel_genai"}, {"convention": (["ragfault"], ["otel_genai"])}, id="convention"),
        pytest.param({"has_rerank": False}, {"has_rerank": True}, {"rerank": (["false"], ["true"])}, id="reranking"),
        pytest.param({}, {}, {}, id="nothing"),
    ],
)  # fmt: skip
def test_what_requests_record_is_compared(con, compared, before, after, changed):
    put_pairs(con, {"a": ("pass", "pass"), "b": ("pass", "pass")}, before=before, after=after)
    found = compared()
    assert found.changed_settings == changed
    assert found.warnings == []


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        pytest.param({"k": 2, "budget": 50}, {"k": 3, "budget": 80}, "2 variables changed between the runs (budget, k)", id="k and budget"),
        pytest.param({"request_model": "a", "response_model": "a-1", "k": 2}, {"request_model": "b", "response_model": "b-1", "k": 2}, None, id="a model and its answer are one"),
        pytest.param({"prompt_name": "p", "prompt_version": "1"}, {"prompt_name": "q", "prompt_version": "7"}, None, id="a prompt and its version are one"),
        pytest.param({"request_model": "a", "snapshot_id": "x", "k": 1}, {"request_model": "b", "snapshot_id": "y", "k": 2}, "3 variables changed between the runs (k, model, snapshot)", id="three"),
    ],
)  # fmt: skip
def test_more_than_one_variable_is_a_warning_that_names_them(con, compared, before, after, named):
    put_pairs(con, {"a": ("pass", "pass")}, before=before, after=after)
    warnings = compared().warnings
    assert [line.split(",")[0] for line in warnings] == ([] if named is None else [named.split(",")[0]])
    assert named is None or named in warnings[0]


def land(con, run, trace, version, **asked):
    spans = []
    for row in pipeline(trace * 10, trace=trace, case="a"):
        attributes = json.loads(row.attributes) | {s.RAGFAULT_RUN_ID: run}
        if attributes.get(s.RAGFAULT_STAGE) == "generation":
            attributes |= asked
        if attributes.get(s.RAGFAULT_STAGE) == "retrieval":
            attributes[s.GEN_AI_DATA_SOURCE_ID] = f"index-{version}"
        resource = {"attributes": {s.SERVICE_NAME: "shop", s.SERVICE_VERSION: version}}
        spans.append(row._replace(attributes=json.dumps(attributes), resource=json.dumps(resource)))
    store(con, *spans)


def test_what_spans_say_of_calls_and_services_is_compared(con, compared):
    put_run(con)
    put_cases(con, "a")
    land(con, BEFORE, 1, "1.0", **{"gen_ai.request.temperature": 0.0, "gen_ai.request.model": "m"})
    land(
        con,
        AFTER,
        2,
        "1.1",
        **{"gen_ai.request.temperature": 0.7, "gen_ai.request.model": "m", "gen_ai.request.seed": 4},
    )
    build_requests(con)
    for trace in (1, 2):
        put_label(con, trace, "a", "pass", outcome="correct")
    found = compared()
    assert found.changed_settings == {
        "data_source": (["index-1.0"], ["index-1.1"]),
        "seed": (["not recorded"], ["4"]),
        "service_version": (["1.0"], ["1.1"]),
        "temperature": (["0.0"], ["0.7"]),
    }
    assert "3 variables changed between the runs (data source, seed, temperature)" in found.warnings[0]


def test_labels_of_different_configurations_are_warned_about(con, compared):
    put_pairs(con, {"a": ("pass", "pass")})
    put_run(con, LATER, config='{"k": 3, "similarity_floor": 0.5}', version="9")
    put_label(con, 10_001, "a", "pass", labelling=LATER, outcome="correct")
    found = compared()
    assert found.changed_settings["labelling.similarity_floor"] == (["none"], ["0.5"])
    (warning,) = found.warnings
    assert "(similarity_floor, version)" in warning
    assert "label both again" in warning


def test_different_gold_is_warned_about_by_case(con, compared):
    put_pairs(con, {"a": ("pass", "pass"), "b": ("pass", "pass")})
    con.execute("UPDATE label SET gold_version = 'w' WHERE request_id = ?", [f"{10_002:032x}"])
    (warning,) = compared().warnings
    assert warning.startswith("1 case was held against different gold (b)")
