"""The files that trec_eval tests itself with, a run of Anserini, and recorded rankings of HotpotQA questions."""

import json
from collections import defaultdict

import pytest

from metrics.judged import KS, agrees, clear, measured, put_topics, read_qrels, read_run, renamed, trec_eval

pytestmark = pytest.mark.realdata

PRINTED = 5e-5 + 1e-9  # trec_eval prints four digits
TREC_KS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]


@pytest.fixture
def folder(realdata):
    found = realdata / "trec_fixtures"
    if not found.is_dir():
        pytest.skip(f"no trec_fixtures in {realdata}")
    return found


def store(con, qrels, run):
    clear(con)
    topics = {topic: (qrels[topic], *map(list, (run[topic], run[topic].values()))) for topic in qrels if topic in run}
    put_topics(con, topics)


def printed(path):
    """What trec_eval printed: topic -> our names -> value."""
    found = defaultdict(dict)
    for name, topic, value in (line.split() for line in path.read_text(encoding="utf-8").splitlines()):
        if not name.startswith(("relstring", "runid")):
            found[topic][name] = float(value)
    return {topic: renamed(values) for topic, values in found.items()}


@pytest.mark.parametrize(
    ("qrels_file", "expected", "level"),
    [("qrels.test", "out.test.aq", 1), ("qrels.rel_level", "out.test.aql", 2)],
    ids=["grades of 0 and 1", "relevant from grade 2"],
)
def test_each_topic_is_what_trec_eval_prints_and_pytrec_eval_computes(memory, folder, qrels_file, expected, level):
    qrels, run = read_qrels(folder / "trec_eval" / qrels_file), read_run(folder / "trec_eval" / "results.test")
    store(memory, qrels, run)
    ours = measured(memory, ks=sorted({*TREC_KS, *KS}), hit_order="trec", relevant_from=level)
    wanted, computed = printed(folder / "trec_eval" / expected), trec_eval(qrels, run, level=level)
    assert set(ours) == {"301", "302", "303"}
    for topic, values in ours.items():
        assert len(wanted[topic]) >= len(TREC_KS) * 4
        assert agrees(values, wanted[topic], tolerance=PRINTED) == {}
        assert agrees(values, computed[topic]) == {}


def test_the_mean_over_topics_is_what_trec_eval_prints(memory, folder):
    qrels, run = read_qrels(folder / "trec_eval" / "qrels.test"), read_run(folder / "trec_eval" / "results.test")
    store(memory, qrels, run)
    wanted = printed(folder / "trec_eval" / "out.test.a")["all"]
    assert agrees(means(memory), wanted, tolerance=PRINTED) == {}


def test_topics_for_which_nothing_was_found_count_as_in_complete_means_of_trec_eval(memory, folder):
    qrels, run = read_qrels(folder / "trec_eval" / "qrels.test"), read_run(folder / "trec_eval" / "results.trunc")
    store(memory, qrels, {topic: run.get(topic, {}) for topic in qrels})
    wanted = printed(folder / "trec_eval" / "out.test.aqc")["all"]
    assert "302" not in run
    without_length = {key: value for key, value in wanted.items() if key != ("precision", None)}  # NULL for no length
    assert agrees(means(memory), without_length, tolerance=PRINTED) == {}


def means(con):
    result = con.execute(
        "SELECT k, "
        + ", ".join(f"avg({name}) AS {name}" for name in COLUMNS)
        + " FROM case_measures(grouped_by := 'all', ks := $ks, hit_order := 'trec') GROUP BY k",
        {"ks": [*TREC_KS, 1]},
    )
    return {(name, k): value for k, *row in result.fetchall() for name, value in zip(COLUMNS, row, strict=True)}


COLUMNS = ["precision", "recall_judged", "hit", "reciprocal_rank", "average_precision", "ndcg"]


def test_bm25_of_anserini_on_cacm(memory, folder):
    qrels = read_qrels(folder / "cacm" / "qrels.cacm.txt")
    run = read_run(folder / "cacm" / "run.anserini-bm25.txt")
    store(memory, qrels, run)
    ours = measured(memory, ks=[*KS, 30], hit_order="trec")
    computed = trec_eval(qrels, run)
    assert len(ours) == len(computed) > 50
    for topic, values in ours.items():
        assert agrees(values, computed[topic]) == {}
    assert "MAP 0.3123, P_30 0.1942" in (folder / "cacm" / "EXPECTED.txt").read_text(encoding="utf-8")
    assert all(len(ranking) == 30 for ranking in run.values()), "the file holds the first 30 of a longer ranking"
    found = [values["precision", 30] for values in ours.values()]
    assert round(sum(found) / len(found), 4) == 0.1942


@pytest.mark.parametrize("order", ["recorded", "trec"])
def test_each_ranking_of_hotpot_questions(memory, realdata, order):
    cases = read_lines(realdata / "hotpot241" / "cases.jsonl")
    qrels = {case["case_id"]: {chunk: 1 for group in case["gold_chunk_ids"] for chunk in group} for case in cases}
    rankings = defaultdict(dict)
    for line in read_lines(realdata / "hotpot241" / "runs.jsonl"):
        ranked = sorted(line["ranked"], key=lambda hit: hit["rank"])
        rankings[line["run"]][line["case_id"]] = [(hit["chunk_id"], hit.get("score")) for hit in ranked]
    compared = 0
    for ranking in rankings.values():
        scored = {case: {chunk: score for chunk, score in hits if score is not None} for case, hits in ranking.items()}
        by_place = {case: {chunk: -place for place, (chunk, _) in enumerate(hits)} for case, hits in ranking.items()}
        judged = {case: qrels[case] for case in ranking if case in qrels}
        clear(memory)
        put_topics(
            memory,
            {
                case: (judged[case], [hit[0] for hit in ranking[case]], [hit[1] for hit in ranking[case]])
                for case in judged
            },
        )
        ours = measured(memory, ks=list(KS), hit_order=order)
        computed = trec_eval(judged, by_place if order == "recorded" else scored)
        for case, values in ours.items():
            if order == "trec" and len(scored[case]) < len(ranking[case]):
                assert not values["ranking_known", 1]
                continue
            assert agrees(values, computed[case]) == {}
            compared += 1
    assert compared > 480


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
