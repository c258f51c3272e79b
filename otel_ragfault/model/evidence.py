"""What gold requires: a list of groups, every group required, any member of a group satisfies it."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Discriminator, Tag

from otel_ragfault.model.fields import Id, StrictModel, Text, listed
from otel_ragfault.model.wording import shown


class Quote(StrictModel):
    """A member named by its document and a passage of it, so that gold survives another way of cutting chunks."""

    doc_id: Id
    quote: Text


def _kind(value: object) -> str:
    return "<quote>" if isinstance(value, dict | Quote) else "<id>"


def _group(value: object) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        example = f'[["{value}"]]' if isinstance(value, str | int) else '[["c08"]]'
        raise ValueError(f"found {shown(value)}, wanted a group, which is a list of members; write {example}")  # noqa: TRY004
    if not value:
        raise ValueError("found an empty group, which nothing could satisfy; wanted at least one member")
    return tuple(value)


def _distinct(members: tuple["Member", ...]) -> tuple["Member", ...]:
    seen: list[Member] = []
    for member in members:
        if member in seen:
            raise ValueError(f"{shown(member)} is in this group twice")
        seen.append(member)
    return members


Member = Annotated[
    Annotated[Id, Tag("<id>")] | Annotated[Quote, Tag("<quote>")],
    Discriminator(_kind),
]
Group = Annotated[tuple[Member, ...], BeforeValidator(_group), AfterValidator(_distinct)]
Groups = Annotated[tuple[Group, ...], BeforeValidator(listed)]


def chunk_ids(groups: Groups) -> Iterator[tuple[int, int, str]]:
    """Yield ``(group number, member number, chunk id)`` from 1 for every member that is a chunk id."""
    for group_no, group in enumerate(groups, start=1):
        for member_no, member in enumerate(group, start=1):
            if isinstance(member, str):
                yield group_no, member_no, member


def quotes(groups: Groups) -> Iterator[tuple[int, int, Quote]]:
    """Yield ``(group index, member index, quote)`` from 0, as a message names them, for each quote."""
    for group_no, group in enumerate(groups):
        for member_no, member in enumerate(group):
            if isinstance(member, Quote):
                yield group_no, member_no, member
