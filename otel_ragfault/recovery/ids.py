"""Which chunk a ranked hit is whose id is none of the index: the one with the same text.

Frameworks make up ids for what they index (UUIDs), name only the document, or give none. An id that is a chunk's is
never touched, and a hit keeps its rank.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from otel_ragfault.recovery.flat import flat

Hit = tuple[str | None, str | None]
"""Recorded id and text of a ranked hit."""

_HALF = 2


@dataclass(frozen=True, slots=True)
class ChunkTexts:
    """The chunks of a snapshot by their ids and texts; two texts that are equal when flat are one."""

    ids: set[str] = field(default_factory=set)
    _by_text: dict[bytes, list[tuple[str | None, str]]] = field(default_factory=dict)

    def add(self, chunk_id: str, doc_id: str | None, text: str | None) -> None:
        """Take in a chunk. Those with equal texts keep the order in which they come."""
        self.ids.add(chunk_id)
        key = _key(text)
        if key is not None:
            self._by_text.setdefault(key, []).append((doc_id, chunk_id))

    def with_text(self, key: bytes) -> Sequence[tuple[str | None, str]]:
        """Return document and id of the chunks with a text."""
        return self._by_text.get(key, ())


@dataclass(frozen=True, slots=True)
class ToldIds:
    """Rankings with the ids of chunks.

    Attributes:
        rankings: the ids of each ranking; where no chunk was found, as recorded.
        names: recorded id → chunk, where the id stands for one chunk only.
        complete: whether every hit is a chunk of the snapshot now.
    """

    rankings: tuple[tuple[str | None, ...], ...]
    names: dict[str, str]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """Hits with one text: the chunks they may be, and the hits, each once in the order of the rankings."""

    chunks: tuple[str, ...]
    hits: dict[str | int, None] = field(default_factory=dict)

    def told(self, hit: str | int, present: set[str]) -> str | None:
        """Return the chunk of a hit; ``None`` where there are fewer hits with the text than chunks."""
        chunks = [chunk for chunk in self.chunks if chunk not in present] or self.chunks
        if len(self.hits) < len(chunks):
            return None
        return chunks[min(list(self.hits).index(hit), len(chunks) - 1)]


_Place = tuple[_Group, str | int]


def tell_ids(rankings: Sequence[Sequence[Hit]], chunks: ChunkTexts) -> ToldIds | None:
    """Tell the hits of a request by their texts; ``None`` unless some are told and most of the hits are chunks then.

    Args:
        rankings: the rankings of the request, the first stage first. A hit that is in several has the same id there.
        chunks: the snapshot. Of several chunks with one text the one of the document is meant that the id names; else
            they are dealt out in their order, where the ranking shows as many.
    """
    groups: dict[tuple[bytes, str | None], _Group] = {}
    placed = [list(_placed(ranking, chunks, groups)) for ranking in rankings]
    present = {name for ranking in rankings for name, _ in ranking if name in chunks.ids}
    told = [[None if place is None else place[0].told(place[1], present) for place in places] for places in placed]
    hits = [hit for ranking in rankings for hit in ranking]
    found = [chunk for chunks_of_ranking in told for chunk in chunks_of_ranking]
    known = sum(chunk is not None or name in chunks.ids for chunk, (name, _) in zip(found, hits, strict=True))
    if known * _HALF <= len(hits) or not any(found):
        return None
    return ToldIds(
        tuple(
            tuple(name if chunk is None else chunk for chunk, (name, _) in zip(row, ranking, strict=True))
            for row, ranking in zip(told, rankings, strict=True)
        ),
        _names(zip(found, hits, strict=True)),
        known == len(hits),
    )


def _placed(
    ranking: Sequence[Hit], chunks: ChunkTexts, groups: dict[tuple[bytes, str | None], _Group]
) -> Iterable[_Place | None]:
    """Yield the group of each hit, and what tells it from others of the group: its id, else how many came before."""
    before: Counter[tuple[bytes, str | None]] = Counter()
    for name, text in ranking:
        text_key = None if name in chunks.ids else _key(text)
        possible = () if text_key is None else chunks.with_text(text_key)
        if text_key is None or not possible:
            yield None
            continue
        document = name if any(doc == name for doc, _ in possible) else None
        key = (text_key, document)
        if key not in groups:
            groups[key] = _Group(tuple(chunk for doc, chunk in possible if document in {None, doc}))
        hit: str | int = before[key] if name is None or document is not None else name
        before[key] += 1
        groups[key].hits[hit] = None
        yield groups[key], hit


def _names(told: Iterable[tuple[str | None, Hit]]) -> dict[str, str]:
    meant: dict[str, set[str | None]] = {}
    for chunk, (name, _) in told:
        if name is not None:
            meant.setdefault(name, set()).add(chunk)
    return {
        name: chunk for name, found in meant.items() if len(found) == 1 and (chunk := next(iter(found))) is not None
    }


def _key(text: str | None) -> bytes | None:
    plain = flat(text) if text is not None else ""
    return hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=16).digest() if plain else None
