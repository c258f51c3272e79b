"""The labelling statement stays within what SQLGlot can read and Spark SQL can be taught."""

from collections import Counter

import sqlglot
from sqlglot import exp
from sqlglot.tokens import TokenType

from otel_ragfault.sql import labelling_statement

# What SQLGlot writes for Spark with the same meaning.
PORTABLE = {
    "any_value", "arg_max", "arg_min", "array_position", "cast", "coalesce", "contains", "count", "flatten", "list", "list_contains",
    "list_distinct", "list_filter", "list_max", "list_min", "list_transform", "max", "md5", "min", "nullif", "row_number", "struct_pack", "to_json",
}  # fmt: skip
# What needs a hand-written translation, in how many places, and why.
DUCKDB_ONLY = {
    "exclude": (1, "the star without some columns; Spark writes it EXCEPT, which SQLGlot translates"),
    "element_at_rank": (2, "our macro, for list[column], which is written as it stands although Spark counts from 0"),
    "words_of": (4, "our macro, made of regexp_extract_all and nfc_normalize; Spark needs a function of that name"),
    "list_has_any": (2, "written as the operator &&, which Spark lacks; there it is arrays_overlap"),
    "undone": (1, "our macro, made of replace"),
    "spoken": (3, "our macro, made of words_of and array_to_string"),
    "passage_of": (1, "our macro, made of list_slice and array_to_string"),
    "is_cut_in": (1, "our macro, made of contains"),
    "is_valid_at": (2, "our macro, made of comparisons"),
    "claimed": (1, "our macro, made of regexp_replace"),
    "says": (1, "our macro, made of list_filter, contains and regexp_matches"),
    "list_count": (4, "not translated; in Spark size(filter(xs, x -> x IS NOT NULL))"),
    "len": (24, "of a list: written as length, which Spark has for texts only; there it is array_size"),
}


def functions(sql):
    tokens = sqlglot.tokenize(sql, read="duckdb")
    called = Counter(
        token.text.lower()
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if after.token_type == TokenType.L_PAREN
        and token.token_type in {TokenType.VAR, TokenType.LIST}
        and before.token_type != TokenType.ALIAS  # AS named(column, …) calls nothing
    )
    return dict(called)


def test_every_function_of_the_statement_is_portable_or_listed_with_its_reason():
    called = functions(labelling_statement())
    assert set(called) - PORTABLE - set(DUCKDB_ONLY) == set(), "translate it, wrap it in a macro, or list it here"
    assert {name: called[name] for name in DUCKDB_ONLY} == {name: places for name, (places, _) in DUCKDB_ONLY.items()}


def test_lists_are_not_subscripted_by_a_column():
    tree = sqlglot.parse_one(labelling_statement(), read="duckdb")
    by_column = [node for node in tree.find_all(exp.Bracket) if any(key.find(exp.Column) for key in node.expressions)]
    assert by_column == [], "Spark counts elements from 0: use element_at_rank"


def test_sqlglot_reads_the_statement_as_duckdb_does(memory):
    for name, table in (("subject", "request"), ("judged", "verdict")):
        memory.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS FROM {table}")
    memory.execute("CREATE OR REPLACE TEMP TABLE joined AS SELECT request_id, case_id FROM request")
    (rewritten,) = sqlglot.transpile(labelling_statement(), read="duckdb", write="duckdb")
    assert columns(memory, rewritten) == columns(memory, labelling_statement())


def columns(con, sql):
    parameters = con.extract_statements(sql)[0].named_parameters
    return [(column[0], str(column[1])) for column in con.execute(sql, dict.fromkeys(parameters)).description]


def test_but_for_what_is_listed_the_statement_becomes_spark_sql():
    tree = sqlglot.parse_one(labelling_statement(), read="duckdb").transform(overlaps_by_name)
    spark = tree.sql(dialect="spark", unsupported_level=sqlglot.ErrorLevel.RAISE)
    steps = {step.alias for step in sqlglot.parse_one(spark, read="spark").find_all(exp.CTE)}
    assert {"placed", "seen", "fact", "walk", "first_stop"} <= steps


def overlaps_by_name(node):
    if isinstance(node, exp.ArrayOverlaps):
        return exp.Anonymous(this="arrays_overlap", expressions=[node.this, node.expression])
    return node
