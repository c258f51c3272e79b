"""The gold sentences of ClapNQ as quotes, over a corpus that is cut in three ways.

Which chunks are right is worked out here from character offsets alone, and never from what the resolver says.
"""

import json
import re
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass

import pytest

from faults import worlds
from faults.oracle import World
from otel_ragfault.corpus import load_corpus
from otel_ragfault.gold import load_gold
from otel_ragfault.store import connect

pytestmark = pytest.mark.realdata

CUTS = {"small": (200, 0), "middle": (500, 100), "large": (1_000, 250)}  # characters, of which overlap
SPLIT = {"small": 490, "middle": 72, "large": 1}  # sentences that no chunk holds alone
FATES = ("pass", "assembly.cut", "retrieval.below_k", "retrieval.not_ranked")
K = 6


@dataclass(frozen=True)
class Cut:
    chunk_id: str
    doc_id: str
    start: int
    end: int


def documents(folder):
    """The passages of each document, in their order, as one text."""
    parts = defaultdict(list)
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        chunk = json.loads(line)
        if chunk["text"] not in parts[chunk["doc_id"]]:
            parts[chunk["doc_id"]].append(chunk["text"])
    return {doc_id: "\n".join(texts) for doc_id, texts in parts.items()}


def cut(doc_id, text, name):
    """Cut a text: the small cut goes through words, the others end at a blank."""
    size, overlap = CUTS[name]
    start, found = 0, []
    while start < len(text):
        end = min(len(text), start + size)
        if name != "small" and end < len(text):
            end = max(text.rfind(" ", start + overlap + 1, end), start + overlap + 1)
        if text[start:end].strip():
            found.append(Cut(f"{name}:{doc_id}:{start}", doc_id, start, end))
        if end == len(text):
            break
        start = end - overlap
    return found


def spans(sentence, text):
    """Where the sentence stands in the document, letter by letter but for white space, case and quotation marks around."""
    pattern = r"\s+".join(map(re.escape, sentence.strip(" '`").split()))
    return [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]


def right(sentence, text, cuts):
    """The sets of chunks that hold the sentence: each alone where one does, else all neighbours over which it lies."""
    places = spans(sentence, text)
    whole = {
        frozenset([one.chunk_id]) for one in cuts for start, end in places if one.start <= start and end <= one.end
    }
    if whole:
        return whole
    return {way for start, end in places for way in lying_over(start, end, cuts, text)}


def lying_over(start, end, cuts, text):
    """Every smallest chain of chunks that covers a stretch; blanks need no cover."""
    pending = [(one,) for one in cuts if one.start <= start < one.end]
    while pending:
        chain = pending.pop()
        if not text[chain[-1].end : end].strip():
            rests = [(*chain[:i], *chain[i + 1 :]) for i in range(len(chain))]
            if not any(covers(rest, start, end, text) for rest in rests):
                yield frozenset(one.chunk_id for one in chain)
            continue
        for one in cuts:
            last = chain[-1]
            if one.start > last.start and one.end > last.end and not text[last.end : one.start].strip():
                pending += [(*chain, one)]


def covers(chain, start, end, text):
    place = start
    for one in chain:
        if text[place : one.start].strip():
            return False
        place = max(place, one.end)
    return bool(chain) and not text[place:end].strip()


@pytest.fixture(scope="module")
def clapnq(realdata):
    return realdata / "clapnq"


@pytest.fixture(scope="module")
def texts(clapnq):
    return documents(clapnq)


@pytest.fixture(scope="module")
def cuts(texts):
    return {name: {doc_id: cut(doc_id, text, name) for doc_id, text in texts.items()} for name in CUTS}


@pytest.fixture(scope="module")
def cases(clapnq):
    """Cases with the sentences that a person marked: case id, question, document, sentences."""
    document = {}
    for line in (clapnq / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        chunk = json.loads(line)
        document[chunk["chunk_id"]] = chunk["doc_id"]
    found = []
    for line in (clapnq / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        sentences = list(dict.fromkeys(sentence for group in case.get("gold_sentences") or [] for sentence in group))
        if sentences and case["gold_chunk_ids"]:
            found.append((case["case_id"], case["query"], document[case["gold_chunk_ids"][0][0]], sentences))
    return found


@pytest.fixture(scope="module")
def con(tmp_path_factory, texts, cuts, cases):
    """A database with the corpus cut in three ways, and gold by quote."""
    folder = tmp_path_factory.mktemp("clapnq")
    with connect(folder / "db.duckdb", create=True) as connection:
        for name, of_document in cuts.items():
            chunks = [
                {"chunk_id": one.chunk_id, "doc_id": one.doc_id, "text": texts[one.doc_id][one.start : one.end]}
                for found in of_document.values()
                for one in found
            ]
            load_corpus(connection, lines(folder / f"{name}.jsonl", chunks), snapshot_id=name)
        gold = [
            {"case_id": case_id, "query": query, "evidence": [[{"doc_id": doc_id, "quote": one}] for one in sentences]}
            for case_id, query, doc_id, sentences in cases
        ]
        load_gold(connection, lines(folder / "gold.jsonl", gold), allow_contradictions=True)
        yield connection


def lines(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def existing(texts, cases):
    """The sentences that stand in their document: case id, document, number of the sentence, sentence."""
    return [
        (case_id, doc_id, number, sentence)
        for case_id, _, doc_id, sentences in cases
        for number, sentence in enumerate(sentences, start=1)
        if spans(sentence, texts[doc_id])
    ]


def groups_of(con, name):
    found = defaultdict(lambda: defaultdict(set))
    rows = con.execute(
        "SELECT case_id, gold_group_no, group_no, chunk_id FROM resolved_evidence WHERE snapshot_id = ?", [name]
    ).fetchall()
    for case_id, sentence, group, chunk in rows:
        found[case_id, sentence][group].add(chunk)
    return found


def is_right(groups, ways):
    """Whether groups of single chunks say: one of the ways, as a whole."""
    wanted = [frozenset(group) for group in groups.values()]
    if any(None in group for group in wanted):
        return False
    chunks = set().union(*ways, *wanted)
    enough = all(all(group & way for group in wanted) for way in ways)
    needed = all(
        any(not group & (chunks - {chunk}) or not way & {chunk} for group in wanted)
        for way in ways
        if len(ways) == 1
        for chunk in way
    )
    return enough and needed and set().union(*wanted) == set().union(*ways)


def test_there_are_sentences_to_speak_of(cases, existing):
    total = sum(len(sentences) for *_, sentences in cases)
    assert len(cases) > 250
    assert len(existing) > 0.9 * total


@pytest.mark.parametrize("name", CUTS)
def test_quotes_resolve_to_the_right_chunks(con, texts, cuts, existing, name):
    groups = groups_of(con, name)
    wrong, split = [], 0
    for case_id, doc_id, number, sentence in existing:
        ways = right(sentence, texts[doc_id], cuts[name][doc_id])
        split += all(len(way) > 1 for way in ways)
        if not is_right(groups[case_id, number], ways):
            wrong.append((case_id, number, sentence, ways, dict(groups[case_id, number])))
    assert wrong == []
    assert split == SPLIT[name]


def test_sentences_that_are_not_in_the_document_are_listed_and_none_is_dropped(con, cases):
    asked = sum(len(sentences) for *_, sentences in cases)
    for name in CUTS:
        states = dict(
            con.execute(
                "SELECT state, count(*) FROM resolved_quote WHERE snapshot_id = ? GROUP BY 1", [name]
            ).fetchall()
        )
        assert sum(states.values()) == asked


def test_labels_stay_where_evidence_moved_but_did_not_change(con, texts, cuts, cases, existing):
    whole = Counter(case_id for case_id, *_ in existing)
    kept = [case for case in cases if whole[case[0]] == len(case[3])]
    for name in CUTS:
        put_requests(con, name, kept, texts, cuts[name])
    labels = defaultdict(dict)
    for row in worlds.labels(con).values():
        number, place = divmod(row["request_id"].int - 1, len(CUTS))
        labels[number][list(CUTS)[place]] = row["label"]
    assert len(labels) == len(kept)
    moved = [number for number, of_cut in labels.items() if len(set(of_cut.values())) > 1]
    expected = [number for number, of_cut in labels.items() if set(of_cut.values()) == {FATES[number % len(FATES)]}]
    assert moved == []
    assert len(expected) == len(kept)


def put_requests(con, name, cases, texts, cuts):
    """Give each case one of four fates, in the chunks of this cut: the evidence is shown, cut, ranked low, not ranked."""
    others = [one.chunk_id for one in cuts[next(iter(cuts))]][:2]
    place = list(CUTS).index(name)
    for number, (case_id, _, doc_id, sentences) in enumerate(cases):
        evidence = list(
            dict.fromkeys(
                chunk for one in sentences for chunk in sorted(min(right(one, texts[doc_id], cuts[doc_id]), key=sorted))
            )
        )
        fate = FATES[number % len(FATES)]
        all_right = {chunk for one in sentences for way in right(one, texts[doc_id], cuts[doc_id]) for chunk in way}
        fill = [chunk for chunk in others if chunk not in all_right]
        ranked = {
            "pass": evidence + fill,
            "assembly.cut": evidence + fill,
            "retrieval.below_k": fill + evidence,
            "retrieval.not_ranked": fill,
        }[fate]
        k = len(fill) if fate == "retrieval.below_k" else len(ranked)
        prompt = {"pass": evidence, "retrieval.below_k": fill}.get(fate, [])
        world = World(
            ranked=tuple(ranked), scores=None, kind="distance", k=k, prompt=tuple(prompt), refused=False, correct=True
        )
        request_id = uuid.UUID(int=number * len(CUTS) + place + 1)
        worlds.put_request(con, request_id, case_id, name, world)
        for subject, value in (("refusal", False), ("answer", True)):
            con.execute(
                "INSERT INTO verdict BY NAME SELECT ?::UUID AS request_id, ? AS subject, ? AS value, 'rule' AS source, 'c' AS config, now()::TIMESTAMP AS judged_at",
                [request_id, subject, value],
            )


def test_ids_of_one_cut_would_have_blamed_the_index_of_the_others(con, tmp_path, cases, texts, cuts, existing):
    """The same evidence by chunk id, for comparison: every other cut is source.not_indexed."""
    case_id, doc_id, _, sentence = existing[0]
    chunk = min(next(iter(right(sentence, texts[doc_id], cuts["large"][doc_id]))))
    load_gold(con, lines(tmp_path / "ids.jsonl", [{"case_id": "by-id", "query": "by id", "evidence": [[chunk]]}]))
    for number, name in enumerate(CUTS):
        world = World(ranked=("x",), scores=None, kind="distance", k=1, prompt=("x",), refused=False, correct=True)
        worlds.put_request(con, uuid.UUID(int=10**6 + number), "by-id", name, world)
    rows = [row for row in worlds.labels(con).values() if row["case_id"] == "by-id"]
    assert Counter(row["label"] for row in rows) == {"source.not_indexed": 2, "retrieval.not_ranked": 1}
    assert case_id
