"""The command prints what a replay found, whatever is in it."""

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.whatif import whatif
from otel_ragfault.store import connect


@pytest.fixture
def con(tmp_path):
    with connect(tmp_path / "one.duckdb", create=True) as opened:
        yield opened


def test_a_hit_without_an_id_and_what_is_not_known_are_shown_as_such(con, tmp_path, recorded):
    recorded(("a", None, "b"), ("a", None))
    con.close()
    arguments = ["--db", str(tmp_path / "one.duckdb"), "--case", "case-1", "--k", "2,3,4"]
    result = CliRunner().invoke(whatif, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    _, _, recorded_line, third, fourth = (line.split("  ") for line in result.stdout.splitlines())
    assert [cell.strip() for cell in recorded_line if cell] == ["2", "none", "a (no id)", "generation.wrong_answer"]
    assert [cell.strip() for cell in third if cell][2] == "a (no id) b"
    assert [cell.strip() for cell in fourth if cell][2] == "not known (k is beyond what was recorded of the ranking)"
