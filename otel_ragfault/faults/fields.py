"""What may be missing from a record, so that a rule cannot be decided.

Each field is a name and a SQL boolean over the columns of ``queries/facts/fact.sql``: "is it this that is missing?".
The fields of a rule are asked in the order of its ``needs``; the last one is blamed when no other is.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Field:
    """A recordable thing: ``is_missing`` decides whether to blame it, ``meaning`` and ``fix`` tell a person."""

    is_missing: str
    meaning: str
    fix: str


FIELDS: Final[dict[str, Field]] = {
    "dropped_attributes": Field(
        "ranking_is_missing AND attributes_were_dropped",
        "The SDK discarded attributes of the span that held the ranking, so that what is left of it proves nothing.",
        "Raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT in the service, or record the ranking as one attribute.",
    ),
    "ids": Field(
        "ids_are_foreign",
        "The ids of the ranking are in no loaded snapshot: they are other ids than those of the index and of gold.",
        "Record the chunk ids of the index, as ragfault doctor says, or texts of hits, and load the corpus with texts.",
    ),
    "ranking": Field(
        "ranking_is_missing",
        "The ranking was not recorded, was cut by a limit on attribute length, or has hits without an id.",
        "Record the full ranking with ids (@retrieval), and lift OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT.",
    ),
    "corpus": Field(
        "TRUE",
        "The evidence is in no ranking and no corpus snapshot is loaded: it may be out of the index, or ranked low.",
        "Load what was indexed: ragfault corpus load.",
    ),
    "permissions": Field(
        "TRUE",
        "The evidence may be seen by some groups only, and it is not known to which groups the user belongs.",
        "Record the user's groups: @request(groups=…), or the attribute ragfault.user.groups.",
    ),
    "scores": Field(
        "TRUE",
        "The score of the evidence, its kind or the text behind a score of 0 is not known.",
        "Record scores and score_kind (@retrieval), and load the corpus with its texts.",
    ),
    "k": Field(
        "TRUE",
        "It is not known how many ranked chunks were passed on.",
        "Record k (@retrieval(k=…)), or give ragfault label --k.",
    ),
    "prompt_ids": Field(
        "TRUE",
        "It is not known which chunks reached the prompt.",
        "Record the chunk ids of the prompt (@assembly).",
    ),
    "answer": Field(
        "answer_is_missing",
        "No answer was recorded, so that nothing can be said about it.",
        "Turn content capture on, or record the decision.",
    ),
    "verdict": Field(
        "TRUE",
        "Nobody and nothing has judged the answer.",
        "Give the gold case an answer check (must_contain, equals, number, …), or add a verdict.",
    ),
    "claims": Field(
        "TRUE",
        "A judge was asked about the claims or the citations of the answer, and could not tell of all of them.",
        "Ask again (ragfault judge run --retry-failed), or have people judge them: ragfault verdict template.",
    ),
}
