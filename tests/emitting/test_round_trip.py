"""Out of one database, over the wire, into another: verdicts arrive as what they are, and nothing goes round in circles."""

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.program import program
from otel_ragfault.landing.loader import load_spool
from otel_ragfault.store import connect

OF_OTHERS = (
    "SELECT request.case_id, subject, value, source, judge, reason, epoch_us(judged_at) FROM verdict "
    "JOIN request USING (request_id) WHERE source <> 'rule' ORDER BY ALL"
)


def rows(db, sql):
    with connect(db, read_only=True) as con:
        return con.execute(sql).fetchall()


def command(*arguments):
    found = CliRunner().invoke(program, [str(one) for one in arguments], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


@pytest.fixture
def second(db, tmp_path):
    """A second database, with the spans and the gold of the first, and none of its verdicts and labels."""
    path = tmp_path / "second.duckdb"
    with connect(path, create=True) as con:
        con.execute(f"ATTACH '{db}' AS first (READ_ONLY)")
        for table in ("span", "segment", "gold_case", "gold_evidence", "corpus_snapshot", "corpus_stored_chunk"):
            con.execute(f"INSERT INTO {table} BY NAME FROM first.{table}")
        con.execute("UPDATE segment SET built = FALSE")
    return path


def emitted_into(collect, source, target, protocol):
    """Emit ``source`` into a collector with the database ``target``, and let it load."""
    collector = collect(target)
    port = collector.grpc if protocol == "grpc" else collector.http
    command("emit", "--db", source, "--endpoint", f"http://127.0.0.1:{port}", "--protocol", protocol,
            "--destination", target.name)  # fmt: skip
    assert collector.stop() == 0
    load_spool(target)


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
def test_verdicts_of_people_and_models_arrive_as_they_were_and_rules_judge_for_themselves(
    collect, db, second, relabel, protocol
):
    emitted_into(collect, db, second, protocol)
    relabel(second)
    theirs, ours = rows(db, OF_OTHERS), rows(second, OF_OTHERS)
    assert len(ours) == 3
    assert [row[:5] + row[6:] for row in ours] == [row[:5] + row[6:] for row in theirs]
    labels = "SELECT case_id, label FROM current_label ORDER BY ALL"
    with connect(db) as con:
        con.execute("DELETE FROM label")
    relabel(db)
    assert rows(second, labels) == rows(db, labels)
    assert rows(second, "SELECT DISTINCT subject FROM evaluation WHERE source = 'rule' AND subject = 'label'") == [
        ("label",)
    ]
    by_rule = "SELECT count(*) FROM verdict WHERE source = 'rule'"
    assert rows(second, by_rule) == rows(db, by_rule)
    assert rows(second, "SELECT count(*) FROM verdict WHERE source = 'code'") == [(0,)]


def test_what_comes_back_to_the_database_that_sent_it_changes_nothing(collect, db, relabel):
    before = rows(db, "SELECT * FROM verdict ORDER BY ALL")
    emitted_into(collect, db, db, "http/protobuf")
    relabel(db)
    assert rows(db, "SELECT count(*) FROM evaluation") == [(51,)]
    assert rows(db, "SELECT * FROM verdict ORDER BY ALL") == before
    assert "0 events would be sent" in command("emit", "--db", db, "--dry-run", "--destination", db.name)


def test_a_copy_that_says_something_new_is_heard_and_its_old_verdicts_are_not_doubled(collect, db, tmp_path, relabel):
    import shutil

    copy = tmp_path / "copy.duckdb"
    shutil.copy(db, copy)
    with connect(copy) as con:
        con.execute(
            "INSERT INTO verdict BY NAME SELECT * REPLACE (FALSE AS value, 'bea' AS judge) FROM verdict "
            "WHERE judge = 'ann' AND subject = 'answer'"
        )
    emitted_into(collect, copy, db, "http/protobuf")
    relabel(db)
    assert rows(db, "SELECT judge, subject FROM verdict WHERE source = 'human' ORDER BY ALL") == [
        ("ann", "answer"),
        ("ann", "refusal"),
        ("bea", "answer"),
    ]


def test_what_arrived_is_not_sent_on(collect, db, second, relabel):
    emitted_into(collect, db, second, "http/protobuf")
    relabel(second)
    found = command("emit", "--db", second, "--dry-run", "--json")
    assert '"correctness": 6' in found, "only those of its own rules"
    assert "ann" not in found


def test_an_evaluation_name_that_is_ignored_is_ignored_from_us_too(collect, db, second, relabel):
    emitted_into(collect, db, second, "http/protobuf")
    relabel(second, judging={"evaluations": {"correctness": "ignore"}})
    assert rows(second, "SELECT subject FROM verdict WHERE source <> 'rule' ORDER BY ALL") == [
        ("grounded",),
        ("refusal",),
    ]


def test_events_that_arrive_twice_count_once(collect, db, second, relabel):
    emitted_into(collect, db, second, "http/protobuf")
    with connect(db) as con:
        con.execute("DELETE FROM emitted")
    emitted_into(collect, db, second, "grpc")
    relabel(second)
    assert rows(second, "SELECT count(*), count(DISTINCT event_id) FROM evaluation") == [(51, 51)]
    assert len(rows(second, OF_OTHERS)) == 3
