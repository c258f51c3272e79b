"""The gold file: one case a line, what a person says about a question."""

import hashlib
from typing import Annotated, Any, Literal, Self

import orjson
from pydantic import BeforeValidator, Field, model_validator

from otel_ragfault.model.answer_check import AnswerCheck, check_object
from otel_ragfault.model.evidence import Groups
from otel_ragfault.model.fields import Id, StrictModel, Text, Texts, Time, listed, plain_object
from otel_ragfault.model.problems import at_field

Expect = Annotated[
    Literal["answer", "refuse", "clarify"], BeforeValidator(lambda value: "answer" if value is None else value)
]
_DIGEST = 16
_LATER_KEYS = ("acceptable_sources", "source")  # came after the first release: digests of cases without them stay


class Claim(StrictModel):
    """One statement that the answer should make, and the evidence it needs."""

    id: Id
    text: Text
    evidence: Groups = ()


class GoldCase(StrictModel):
    """A gold-labelled question. A key given as null counts as not given.

    ``gold_chunk_ids`` is another spelling of ``evidence``. ``expect`` is ``answer`` unless it says otherwise; then
    evidence is required. ``acceptable_sources`` are the documents that may support an answer (none given: any),
    ``source`` is where the labels come from. ``meta`` is free; every other unknown key is a fault.
    """

    case_id: Id
    query: Text
    expect: Expect = "answer"
    evidence: Groups = ()
    answer: Annotated[AnswerCheck, BeforeValidator(check_object)] = AnswerCheck()
    claims: Annotated[tuple[Claim, ...], BeforeValidator(listed)] = ()
    relevance: Annotated[dict[Id, Annotated[int, Field(ge=0)]], BeforeValidator(plain_object)] = Field(
        default_factory=dict
    )
    as_of: Time = None
    tags: Texts = ()
    acceptable_sources: Annotated[tuple[Id, ...], BeforeValidator(listed)] = ()
    labelled_by: Text | None = None
    labelled_at: Time = None
    source: Text | None = None
    meta: Annotated[dict[str, Any], BeforeValidator(plain_object)] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _other_spelling(cls, value: Any) -> Any:
        """Read ``gold_chunk_ids`` as ``evidence``; both at once stay, and are a fault."""
        if not isinstance(value, dict) or "gold_chunk_ids" not in value:
            return value
        if value["gold_chunk_ids"] is not None and value.get("evidence") is not None:
            return value
        renamed = {key: item for key, item in value.items() if key != "gold_chunk_ids"}
        if value["gold_chunk_ids"] is not None:
            renamed["evidence"] = value["gold_chunk_ids"]
        return renamed

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.expect == "answer" and not self.evidence:
            raise at_field("evidence", "is missing or empty, but the case expects an answer; name what it needs")
        if self.expect == "refuse" and self.evidence:
            raise at_field("evidence", "a case that expects a refusal cannot require evidence")
        if self.expect == "refuse" and self.claims:
            raise at_field("claims", "a case that expects a refusal cannot expect claims")
        ids = [claim.id for claim in self.claims]
        for number, claim_id in enumerate(ids):
            if claim_id in ids[:number]:
                raise at_field(
                    f"claims[{number}].id", f"{claim_id!r} is already the id of claims[{ids.index(claim_id)}]"
                )
        return self

    @property
    def version(self) -> str:
        """A digest of everything the case says; the spelling and the order of keys do not count."""
        said = self.model_dump(mode="json")
        for key in _LATER_KEYS:
            if not said[key]:
                del said[key]
        return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).hexdigest()[:_DIGEST]

    @property
    def line(self) -> str:
        """The case as a line of a gold file, without what is not given."""
        return orjson.dumps({"case_id": self.case_id, **self.model_dump(mode="json", exclude_defaults=True)}).decode()


def gold_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a gold file."""
    schema = GoldCase.model_json_schema()
    schema["properties"]["gold_chunk_ids"] = {
        **schema["properties"]["evidence"],
        "title": "Gold Chunk Ids",
        "description": "another spelling of evidence; not both",
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
