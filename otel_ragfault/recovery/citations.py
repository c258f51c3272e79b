"""What an answer cites, by the marks it was asked to leave: ``[1]``, ``[2, 3]``, ``【4†source】``, ``(source: id)``.

Numbers count the chunks of the prompt from 1; from 0 only if the answer cites a ``[0]``. Code, indices (``a[0]``) and
years are no citations. What is one and leads nowhere is kept as written.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|(?<!`)`[^`\n]+`(?!`)", re.DOTALL)
_KINDS: Final = r"(?:sources?|refs?|references?|citations?|docs?|documents?|chunks?)"
_MARK: Final = re.compile(
    rf"""(?P<picture>!\[[^\]\n]*\]\([^)\n]*\))
    | \[(?P<label>[^\[\]\n]{{1,200}})\]\((?P<target>[^()\s]{{1,500}}(?:\([^()\s]*\)[^()\s]*)?)(?:\s+"[^"\n]*")?\)
    | 【(?P<lens>[^【】\n]{{1,200}})】
    | \[\^(?P<note>[^\[\]\n]{{1,100}})\]
    | \[(?P<square>[^\[\]\n]{{1,200}})\]
    | \(\s*{_KINDS}\s*:\s*(?P<round>[^()\n]{{1,200}}(?:\([^()\n]*\)[^()\n]*)?)\)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD: Final = re.compile(rf"{_KINDS}\s*[:#.]?\s*(?=\S)", re.IGNORECASE)
_BEFORE: Final = re.compile(r"\w{1,40}\Z")
_BEHIND: Final = re.compile(r"[.(]\w|\s?=(?!=)")
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_NUMBER: Final = re.compile(r"#?(\d{1,6})")
_RANGE: Final = re.compile(r"#?(\d{1,6})\s*(?:[-\u2010-\u2015]|\.\.|to)\s*#?(\d{1,6})")
_LENS_REST: Final = re.compile(r"†.*", re.DOTALL)
_SEPARATOR: Final = re.compile(r"\s*(?:[,;\uff0c\u3001\uff1b]|\band\b|&)\s*")
_ID_LIKE: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d])\S{3,}")
_YEARS: Final = range(1000, 2200)
_LONGEST_RANGE = 100
_SHORTEST_WORD = 3
_FARTHEST_PLACE = 99
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Citations:
    """What an answer cites.

    Attributes:
        ids: cited chunks, each once, in the order of the answer.
        unmapped: citations that lead to no chunk of the prompt, as written.
    """

    ids: tuple[str, ...]
    unmapped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark in the answer: as written, its parts, and whether it can be nothing else than a citation."""

    written: str
    parts: tuple[str, ...]
    certain: bool


def map_citations(
    answer: str,
    prompt_order: Sequence[str | None],
    *,
    titles: Mapping[str, str] | None = None,
    counted_in: str | None = None,
) -> Citations:
    """Find the citations of an answer and the chunks that they mean.

    Args:
        answer: the text of the answer.
        prompt_order: ids of the chunks in the prompt, in order; ``None`` for one that is not known.
        titles: chunk ids by another name under which an answer may cite them: title, file, address.
        counted_in: the whole of which ``answer`` is a part; it tells whether numbers count from 0.
    """
    marks = tuple(_marks(answer))
    counting = marks if counted_in is None else tuple(_marks(counted_in))
    find = _finder(prompt_order, titles or {}, first=_first_number(counting, len(prompt_order)))
    ids: dict[str, None] = {}
    unmapped: dict[str, None] = {}
    for mark in marks:
        for part in mark.parts:
            found, missed = _resolved(part, find, mark, len(prompt_order))
            ids.update(dict.fromkeys(found))
            if missed:
                unmapped[mark.written] = None
    return Citations(tuple(ids), tuple(unmapped))


def leads_astray(written: str, prompt_order: Sequence[str | None]) -> bool:
    """Say whether a citation that leads to no chunk of the prompt was certainly meant as one.

    It was when it is a number that might be a place (``[9]`` of five chunks), or is made as the ids of the prompt are
    (``[c99]`` where they are ``c08``). Names of sources may be titles of chunks, and ``[404]`` is rather a code; of
    several numbers one has to lead somewhere, else they may be an interval.

    Args:
        written: a citation as written, of those that :func:`map_citations` could not map.
        prompt_order: ids of all chunks in the prompt.
    """
    size = len(prompt_order)
    for mark in _marks(written):
        numbers = [number for part in mark.parts for number in _numbers(part) or ()]
        if numbers:
            leads = len(mark.parts) == 1 or any(0 < number <= size for number in numbers)
            return leads and max(numbers) <= max(size, _FARTHEST_PLACE)
        shapes = {_shape(name) for name in prompt_order if name}
        return any(_shape(part.partition("\n")[0]) in shapes for part in mark.parts)
    return False


def _shape(name: str) -> str:
    return _DIGITS.sub("0", _plain(name))


def _marks(answer: str) -> Iterator[_Mark]:
    if not any(bracket in answer for bracket in "[【("):
        return
    text = _CODE.sub(lambda match: " " * len(match[0]), answer) if "`" in answer or "~~~" in answer else answer
    index_end = -1
    for match in _MARK.finditer(text):
        if match["square"] is not None and (match.start() == index_end or _is_index(text, match)):
            index_end = match.end()  # a[0][1]
        elif match["picture"] is None:
            yield _mark(match)


def _is_index(text: str, match: re.Match[str]) -> bool:
    """Say whether a bracket belongs to a name of code, as in ``a[0]``, ``max_len[1]``, ``items[2].id``."""
    before = _BEFORE.search(text, max(0, match.start() - 40), match.start())
    if before is None:
        return False
    name = before[0]
    if name.isdigit():  # "in 1990[1]"
        return False
    is_name = len(name) < _SHORTEST_WORD or not name.isalpha() or _CAMEL.search(name) is not None
    return (name.isascii() and is_name) or _BEHIND.match(text, match.end()) is not None


def _mark(match: re.Match[str]) -> _Mark:
    written = match[0]
    if match["label"] is not None:
        return _Mark(written, (f"{match['label']}\n{match['target']}",), certain=False)
    if match["lens"] is not None:
        return _Mark(written, _split(_LENS_REST.sub("", match["lens"])) or (match["lens"],), certain=True)
    inside = match["square"]
    if inside is None:
        return _Mark(written, _split(match["note"] or match["round"]), certain=True)
    word = _WORD.match(inside)
    rest = inside[word.end() :] if word else inside
    return _Mark(written, _split(rest), certain=word is not None and _NUMBER.match(rest) is not None)


def _split(inside: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _SEPARATOR.split(inside) if part.strip())


def _first_number(marks: Sequence[_Mark], size: int) -> int:
    """Return 0 if the answer counts from 0: it cites a 0, and nothing that only counting from 1 would reach."""
    numbers = {number for mark in marks for part in mark.parts for number in _numbers(part) or ()}
    return 0 if 0 in numbers and size not in numbers else 1


def _numbers(part: str) -> tuple[int, ...] | None:
    part = part.partition("\n")[0]
    if match := _NUMBER.fullmatch(part):
        return (int(match[1]),)
    if match := _RANGE.fullmatch(part):
        start, end = int(match[1]), int(match[2])
        return tuple(range(start, end + 1)) if start <= end < start + _LONGEST_RANGE else (start, end)
    return None


_Finder = Callable[[str | int], str | None]


def _finder(order: Sequence[str | None], titles: Mapping[str, str], *, first: int) -> _Finder:
    names: dict[str, str] = {}

    def named(wanted: str) -> str | None:
        if not names:  # most answers cite by number alone
            names.update((_plain(title), name) for title, name in titles.items())
            names.update((_plain(name), name) for name in order if name)
        return names.get(wanted)

    def find(wanted: str | int) -> str | None:
        if isinstance(wanted, int):
            place = wanted - first
            return order[place] if 0 <= place < len(order) else named(str(wanted))
        return named(_plain(wanted))

    return find


def _plain(name: str) -> str:
    return " ".join(name.casefold().split()).strip("\"'")


def _resolved(part: str, find: _Finder, mark: _Mark, size: int) -> tuple[list[str], bool]:
    """Return the chunks that a part of a mark means, and whether it is a citation that leads nowhere."""
    label, _, target = part.partition("\n")
    if target:
        return _linked(label, target, find)
    if not _NUMBER.fullmatch(part) and (named := find(part)) is not None:
        return [named], False
    numbers = _numbers(part)
    if numbers is None:
        if (worded := _WORD.match(part)) and worded.end() < len(part):
            return _resolved(part[worded.end() :], find, mark, size)
        return [], mark.certain or (_ID_LIKE.fullmatch(part) is not None)
    found = [name for name in map(find, numbers) if name is not None]
    if len(found) == len(numbers):
        return found, False
    is_year = not mark.certain and all(number in _YEARS and number > size for number in numbers)
    return found, not is_year


def _linked(label: str, target: str, find: _Finder) -> tuple[list[str], bool]:
    """A link cites a chunk by its target or the end of it, by its words or its number; other links cite nothing."""
    numbers = _numbers(label)
    last = target.rstrip("/").rpartition("/")[2]
    for name in (target, target.lstrip("#"), last, last.partition("#")[0], target.partition("#")[2], label):
        if name and (found := find(name)) is not None:
            return [found], False
    found_by_number = [name for name in map(find, numbers or ()) if name is not None]
    return found_by_number, numbers is not None and len(found_by_number) < len(numbers)
