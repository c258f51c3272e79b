"""Every file of queries/: its header, its parameters, its place in an order, and that DuckDB accepts it."""

import ast
import re

import duckdb
import pytest

from otel_ragfault import semconv
from otel_ragfault.jobs.normalise import READ_SCHEMA
from otel_ragfault.resources import bundled
from otel_ragfault.sql import labelling_statement, ordered_queries, read_query

ROOT = bundled("queries")
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.sql"))
ORDERED = sorted(path.parent.relative_to(ROOT) for path in ROOT.rglob("_order.txt"))

# Relations that the code makes before it runs a query: name -> an empty one of the same shape.
GIVEN = {
    "incoming_case": "SELECT * EXCLUDE (query_key, loaded_at), NULL::VARCHAR AS content FROM gold_case LIMIT 0",
    "incoming_evidence": "FROM gold_evidence LIMIT 0",
    "incoming_resolved_quote": "FROM resolved_quote LIMIT 0",
    "incoming_resolved_evidence": "FROM resolved_evidence LIMIT 0",
    "incoming_chunk": "SELECT * EXCLUDE (snapshot_id) FROM corpus_chunk LIMIT 0",
    "corpus_content": "SELECT * EXCLUDE (snapshot_id) FROM corpus_chunk LIMIT 0",
    "corpus_given": "SELECT * EXCLUDE (snapshot_id) FROM corpus_chunk LIMIT 0",
    "corpus_removed": "SELECT chunk_id FROM corpus_chunk LIMIT 0",
    "corpus_difference": "SELECT 0::BIGINT AS stored, NULL::VARCHAR AS chunk_id LIMIT 0",
    "landing_batch": "SELECT *, 0::UINTEGER AS position FROM span LIMIT 0",
    "landing_log": "FROM log_record LIMIT 0",
    "arriving_log": "SELECT *, 0::UINTEGER AS position FROM log_record LIMIT 0",
    "landing_rejected": "FROM rejected_span LIMIT 0",
    "arriving_rejected": "SELECT *, 0::UINTEGER AS position FROM rejected_span LIMIT 0",
    "fresh_span": "SELECT 0::UINTEGER AS position LIMIT 0",
    "known_text": "SELECT NULL::UUID AS request_id, NULL::VARCHAR AS id, NULL::VARCHAR AS text LIMIT 0",
    "recoverable": "FROM request LIMIT 0",
    "target": "FROM request LIMIT 0",
    "read_message": "SELECT NULL::UUID AS trace_id, NULL::UBIGINT AS span_id, NULL::BOOLEAN AS internal, NULL::VARCHAR AS input_text, NULL::VARCHAR AS output_text, NULL::VARCHAR[] AS finish_reasons LIMIT 0",
    "recovered": "SELECT request_id, ranked_ids, candidate_ids, prompt_ids, cited_ids, dropped, NULL::VARCHAR[] AS ids, NULL::DOUBLE[] AS shares, NULL::VARCHAR AS source, NULL::VARCHAR[] AS unmapped FROM request LIMIT 0",
    "told_text": "SELECT NULL::UUID AS request_id, NULL::VARCHAR AS id, NULL::VARCHAR AS text LIMIT 0",
    "held_ids": "SELECT request_id, NULL::VARCHAR AS snapshot_id, NULL::VARCHAR AS id_source, NULL::BOOLEAN AS tellable, NULL::BOOLEAN AS was_told, 0::BIGINT AS batch FROM request LIMIT 0",
    "building": "SELECT segment_id FROM segment LIMIT 0",
    "dirty_trace": "SELECT trace_id FROM span LIMIT 0",
    "subject_scope": "SELECT NULL::TIMESTAMP AS since",
    "joined_request": "SELECT request_id, case_id FROM label LIMIT 0",
    "incoming_verdict": "SELECT * REPLACE (NULL::VARCHAR AS request_id) FROM verdict LIMIT 0",
    "found_evaluation": "SELECT * REPLACE (NULL::VARCHAR AS trace_id, NULL::VARCHAR AS segment_id) FROM evaluation LIMIT 0",
    "accepted_event": "SELECT event_id, NULL::VARCHAR AS request_id, subject FROM emitted LIMIT 0",
    "evaluation_meaning": "SELECT NULL::VARCHAR AS name_key, NULL::VARCHAR AS digest LIMIT 0",
    "aimed_request": "SELECT NULL::VARCHAR AS request_id LIMIT 0",
    "named_request": "SELECT 0::BIGINT AS line, NULL::VARCHAR AS request_id, NULL::VARCHAR AS trace_id, NULL::VARCHAR AS case_id, NULL::VARCHAR AS run_id LIMIT 0",
    "incoming_config": "SELECT NULL::VARCHAR AS config, FALSE AS dated LIMIT 0",
    "to_be_cut": "SELECT request_id FROM request LIMIT 0",
    "cut_request": "SELECT NULL::VARCHAR AS request_id LIMIT 0",
    "cut_claim": "SELECT * EXCLUDE (extractor_version, extracted_at) REPLACE (NULL::VARCHAR AS request_id) FROM answer_claim LIMIT 0",
    "asked_question": "SELECT question_key FROM judge_reply LIMIT 0",
    "incoming_reply": "FROM judge_reply LIMIT 0",
    "wanted_chunk": "SELECT NULL::VARCHAR AS snapshot_id, NULL::VARCHAR AS chunk_id LIMIT 0",
    "judged_probe": "SELECT NULL::VARCHAR AS trace_id, correct, refused, grounded, carries_planted, carries_replaced, judged_with FROM probe LIMIT 0",
    "incoming_reading": "SELECT * REPLACE (NULL::VARCHAR AS request_id) FROM probe_reading LIMIT 0",
    "claim_judgement": "SELECT request_id::VARCHAR AS request_id, subject, target, claim_id, claim, value, reason FROM verdict LIMIT 0",
    "token_count": "SELECT NULL::VARCHAR AS text, 0::BIGINT AS tokens LIMIT 0",
    "remade": "SELECT request_id, prompt_ids FROM request LIMIT 0",
    "made": "SELECT request_id, prompt_ids FROM request LIMIT 0",
    "judged": "FROM verdict LIMIT 0",
    "generated": "SELECT NULL::VARCHAR AS hypothetical_id, answer, cited_ids, decision, NULL::VARCHAR AS failure FROM request LIMIT 0",
    "hypothetical_label": "SELECT * EXCLUDE (run_id) FROM label LIMIT 0",
    "judgement": "SELECT NULL::VARCHAR AS config, NULL::VARCHAR AS subject, NULL::BOOLEAN AS value, NULL::VARCHAR AS reason",
}
# Queries whose result the code keeps under a name that later queries read.
KEPT = {
    "pending_verdict": ("judging", "pending"),
    "judge_input": ("judging", "distinct_inputs"),
    "unchecked_request": ("judging/claims", "unchecked"),
}
# What jobs run in this order, each making a relation that the next ones read.
JOBS = [
    ("probing", "probe_trace"),
    ("labelling", "subject"),
    ("labelling", "joined"),
    ("floor", "ungrouped"),
    ("floor", "observed"),
    ("whatif", "chosen"),
    ("whatif", "recorded"),
    ("whatif", "ranked_chunk"),
    ("whatif", "chunk_size"),
    ("whatif", "recorded_to_pack"),
    ("whatif", "told_rule"),
    ("whatif", "other_to_pack"),
    ("whatif", "asked"),
    ("whatif", "asked_to_pack"),
    ("whatif", "packed"),
    ("whatif", "tried"),
    ("whatif", "hypothetical"),
    ("whatif", "still_judged"),
    ("whatif", "still_cut"),
    ("whatif", "hypothetical_joined"),
    ("whatif", "completeness"),
]

# Spellings of earlier versions of the conventions that are read and never written.
OLDER_SPELLINGS = {
    "gen_ai.request.top_k": "how many documents to retrieve, before gen_ai.retrieval.top_k",
    "gen_ai.conversation.id": "a session, beside session.id",
    # Asked for only, so that spans with one of them are left to otel_ragfault.conventions.
    "gen_ai.system": "the provider, before 1.37",
    "gen_ai.retrieval.query": "the query of a retrieval, before gen_ai.retrieval.query.text",
    "gen_ai.response.finish_reason": "one finish reason",
    "gen_ai.usage.prompt_tokens": "tokens of the prompt, before 1.27",
    "gen_ai.usage.completion_tokens": "tokens of the answer, before 1.27",
    "gen_ai.prompt": "messages, before 1.28",
    "gen_ai.completion": "the answer, before 1.28",
}

NOT_QUERIES = {"schema", "facts", "migrations"}  # made of several statements, or parts of one


def query_of(path):
    return read_query(path.parent.as_posix(), path.stem)


def each_file(folder=None):
    chosen = [path for path in FILES if folder is None or path.parts[0] == folder]
    return pytest.mark.parametrize("path", chosen, ids=lambda path: path.with_suffix("").as_posix())


def run(con, query):
    con.execute(query.body, dict.fromkeys(query.parameters))


def keep(con, name, query):
    con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query.body}", dict.fromkeys(query.parameters))


@pytest.fixture(scope="module")
def staged(memory):
    """An empty database with every relation that a query may read, made by the queries themselves in their order."""
    for name, shape in GIVEN.items():
        memory.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {shape}")
    memory.register("read_stage", READ_SCHEMA.empty_table())
    for query in ordered_queries("records"):
        run(memory, query)
    for name, query in KEPT.items():
        keep(memory, name, read_query(*query))
    for query in JOBS:
        run(memory, read_query(*query))
    return memory


@each_file()
def test_the_header_says_what_it_is_for_and_what_a_row_is(path):
    header = query_of(path).header.splitlines()
    assert header, "no header"
    assert re.match(r"\S.{10,}", header[0]), "the first line gives the purpose"
    assert not header[0].startswith(("Grain:", "Parameters:"))
    assert any(re.match(r"Grain: \S", line) for line in header), "no line `-- Grain: …`"


@each_file()
def test_the_header_explains_every_bound_parameter_and_no_other(path):
    query = query_of(path)
    _, _, explained = query.header.partition("Parameters:")
    missing = [name for name in query.parameters if not re.search(rf"\b{name}\b", explained)]
    assert not missing
    assert set(re.findall(r"\$([a-z_]+)", explained)) <= set(query.parameters)


@each_file()
def test_the_parameters_of_a_query_are_those_that_duckdb_finds(path):
    query = query_of(path)
    found = set()
    for statement in duckdb.connect().extract_statements(query.body):
        found |= set(statement.named_parameters)
    assert query.parameters == tuple(sorted(found))


@pytest.mark.parametrize("folder", ORDERED, ids=str)
def test_an_order_names_every_file_of_its_folder_once(folder):
    lines = (ROOT / folder / "_order.txt").read_text(encoding="utf-8").splitlines()
    named = [line for line in lines if line and not line.startswith(("#", "*"))]  # * marks generated steps
    assert sorted(named) == sorted(path.stem for path in (ROOT / folder).glob("*.sql"))


def test_every_table_and_column_carries_its_comment(memory_factory):
    con = memory_factory()
    bare = con.execute("SELECT table_name FROM duckdb_tables() WHERE comment IS NULL").fetchall()
    bare += con.execute(
        "SELECT table_name, column_name FROM duckdb_columns() JOIN duckdb_tables() USING (table_name) "
        "WHERE duckdb_columns.comment IS NULL"
    ).fetchall()
    assert bare == []


@each_file("schema")
def test_a_schema_file_creates_what_it_is_named_after(path):
    body = query_of(path).body
    created = re.findall(r"^CREATE (?:OR REPLACE )?(?:TABLE|VIEW) (\w+)", body, re.MULTILINE)
    created += re.findall(r"^CREATE OR REPLACE MACRO (\w+)\([^()]*(?:\([^()]*\)[^()]*)*\) AS TABLE", body, re.MULTILINE)
    expected = {"macros": [], "meta": ["ragfault_meta"]}.get(path.stem, [path.stem])
    assert created == expected


@pytest.mark.parametrize("path", [path for path in FILES if path.parts[0] not in NOT_QUERIES], ids=str)
def test_a_query_is_accepted_against_the_full_schema(staged, path):
    statements = staged.extract_statements(query_of(path).body)
    assert len(statements) == 1, "one query, one file"
    if statements[0].type == duckdb.StatementType.CREATE:  # DuckDB prepares no such statement; it replaces what it made
        run(staged, query_of(path))
        return
    staged.execute(f"PREPARE checked AS {statements[0].query}")
    staged.execute("DEALLOCATE checked")


def test_the_labelling_statement_is_accepted_and_labels_nothing_in_an_empty_database(staged):
    parameters = staged.extract_statements(labelling_statement())[0].named_parameters
    result = staged.execute(labelling_statement(), dict.fromkeys(parameters))
    columns = {column[0] for column in result.description}
    assert result.fetchall() == []
    stored = {
        row[0]
        for row in staged.execute("SELECT column_name FROM duckdb_columns() WHERE table_name = 'label'").fetchall()
    }
    assert columns == stored - {"run_id"}


def test_every_macro_gives_null_for_null(memory):
    macros = memory.execute(
        "SELECT function_name, len(parameters) FROM duckdb_functions() WHERE function_type = 'macro' AND NOT internal"
    ).fetchall()
    assert {name for name, _ in macros} >= {"normalise_text", "words_of", "trace_hex", "span_hex"}
    for name, arguments in macros:
        call = f"{name}({', '.join(['NULL'] * arguments)})"
        assert memory.execute(f"SELECT {call}").fetchone() == (None,), call


@each_file("records")
def test_attribute_names_in_sql_are_those_of_semconv(path):
    named = set(re.findall(r'"((?:gen_ai|ragfault|error|service)\.[a-z_.]+)"', query_of(path).body))
    known = {value for value in vars(semconv).values() if isinstance(value, str)}
    assert named - set(OLDER_SPELLINGS) <= known
    assert not known & set(OLDER_SPELLINGS), "an older spelling is read only"


def test_every_attribute_name_is_explained():
    body = ast.parse(pathless(semconv)).body
    values = ("OPERATION_", "STAGE_", "SCORE_", "DECISION_")  # values are explained by the attribute that takes them
    unexplained = [
        node.target.id
        for node, after in zip(body, [*body[1:], None], strict=True)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and not node.target.id.startswith(values)
        and not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant))
    ]
    assert unexplained == []


def pathless(module):
    return module.__loader__.get_source(module.__name__)
