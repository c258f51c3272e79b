"""What gold requires: a list of groups, every group required, any member of a group satisfies it."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Discriminator, Tag

from otel_ragfault.model.fields import Id, StrictModel, Text, as_id, listed
from otel_ragfault.model.wording import shown


def _optional_id(value: object) -> str | None:
    return None if value is None else as_id(value)


def _says_something(quote: str) -> str:
    if not any(character.isalnum() for character in quote):
        raise ValueError(f"found {shown(quote)}, wanted a passage with a word or a number in it")
    return quote


class Quote(StrictModel):
    """A member named by a passage, so that gold survives another way of cutting chunks.

    ``doc_id`` says which document it is from; without it the passage has to stand in one document only.
    """

    doc_id: Annotated[Id | None, BeforeValidator(_optional_id)] = None
    quote: Annotated[Text, AfterValidator(_says_something)]


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


def members(groups: Groups) -> Iterator[tuple[int, int, str | Quote]]:
    """Yield ``(group number, member number, member)``, from 1."""
    for group_no, group in enumerate(groups, start=1):
        for member_no, member in enumerate(group, start=1):
            yield group_no, member_no, member
