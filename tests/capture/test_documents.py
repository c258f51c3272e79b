"""What a retriever may return, and the ranking that is recorded of it."""

from collections import defaultdict, deque, namedtuple
from decimal import Decimal
from types import SimpleNamespace as Thing
from uuid import UUID

import numpy as np
import pytest

from otel_ragfault import semconv
from otel_ragfault.capture import capture_failures, retrieval

UID = UUID("12345678-1234-5678-1234-567812345678")
Row = namedtuple("Row", "id score text")  # noqa: PYI024


class Keyed:
    """A database row: keys and items, but no Mapping (``sqlite3.Row``)."""

    def __init__(self, **values):
        self._values = values

    def keys(self):
        return self._values.keys()

    def __getitem__(self, key):
        return self._values[key]


class LlamaNode:
    def __init__(self, node_id, text):
        self.id_ = node_id
        self._text = text

    def get_content(self):
        return self._text


class Scalar:
    """A zero-dimensional tensor."""

    dtype = "float32"

    def __init__(self, value):
        self._value = value

    def item(self):
        return self._value


class Frame:
    columns = ("id", "score")

    def to_dict(self, orient):
        assert orient == "records"
        return [{"id": "a", "score": 0.5}]


SHAPES = {
    "ids": (["a", "b"], [("a", None), ("b", None)]),
    "whole numbers as ids": ([7, 0], [("7", None), ("0", None)]),
    "uuids": ([UID], [(str(UID), None)]),
    "bytes as ids": ([b"a"], [("a", None)]),
    "numpy ids": (np.array([3, 1]), [("3", None), ("1", None)]),
    "pairs": ([("a", 2.0), ("b", 0.0)], [("a", 2.0), ("b", 0.0)]),
    "pairs, score first": ([(0.9, "a"), (0.5, 12)], [("a", 0.9), ("12", 0.5)]),
    "lists as pairs": ([["a", 2.0]], [("a", 2.0)]),
    "whole number and score": ([(7, 0.5)], [("7", 0.5)]),
    "whole number and whole score": ([(7, 3)], [("7", 3.0)]),
    "object and score": ([(Thing(id="a", text="t"), 0.5)], [("a", 0.5)]),
    "score and object": ([(0.5, Thing(id="a", text="t"))], [("a", 0.5)]),
    "rank and object": (list(enumerate([Thing(id="a"), Thing(id="b", score=0.2)])), [("a", None), ("b", 0.2)]),
    "mapping and score": ([({"id": "a"}, 0.5)], [("a", 0.5)]),
    "id and text": ([("a", "some text")], [("a", None)]),
    "database row": ([("a", "some text", 0.5)], [("a", 0.5)]),
    "named tuple": ([Row("a", 0.5, "t")], [("a", 0.5)]),
    "a pair that grew later": ([("a", 0.5), ("b", 0.4, "t"), "c"], [("a", 0.5), ("b", 0.4), ("c", None)]),
    "mappings": ([{"id": "a", "score": 0.5}], [("a", 0.5)]),
    "chunk_id": ([{"chunk_id": "a", "relevance_score": 0.5}], [("a", 0.5)]),
    "elasticsearch": ({"hits": {"hits": [{"_id": "a", "_score": 2.5, "_source": {}}]}}, [("a", 2.5)]),
    "distance": ([{"id": "a", "distance": 0.1}], [("a", 0.1)]),
    "score as text": ([{"id": "a", "distance": "0.1"}], [("a", 0.1)]),
    "wrapped object": ([{"document": Thing(id="a"), "score": 0.5}], [("a", 0.5)]),
    "langchain": ([Thing(id="a", page_content="t", metadata={"relevance_score": 0.7})], [("a", 0.7)]),
    "langchain without id": ([Thing(id=None, page_content="t", metadata={"chunk_id": "a"})], [("a", None)]),
    "llamaindex": ([Thing(node=LlamaNode("a", "t"), score=0.5)], [("a", 0.5)]),
    "pinecone": (Thing(matches=[Thing(id="a", score=0.5)]), [("a", 0.5)]),
    "haystack": ({"documents": [Thing(id="a", score=0.5, content="t")]}, [("a", 0.5)]),
    "qdrant": (Thing(points=[Thing(id=7, score=0.5, payload={"text": "t"})]), [("7", 0.5)]),
    "chroma": ({"ids": [["a", "b"]], "distances": [[0.1, 0.2]], "documents": [["t", "u"]]}, [("a", 0.1), ("b", 0.2)]),
    "chroma without scores": ({"ids": ["a"], "documents": None}, [("a", None)]),
    "faiss": ((np.array([[0.9, 0.5]]), np.array([[4, 2]])), [("4", 0.9), ("2", 0.5)]),
    "ids and scores apart": ((["a", "b"], [2.0, 1.0]), [("a", 2.0), ("b", 1.0)]),
    "id to score": ({"a": 2.0, "b": 0.0}, [("a", 2.0), ("b", 0.0)]),
    "row with keys": ([Keyed(id="a", score=0.5)], [("a", 0.5)]),
    "data frame": (Frame(), [("a", 0.5)]),
    "deque": (deque([("a", 0.5)]), [("a", 0.5)]),
    "tuple of pairs": ((("a", 0.5), ("b", 0.4)), [("a", 0.5), ("b", 0.4)]),
    "tuple of lists as pairs": ((["a", 0.5], ["b", 0.4]), [("a", 0.5), ("b", 0.4)]),
    "scores and ids apart": (([2.0, 1.0], ["a", "b"]), [("a", 2.0), ("b", 1.0)]),
    "documents and scores apart": (([Thing(id="a")], [2.0]), [("a", 2.0)]),
    "documents and how long it took": (([("a", 0.5)], 12.5), [("a", 0.5)]),
    "query and documents": (("the question", [("a", 0.5)]), [("a", 0.5)]),
    "the best hit": (("a", 0.5), [("a", 0.5)]),
    "tuple of ids": (("a", "b"), [("a", None), ("b", None)]),
    "one mapping": ({"id": "a", "score": 0.5}, [("a", 0.5)]),
    "nothing found": ([], []),
    "nothing in a mapping": ({}, []),
    "no documents": ({"documents": []}, []),
    "a hit without id keeps its place": (["a", None, {"score": 0.1}], [("a", None), (None, None), (None, 0.1)]),
    "objects without a name of their own": ([object()], [(None, None)]),
    "order is the rank": ([("a", 0.1), ("b", 0.9)], [("a", 0.1), ("b", 0.9)]),
    "same chunk twice": ([("a", 0.2), ("a", 0.1)], [("a", 0.2), ("a", 0.1)]),
}


@pytest.mark.parametrize(("result", "ranking"), SHAPES.values(), ids=SHAPES.keys())
def test_ids_and_scores_are_found_in_what_retrievers_return(recorded, no_failures, result, ranking):
    returned = retrieval(lambda: result)()

    assert returned is result
    rows = recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS)
    assert rows == [{"id": one, "score": score} for one, score in ranking]
    assert all(type(row["score"]) in {float, type(None)} for row in rows)


SCORES = {
    "zero stays zero": (0.0, 0.0),
    "whole": (3, 3.0),
    "not a number": (float("nan"), None),
    "infinite": (float("inf"), None),
    "truth": (True, None),
    "absent": (None, None),
    "decimal": (Decimal("0.5"), 0.5),
    "too large": (10**400, None),
    "complex": (1j, None),
    "numpy": (np.float32(0.5), 0.5),
    "numpy 64": (np.float64(0.25), 0.25),
    "numpy nan": (np.float32("nan"), None),
    "numpy whole": (np.int64(3), 3.0),
    "numpy truth": (np.bool_(1), None),
    "tensor": (Scalar(0.5), 0.5),
}


@pytest.mark.parametrize(("score", "recorded_as"), SCORES.values(), ids=SCORES.keys())
@pytest.mark.parametrize("shape", [lambda s: ("a", s), lambda s: {"id": "a", "score": s}], ids=["pair", "mapping"])
def test_scores_are_numbers_or_null(recorded, shape, score, recorded_as):
    retrieval(lambda: [shape(score)])()

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": recorded_as}]


@pytest.mark.parametrize("score", [0.0, -0.5, float("nan"), float("-inf")], ids=str)
def test_the_fast_and_the_careful_way_write_the_same(recorded, score):
    hits = [("a", score), ("b", 0.5)]
    retrieval(lambda: hits)()
    retrieval(lambda: deque(hits))()
    retrieval(lambda: [{"id": i, "score": s} for i, s in hits])()

    fast, careful, mappings = [span.attributes[semconv.GEN_AI_RETRIEVAL_DOCUMENTS] for span in recorded.all]
    assert fast == careful == mappings


def test_a_passage_without_id_is_not_leaked_as_one(recorded):
    passage = "Travel beyond eight hours may be booked in business class. " * 9

    retrieval(lambda: [passage, (passage, 0.5), "c1"])()

    rows = recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS)
    assert [row["id"] for row in rows] == [None, None, "c1"]
    assert rows[1]["score"] == 0.5
    assert "document.passage_without_id" in capture_failures()


UNREADABLE = {
    "two lists of documents": ([("a", 0.5)], [("b", 0.4), ("c", 0.3)]),
    "several queries at once": {"ids": [["a"], ["b"]], "distances": [[0.1], [0.2]]},
    "no items in sight": Thing(status="ok"),
    "only a lazy iterable": type("Lazy", (), {"__iter__": lambda _: 1 / 0})(),
}


@pytest.mark.parametrize("result", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_not_a_ranking_is_counted_and_not_recorded(recorded, result):
    assert retrieval(lambda: result)() is result

    assert semconv.GEN_AI_RETRIEVAL_DOCUMENTS not in recorded.only().attributes
    assert sum(capture_failures().values()) == 1


def test_reading_changes_nothing(recorded, no_failures):
    row = defaultdict(list, text="t")

    retrieval(lambda: [row])()

    assert dict(row) == {"text": "t"}


def test_nothing_is_looked_up_beyond_what_is_needed(recorded, no_failures):
    class Mapped:
        """A row of a database mapper: each relation that is touched is a query."""

        id, score = "a", 0.5

        @property
        def document(self):
            raise AssertionError

        metadata = payload = text = chunk = document

    retrieval(lambda: [Mapped()])()

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 0.5}]


TEXTS = {
    "mapping": {"id": "a", "text": "t"},
    "langchain": Thing(id="a", page_content="t", metadata={}),
    "langchain with score": (Thing(id="a", page_content="t", metadata={}), 0.5),
    "score first": (0.5, Thing(id="a", content="t")),
    "llamaindex": Thing(node=LlamaNode("a", "t"), score=0.5),
    "qdrant": Thing(id="a", score=0.5, payload={"text": "t"}),
    "elasticsearch": {"_id": "a", "_source": {"content": "t"}},
    "id and text": ("a", "t"),
    "database row": ("a", "t", 0.5),
}


@pytest.mark.parametrize("hit", TEXTS.values(), ids=TEXTS.keys())
def test_texts_are_found_where_they_are_wanted(recorded, no_failures, hit):
    recorded.capture(content=True)
    retrieval(texts=True)(lambda: [hit])()

    (row,) = recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS)
    assert (row["id"], row["content"]) == ("a", "t")


def test_no_result_is_not_an_empty_ranking(recorded, no_failures):
    retrieval(lambda: None)()

    assert semconv.GEN_AI_RETRIEVAL_DOCUMENTS not in recorded.only().attributes


@pytest.mark.parametrize(
    "extract",
    [
        lambda found: [(hit["key"], hit["w"]) for hit in found["x"]],
        lambda found: ((hit["key"], hit["w"]) for hit in found["x"]),
        lambda found: [{"id": hit["key"], "score": hit["w"]} for hit in found["x"]],
    ],
    ids=["pairs", "generator", "mappings"],
)
def test_extract_tells_what_cannot_be_guessed(recorded, no_failures, extract):
    retrieval(extract=extract)(lambda: {"x": [{"key": "a", "w": 0.5}]})()

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS) == [{"id": "a", "score": 0.5}]


def test_a_failing_extract_costs_the_ranking_and_nothing_else(recorded):
    hits = ["a"]

    assert retrieval(extract=lambda _: 1 / 0)(lambda: hits)() is hits
    assert semconv.GEN_AI_RETRIEVAL_DOCUMENTS not in recorded.only().attributes
    assert capture_failures()["extract"] == 1
