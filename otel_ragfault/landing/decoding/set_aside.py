"""What could not become a row before it reached the spool: counts by reason, the payload of a record of their own.

The loader enters them in ``rejected_span`` beside what it sets aside itself, so that nothing disappears without a line
there, whoever decoded it. Counts of a file that may be read again are told by the content that they
are of, and entered once.
"""

import hashlib
from collections import Counter
from typing import TYPE_CHECKING
from uuid import UUID

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_REASON = 500
_MOST = 2**32
_MOST_REASONS = 100
_OTHERS = "other reasons"


def write_counts(counts: "Mapping[str, int]") -> bytes:
    """Write counts by reason. Reasons may be any text; of very many the rarest are taken together."""
    named = Counter(counts).most_common(_MOST_REASONS)
    written = Counter({_OTHERS: sum(counts.values()) - sum(count for _, count in named)})
    for reason, count in named:
        written[_plain(reason)] += count
    return orjson.dumps(+written)


def read_counts(content: memoryview) -> Counter[str]:
    """Read what :func:`write_counts` wrote.

    Raises:
        ValueError: it is something else.
    """
    return _checked(orjson.loads(content))


def _checked(counts: object) -> Counter[str]:
    if not isinstance(counts, dict) or not all(type(count) is int and 0 < count <= _MOST for count in counts.values()):
        raise ValueError("counts of what was set aside that are none")
    return Counter(counts)


def content_id(content: bytes) -> UUID:
    """Return the identity of a part of a file, whichever file it is in: a digest."""
    return UUID(bytes=hashlib.sha256(content).digest()[:16])


def write_contents(contents: "Mapping[UUID, Mapping[str, int]]") -> bytes:
    """Write counts by content and reason."""
    return orjson.dumps([[str(content), orjson.Fragment(write_counts(one))] for content, one in contents.items()])


def read_contents(content: memoryview) -> dict[UUID, Counter[str]]:
    """Read what :func:`write_contents` wrote.

    Raises:
        ValueError: it is something else.
    """
    try:
        return {UUID(one): _checked(counts) for one, counts in orjson.loads(content)}
    except (TypeError, AttributeError) as error:
        raise ValueError("contents that were set aside that are none") from error


def _plain(reason: str) -> str:
    return reason[:_LONGEST_REASON].encode("utf-8", "replace").decode()
