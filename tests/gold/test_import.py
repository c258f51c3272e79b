"""Files of other tools become gold files that pass the check, and what they do not say is reported."""

import csv
import json

import pytest

from otel_ragfault.errors import InputError
from otel_ragfault.gold import check_gold
from otel_ragfault.gold.importing import FORMATS, import_gold


def lines(path, *rows):
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def table(path, rows, **how):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(dict.fromkeys(name for row in rows for name in row)), **how)
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def made(tmp_path):
    """A function that imports a file and returns what was made of it, and the cases that the check accepts."""

    def make(path, kind, **options):
        imported = import_gold(path, tmp_path / "gold.jsonl", kind, **options)
        checked = check_gold(imported.out)
        assert checked.problems == ()
        assert len(checked.cases) == imported.cases
        return imported, {case.case_id: case for _, case in checked.cases}

    return make


def groups(case):
    return [[member if isinstance(member, str) else member.quote for member in group] for group in case.evidence]


def test_a_table_says_everything_that_a_gold_file_says(tmp_path, made):
    path = table(
        tmp_path / "gold.csv",
        [
            {"case_id": "a", "query": "How long?", "evidence": "c08|c09; c11", "must_contain": "8 hours;cabin",
             "number": "8", "tolerance": "0.5", "relevance": "c08=2;c09=1", "as_of": "2026-01-01", "tags": "x;y",
             "acceptable_sources": "d1;d2", "labelled_by": "mary", "note": "?"},
            {"case_id": "a", "quote": "eight hours; at the most", "doc_id": "d1"},
            {"case_id": "b", "query": "Who won?", "expect": "refuse"},
        ],
    )  # fmt: skip
    imported, cases = made(path, "csv")
    case = cases["a"]
    assert groups(case) == [["c08", "c09"], ["c11"], ["eight hours; at the most"]]
    assert case.evidence[2][0].doc_id == "d1"
    assert case.answer.must_contain == ("8 hours", "cabin")
    assert (case.answer.number.value, case.answer.number.tolerance) == (8, 0.5)
    assert case.relevance == {"c08": 2, "c09": 1}
    assert (case.tags, case.acceptable_sources, case.labelled_by) == (("x", "y"), ("d1", "d2"), "mary")
    assert case.source == "csv:gold.csv"
    assert cases["b"].expect == "refuse"
    assert imported.passed_over == {"note": 1}


@pytest.mark.parametrize(
    ("row", "field"),
    [
        pytest.param({"case_id": "b", "query": "q", "evidence": ""}, "evidence", id="nothing is required"),
        pytest.param({"case_id": "b", "query": "q", "evidence": "c", "relevance": "c"}, "relevance", id="no grade"),
        pytest.param(
            {"case_id": "b", "query": "q", "evidence": "c", "number": "eight"}, "answer.number.value", id="no number"
        ),
        pytest.param({"case_id": "b", "evidence": "c"}, "query", id="no query"),
        pytest.param({"case_id": "a", "query": "another"}, "query", id="two queries in one case"),
        pytest.param(
            {"case_id": "b", "query": "q", "evidence": "c", "expect": "maybe"}, "expect", id="an unknown word"
        ),
        pytest.param({"case_id": "b", "query": "How long?", "evidence": "other"}, "evidence", id="a contradiction"),
        pytest.param(
            {"case_id": "b", "query": "q", "evidence": "c", "must_contain": "x", "must_not_contain": "X"},
            "answer.must_not_contain[0]",
            id="conditions that contradict each other",
        ),
    ],
)
def test_a_row_that_makes_no_case_is_named_and_the_others_are_made(tmp_path, made, row, field):
    path = table(tmp_path / "gold.csv", [{"case_id": "a", "query": "How long?", "evidence": "c1"}, row])
    imported, cases = made(path, "csv")
    assert list(cases) == ["a"]
    assert [(problem.line, problem.field) for problem in imported.problems] == [(3, field)]


QUERIES = (
    {"_id": "q1", "text": "What is red?", "metadata": {}},
    {"_id": "q2", "text": "What is blue?"},
    {"_id": "q3", "text": "?"},
)


@pytest.mark.parametrize(
    ("require_all", "expected"), [(False, [["d1", "d2"]]), (True, [["d1"], ["d2"]])], ids=["any", "all"]
)
def test_judgements_of_beir(tmp_path, made, require_all, expected):
    qrels = lines(
        tmp_path / "test.tsv",
        "query-id\tcorpus-id\tscore",
        "q1\td1\t2",
        "q1\td2\t1",
        "q1\td3\t0",
        "q2\td1\t0",
        "q9\td1\t1",
    )
    imported, cases = made(qrels, "beir", queries=lines(tmp_path / "queries.jsonl", *QUERIES), require_all=require_all)
    assert groups(cases["q1"]) == expected
    assert cases["q1"].relevance == {"d1": 2, "d2": 1, "d3": 0}
    assert [(problem.line, problem.field) for problem in imported.problems] == [(5, "evidence"), (6, "query")]
    assert imported.passed_over == {"queries without judgements": 1}


def test_judgements_of_trec(tmp_path, made):
    qrels = lines(tmp_path / "qrels.txt", "q1 0 d1 1", "q1 0 d2 -2", "q1  0  d1  3", "q2 Q0 d1 2", "broken")
    queries = lines(tmp_path / "topics.tsv", "q1\tWhat is red?", "q2\tWhat is blue?")
    imported, cases = made(qrels, "trec", queries=queries, relevant_from=2)
    assert list(cases) == ["q2"]
    assert groups(cases["q2"]) == [["d1"]]
    assert [(problem.line, problem.field) for problem in imported.problems] == [(1, "evidence"), (3, "score"), (5, "")]
    assert imported.passed_over == {"negative grades, taken as 0": 1}


RAGAS = {
    "user_input": "How long is a rest?",
    "reference": "Eight hours.",
    "reference_contexts": ["<1-hop>\n\nA rest is 8 hours.", "<2-hop>\n\nIn a cabin."],
    "retrieved_contexts": ["Something else."],
    "response": "Nine.",
    "synthesizer_name": "multi_hop_specific_query_synthesizer",
}


def test_a_dataset_of_ragas_as_json_lines(tmp_path, made):
    other = {"user_input": "Who?", "reference_context_ids": ["c1", 2], "reference_contexts": ["He did."]}
    conversation = {"user_input": [{"content": "hi", "type": "human"}], "reference": "x"}
    bare = {"user_input": "Why?", "reference": "Because."}
    imported, cases = made(lines(tmp_path / "set.jsonl", RAGAS, other, conversation, bare), "ragas")
    first, second = cases.values()
    assert groups(first) == [["A rest is 8 hours."], ["In a cabin."]]
    assert (first.meta, first.tags) == ({"reference_answer": "Eight hours."}, ("multi_hop_specific_query_synthesizer",))
    assert groups(second) == [["c1"], ["2"]]
    assert [(problem.line, problem.field) for problem in imported.problems] == [
        (3, "user_input"),
        (4, "reference_contexts"),
    ]
    assert imported.passed_over == {"retrieved_contexts": 1, "response": 1}
    assert imported.quotes == 2


def test_a_dataset_of_ragas_as_csv_with_lists_as_python_prints_them(tmp_path, made):
    row = RAGAS | {"reference_contexts": str(RAGAS["reference_contexts"]), "retrieved_contexts": "['x']"}
    _, cases = made(table(tmp_path / "set.csv", [row]), "ragas")
    assert groups(next(iter(cases.values()))) == [["A rest is 8 hours."], ["In a cabin."]]


def test_the_same_question_gets_the_same_id_in_every_import(tmp_path, made):
    _, first = made(lines(tmp_path / "one.jsonl", RAGAS), "ragas")
    _, second = made(
        lines(tmp_path / "two.jsonl", {"user_input": "Who?", "reference_contexts": ["He."]}, RAGAS), "ragas"
    )
    assert first.keys() < second.keys()


PHOENIX = {
    "id": "RGF0YXNldEV4YW1wbGU6MQ==",
    "input": {"question": "How long?"},
    "output": {"answer": "8 hours"},
    "metadata": {"contexts": ["A rest is 8 hours."], "doc_id": "d1", "owner": "mary"},
    "updated_at": "2026-01-01T00:00:00Z",
}


def test_examples_of_a_phoenix_dataset(tmp_path, made):
    bare = {"id": "2", "input": {"question": "Why?"}, "output": {"answer": "x"}, "metadata": {}}
    chat = {"id": "3", "input": {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "When?"}]},
            "output": {"messages": []}, "metadata": {"gold_chunk_ids": [["c1", "c2"]]}}  # fmt: skip
    refusal = {"id": "4", "input": {"input": "Who won?"}, "output": {}, "metadata": {"expect": "refuse"}}
    path = tmp_path / "examples.json"
    path.write_text(
        json.dumps({"data": {"dataset_id": "D", "version_id": "V", "examples": [PHOENIX, bare, chat, refusal]}})
    )
    imported, cases = made(path, "phoenix")
    first = cases[PHOENIX["id"]]
    assert (groups(first), first.evidence[0][0].doc_id) == ([["A rest is 8 hours."]], "d1")
    assert first.meta == {"reference_answer": "8 hours"}
    assert (cases["3"].query, groups(cases["3"])) == ("When?", [["c1", "c2"]])
    assert cases["4"].expect == "refuse"
    assert [(problem.line, problem.field) for problem in imported.problems] == [(2, "evidence")]
    assert imported.passed_over == {"metadata.owner": 1}


def test_the_csv_download_of_a_phoenix_dataset(tmp_path, made):
    row = {
        "example_id": "E1",
        "input_question": "How long?",
        "output_answer": "8 hours",
        "metadata_contexts": "['A rest is 8 hours.']",
    }
    _, cases = made(table(tmp_path / "set.csv", [row]), "phoenix")
    assert groups(cases["E1"]) == [["A rest is 8 hours."]]


LANGFUSE = {
    "id": "item-1", "datasetName": "set", "status": "ACTIVE", "input": {"query": "How long?"},
    "expectedOutput": {"answer": "8 hours", "evidence": [["c08"]]}, "metadata": {"tags": ["policy"], "x": 1},
    "sourceTraceId": None, "createdAt": "2026-01-01T00:00:00Z",
}  # fmt: skip


@pytest.mark.parametrize("shape", ["api", "array", "json lines", "csv"])
def test_items_of_a_langfuse_dataset(tmp_path, made, shape):
    archived = LANGFUSE | {"id": "item-2", "status": "ARCHIVED"}
    items = [LANGFUSE, archived]
    if shape == "csv":
        written = [
            {name: json.dumps(value) if isinstance(value, dict) else value for name, value in item.items()}
            for item in items
        ]
        path = table(tmp_path / "items.csv", written)
    elif shape == "json lines":
        path = lines(tmp_path / "items.jsonl", *items)
    else:
        path = tmp_path / "items.json"
        path.write_text(json.dumps({"data": items, "meta": {"page": 1}} if shape == "api" else items))
    imported, cases = made(path, "langfuse")
    assert groups(cases["item-1"]) == [["c08"]]
    assert cases["item-1"].tags == ("policy",)
    assert imported.passed_over == {"archived items": 1, "metadata.x": 1}


def test_bare_texts_of_langfuse_are_question_and_answer(tmp_path, made):
    item = {
        "id": "i",
        "input": "How long?",
        "expectedOutput": "8 hours",
        "metadata": {"contexts": "A rest is 8 hours."},
    }
    _, cases = made(lines(tmp_path / "items.jsonl", item), "langfuse")
    assert (cases["i"].query, cases["i"].meta, groups(cases["i"])) == (
        "How long?", {"reference_answer": "8 hours"}, [["A rest is 8 hours."]],
    )  # fmt: skip


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{}", b"[1, 2]", b"a,b\n1,2\n", b"\x00", b'{"data": 1}'])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_file_of_another_kind_is_refused_in_one_line(tmp_path, kind, content, suffix):
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    queries = lines(tmp_path / "queries.jsonl", *QUERIES)
    with pytest.raises(InputError) as caught:
        import_gold(path, tmp_path / "gold.jsonl", kind, queries=queries)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "gold.jsonl").exists()


def test_judgements_without_questions_are_refused(tmp_path):
    with pytest.raises(InputError, match="--queries"):
        import_gold(tmp_path / "qrels.tsv", tmp_path / "gold.jsonl", "beir")
