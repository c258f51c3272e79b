"""What an agent has taken waits on disk until the next hop has it."""

import time

import pytest

from collector.receiving import all_arrive
from collector.sending import QUESTION, application, ask, ids_of, post, span

pytestmark = pytest.mark.otelcol

GRPC_DEFAULT_LIMIT = 4 * 1024 * 1024


def test_spans_survive_a_kill_while_the_receiver_is_down(start, sink):
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=sink.endpoint)
    sent = []
    for _ in range(3):
        with application(agent) as ids:
            for _ in range(10):
                ask(QUESTION)
        sent += ids
        agent.kill()
        agent.start()
    sink.start()
    arrived = all_arrive(sink, sent)
    assert len(sent) == 120
    assert sorted(one[:2] for one in arrived) == sorted(sent)


def test_a_kill_while_spans_are_sent_on_loses_none(start, sink):
    sink.start()
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=sink.endpoint)
    sent = []
    for pause in (0.0, 0.2, 0.6, 1.0, 1.2):  # around the second after which a batch goes out
        with application(agent) as ids:
            for _ in range(5):
                ask(QUESTION)
        sent += ids
        time.sleep(pause)
        agent.kill()
        agent.start()
    arrived = all_arrive(sink, sent)
    assert {one[:2] for one in arrived} == set(sent)
    if sink.keeps_each_once:
        assert len(arrived) == len(sent)


def test_a_full_queue_is_told_to_the_sender(start, http_sink):
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint, RAGFAULT_QUEUE_BYTES="1048576")
    large = [span(number, {"text": "x" * 600_000}) for number in range(2)]
    assert [post(agent, one) for one in large] == [200, 503]
    http_sink.start()
    assert len(all_arrive(http_sink, ids_of(large[:1]))) == 1


def test_no_request_is_larger_than_a_receiver_takes(start, http_sink):
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint)
    spans = [span(number, {"text": f"{number:04d}" * 50_000}) for number in range(60)]
    assert post(agent, *spans[:30]) == 200
    assert post(agent, *spans[30:]) == 200
    http_sink.start()
    arrived = all_arrive(http_sink, ids_of(spans))
    assert sorted(one[:2] for one in arrived) == sorted(ids_of(spans))
    assert {one.attributes["text"] for one in arrived} == {f"{number:04d}" * 50_000 for number in range(60)}
    assert max(http_sink.sizes) < GRPC_DEFAULT_LIMIT


def test_a_long_ranking_passes_untouched(start, http_sink):
    http_sink.start()
    agent = start("agent.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint)
    ranking = "[" + ",".join(f'{{"id":"c{number}","score":{number}.25}}' for number in range(50_000)) + "]"
    (one,) = spans = [span(0, {"gen_ai.retrieval.documents": ranking, **{f"key.{n}": "v" for n in range(500)}})]
    assert post(agent, one) == 200
    (arrived,) = all_arrive(http_sink, ids_of(spans))
    assert arrived.attributes["gen_ai.retrieval.documents"] == ranking
    assert len(arrived.attributes) == 501
