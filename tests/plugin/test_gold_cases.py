"""Every gold case is a test, and a failing one prints the card and the label."""

import pytest

LABELS = {
    "pass.correct_refusal": ["gym-fee"],
    "decision.answered_unanswerable": ["zurich-hotel"],
    "source.not_indexed": ["mileage-rate"],
    "retrieval.no_overlap": ["lie-flat-seat"],
    "retrieval.below_k": ["long-haul-cabin"],
    "assembly.cut": ["taxi-receipt"],
    "generation.wrong_answer": ["business-10h"],
    "pass": ["meal-allowance"],
}


def test_three_lines_give_a_test_for_each_case_with_the_label_of_the_stage_that_lost_the_answer(project):
    project.test()
    result = project.run()
    result.assert_outcomes(passed=2, failed=6)
    assert project.labels(result) == LABELS
    result.stdout.fnmatch_lines(["*= ragfault: 2 of 8 cases pass =*"])


def test_a_failing_case_prints_card_label_and_what_to_try_and_no_traceback(project):
    project.test()
    result = project.run("-k", "long-haul-cabin")
    result.stdout.fnmatch_lines(
        [
            "*__ test_rag?long-haul-cabin? __*",
            "retrieval.below_k (boundary: retrieval)",
            "  ranked   : c01(8.095) c02(5.528) | k=2 | c08[*](4.217) *",
            "  in prompt: c01 c02;  budget 50 words",
            "  try first: Reranking, or a larger k together with a larger context budget.",
            "FAILED test_rag.py::test_rag?long-haul-cabin? - Failed: retrieval.below_k*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("test_rag.py:[0-9]*")


def test_the_marker_names_gold_corpus_and_cases_relative_to_the_file_of_the_test(project):
    project.ini(ragfault_gold=None, ragfault_corpus=None)
    (project.path / "data").mkdir()
    for name in ("cases.jsonl", "corpus.jsonl"):
        (project.path / name).rename(project.path / "data" / name)
        (project.path / name).symlink_to(project.path / "data" / name)  # the pipeline reads them beside itself
    project.test(
        """
        import pipeline, pytest

        @pytest.mark.ragfault(gold="data/cases.jsonl", corpus="data/corpus.jsonl", cases=["gym-fee", "mileage-rate"])
        def test_rag(ragfault_case):
            ragfault_case.check(pipeline.ask)
        """
    )
    assert project.labels(project.run()) == {
        "pass.correct_refusal": ["gym-fee"],
        "source.not_indexed": ["mileage-rate"],
    }


def test_without_a_corpus_what_only_it_can_tell_is_unknown_and_no_pass(project):
    project.ini(ragfault_corpus=None)
    project.test()
    result = project.run("-k", "mileage-rate")
    result.assert_outcomes(failed=1, deselected=7)
    assert project.labels(result) == {"unknown.corpus": ["mileage-rate"]}


def test_a_k_of_the_settings_is_that_of_pipelines_that_do_not_say_theirs(project):
    project.test(
        """
        import pipeline
        import otel_ragfault as rag

        @rag.retrieval(score_kind="bm25", complete=True)
        def search(question):
            return pipeline.search.__wrapped__(question, 2)

        @rag.assembly(budget=50, budget_unit="words")
        def assemble(ranked):
            return pipeline.assemble.__wrapped__(ranked, 2, 50)

        @rag.request()
        def ask(question):
            chunks = {name: pipeline.CHUNKS[name] for name in assemble(search(question))["chunks"]}
            return pipeline.generate(pipeline.prompt_of(question, chunks), question, chunks)["answer"]

        def test_rag(ragfault_case):
            ragfault_case.check(ask)
        """
    )
    assert project.labels(project.run("-k", "long-haul-cabin", "-o", "ragfault_k=2")) == {
        "retrieval.below_k": ["long-haul-cabin"]
    }
    assert project.labels(project.run("-k", "long-haul-cabin", "-o", "ragfault_k=3")) == {
        "assembly.cut": ["long-haul-cabin"]
    }


def test_tests_with_gold_cases_are_found_by_their_marker(project):
    project.test()
    project.test("def test_other(): pass", name="test_other")
    project.run("-m", "ragfault", "-k", "gym-fee").assert_outcomes(passed=1, deselected=8)
    project.run("-m", "not ragfault").assert_outcomes(passed=1, deselected=8)


def test_the_case_tells_what_it_is_and_what_became_of_it(project):
    project.test(
        """
        import pipeline, pytest

        @pytest.mark.ragfault(cases="gym-fee")
        def test_rag(ragfault_case):
            assert (ragfault_case.case_id, ragfault_case.gold.expect, ragfault_case.label) == ("gym-fee", "refuse", None)
            answer = ragfault_case.check(lambda question: pipeline.ask(question, k=3))
            assert answer == ragfault_case.answer == pipeline.REFUSAL
            assert ragfault_case.label == "pass.correct_refusal"
            (found,) = ragfault_case.requests
            assert found.card["k"] == 3 and "gym-fee" in str(found)
        """
    )
    project.run().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("ini", "marker", "said"),
    [
        pytest.param({"ragfault_gold": None}, "", "no gold file is named; one was wanted", id="no gold"),
        pytest.param({}, "gold='none.jsonl'", "none.jsonl", id="no such file"),
        pytest.param(
            {}, "cases='gym-fees'", "found case 'gym-fees', which gold does not have; did you mean", id="case"
        ),
        pytest.param({}, "tags='x'", "no gold case is left of 8", id="no case is left"),
        pytest.param({}, "golds='x'", "found golds=; did you mean gold?", id="a misspelt name"),
        pytest.param({}, "'cases.jsonl'", "takes names only", id="a value without a name"),
        pytest.param({}, "k=0", "found 0 (a number); a whole number from 1 on was wanted", id="no k"),
        pytest.param({"ragfault_corpus": "corpus.jsonl\n  cases.jsonl"}, "", "found 2 files; one was wanted", id="two"),
        pytest.param({}, "gold=['cases.jsonl', 'cases.jsonl']", "is in another gold file too", id="a case twice"),
    ],
)
def test_what_is_wrong_with_the_settings_is_one_line_of_an_error_at_collection(project, ini, marker, said):
    project.ini(**ini)
    project.test(f"import pytest\n@pytest.mark.ragfault({marker})\ndef test_rag(ragfault_case): pass")
    result = project.run()
    result.assert_outcomes(errors=1)
    assert said in result.stdout.str()
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_gold_file_that_is_not_valid_names_line_and_field(project):
    (project.path / "cases.jsonl").write_text('{"case_id": "a", "query": "q"}\n', encoding="utf-8")
    project.test("def test_rag(ragfault_case): pass")
    result = project.run()
    result.assert_outcomes(errors=1)
    assert "cases.jsonl:1: evidence: is missing or empty" in result.stdout.str()


def test_a_corpus_that_cannot_be_read_fails_the_test_in_one_line(project):
    (project.path / "corpus.jsonl").unlink()
    (project.path / "pipeline.py").unlink()
    project.test("def test_rag(ragfault_case): pass")
    result = project.run("-k", "gym-fee")
    result.assert_outcomes(errors=1, deselected=7)
    assert "corpus.jsonl" in result.stdout.str()


def test_labels_are_properties_in_a_junit_file(project):
    project.test()
    project.run("-k", "long-haul-cabin", "--junit-xml=report.xml")
    report = (project.path / "report.xml").read_text(encoding="utf-8")
    assert '<property name="ragfault_label" value="retrieval.below_k" />' in report
    assert '<property name="ragfault_boundary" value="retrieval" />' in report
