"""A card as text, in the order in which a person reads a trace: query, ranking, prompt, answer, label, advice."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from otel_ragfault.report.card import Card, Evidence
from otel_ragfault.report.card_probes import probe_texts
from otel_ragfault.report.card_verdicts import verdicts_text
from otel_ragfault.report.visible import visible

_MARGIN = 12
_LONGEST_TEXT = 600
_BEYOND_K = 3
"""Hits that are shown beyond k and beyond the last required one."""


def card_text(card: Card, *, width: int = 100) -> str:
    """Return the card as lines of at most ``width`` columns; control characters are made visible."""
    lines = [visible(_title(card))]
    for name, value in _rows(card):
        first = f"  {name:<{_MARGIN - 3}}: "
        text = visible(value)
        rest = " " * len(first)
        lines.extend(
            textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [first]
        )
    return "\n".join(lines)


def _title(card: Card) -> str:
    parts = [card["case_id"] or "(no case)"]
    if card["run_id"] is not None:
        parts.append(f"run {card['run_id']}")
    if card["started_at"] is not None:
        parts.append(f"{card['started_at']:%Y-%m-%d %H:%M:%S}Z")
    return "  ".join([*parts, f"trace {card['trace_id']}"])


def _rows(card: Card) -> Iterator[tuple[str, str]]:
    gold = {evidence.chunk_id for evidence in card.evidence if evidence.chunk_id is not None}
    yield "query", _text(card["query"])
    if card["candidate_ids"] is not None:
        yield "candidates", _ranking(card["candidate_ids"], card["candidate_scores"], card["k"], gold)
    yield "ranked", _ranking(card["ranked_ids"], card["ranked_scores"], card["k"], gold)
    yield "gold", _gold(card)
    yield "in prompt", _prompt(card)
    yield "answer", _answer(card)
    if card["error_stage"] is not None:
        yield "error", f"{card['error_stage']}: {_text(card['error_message'])}"
    if (verdicts := verdicts_text(card.verdicts)) is not None:
        yield "verdicts", verdicts
    if card["label"] is None:
        yield "label", "none yet; load gold for it and run: ragfault label"
        return
    yield from _label_rows(card)


def _label_rows(card: Card) -> Iterator[tuple[str, str]]:
    boundary = "" if card["boundary"] is None else f"  (boundary: {card['boundary']})"
    yield "label", f"{card['label']}{boundary}"
    latent = ", a latent fault: right in spite of it" if card["latent"] else ""
    yield "outcome", f"{card['outcome']}{latent};  {_propositions(card)}"
    yield "why", f"{card['meaning']} {_reason(card)}".strip()
    yield "check", card["check_with"]
    yield "try first", card["try_first"]
    yield "wasted", card["wasted"]
    if card["next_experiment"] is not None:
        yield "next experiment", card["next_experiment"]
    for text in probe_texts(card.probes):
        yield "probes", text
    if card["failure_point"] is not None:
        yield "see also", f"{card['failure_point']} (Barnett et al., arXiv 2401.05856)"


def _ranking(
    ids: Sequence[str | None] | None, scores: Sequence[float | None] | None, k: int | None, gold: set[str]
) -> str:
    if ids is None:
        return "(not recorded)"
    if not ids:
        return "(nothing was found)"
    last_gold = max((place for place, chunk_id in enumerate(ids, 1) if chunk_id in gold), default=0)
    shown = min(len(ids), max(k or 0, last_gold) + _BEYOND_K)
    hits = []
    for place, chunk_id in enumerate(ids[:shown], 1):
        score = scores[place - 1] if scores is not None and place <= len(scores) else None
        name = "(no id)" if chunk_id is None else chunk_id
        hits.append(f"{name}{'*' if chunk_id in gold else ''}" + ("" if score is None else f"({score:.4g})"))
        if place == k:
            hits.append(f"| k={k} |")
    rest = len(ids) - shown
    return " ".join(hits) + (f" … {rest} more" if rest else "")


def _gold(card: Card) -> str:
    if card["expect"] is None:
        return "(no gold for this request)"
    if not card.evidence:
        return f"(none: gold expects the answer to {card['expect']})" if card["expect"] != "answer" else "(none)"
    groups: dict[int, list[str]] = {}
    for evidence in card.evidence:
        groups.setdefault(evidence.group_no, []).append(_place(evidence, card))
    split = "  (chunking: evidence split)" if any(evidence.split for evidence in card.evidence) else ""
    return "  and  ".join(" or ".join(members) for members in groups.values()) + split


def _name(evidence: Evidence) -> str:
    return f'"{_text(evidence.quote)}"' if evidence.chunk_id is None else evidence.chunk_id


def _place(evidence: Evidence, card: Card) -> str:
    if evidence.chunk_id is None:
        return f"{_name(evidence)} ({'in no chunk' if evidence.indexed is False else 'not looked for'})"
    if evidence.rank is not None:
        return f"{evidence.chunk_id}@{evidence.rank}"
    if evidence.indexed is False:
        return f"{evidence.chunk_id} (not indexed)"
    return f"{evidence.chunk_id} ({'not ranked' if card['ranked_ids'] is not None else 'rank not known'})"


def _prompt(card: Card) -> str:
    if card["prompt_ids"] is None:
        return "(not recorded)"
    parts = [" ".join("(no id)" if chunk_id is None else chunk_id for chunk_id in card["prompt_ids"]) or "(nothing)"]
    if card["budget"] is not None:
        parts.append(f"budget {card['budget']} {card['budget_unit'] or ''}".strip())
    if card["dropped"]:
        parts.append("left out: " + ", ".join(f"{chunk['id']} ({chunk['reason']})" for chunk in card["dropped"]))
    return ";  ".join(parts)


def _answer(card: Card) -> str:
    cited = card["cited_ids"]
    if cited is None:
        return _text(card["answer"])
    parts = [f"cites {' '.join(map(str, cited)) or 'nothing'}"]
    if unshown := (card["detail"] or {}).get("cited_unshown"):
        parts.append(f"{_listed(unshown)} {'was' if len(unshown) == 1 else 'were'} never shown")
    if card["unmapped_citations"]:
        parts.append(f"{_listed(card['unmapped_citations'])} leads to no chunk of the prompt")
    return f"{_text(card['answer'])}  {'; '.join(parts)}"


def _propositions(card: Card) -> str:
    says = {True: "yes", False: "no", None: "not known"}
    names = ("retrieved", "grounded", "correct", "cited") if card.evidence else ("grounded", "correct")
    return ", ".join(f"{name} {says[card[name]]}" for name in names)


def _reason(card: Card) -> str:
    """Return what was seen of the groups that failed, of superseded versions, and of claims."""
    detail: dict[str, Any] = card["detail"]
    if detail["missing"] is not None:
        return f"The walk stopped at {detail['stopped_at']}."
    return " ".join([*_groups(card), *_others(detail)])


def _others(detail: dict[str, Any]) -> Iterator[str]:
    if superseded := detail.get("superseded"):
        verb = "was" if len(superseded) == 1 else "were"
        yield f"The answer says what {_listed(superseded)} says, which {verb} not valid at the time of the question."
    if claims := detail.get("claims"):
        yield f"It is about {'claim' if len(claims) == 1 else 'claims'} {_listed(claims)} of the answer."


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _groups(card: Card) -> Iterator[str]:
    detail: dict[str, Any] = card["detail"]
    members: dict[int, list[str]] = {}
    for evidence in card.evidence:
        members.setdefault(evidence.group_no, []).append(_name(evidence))
    for group in detail["failing"]:
        yield _seen(" or ".join(members.get(group["group"], ["?"])), group, card, detail["depth"])


def _seen(name: str, group: dict[str, Any], card: Card, depth: int | None) -> str:
    parts = []
    if group["rank"] is None:
        parts.append("rank not known" if depth is None else f"not among the {depth} ranked")
    else:
        parts.append(f"at rank {group['rank']} of {len(card['ranked_ids'])}")
    if group["candidate_rank"] is not None:
        parts.append(f"at rank {group['candidate_rank']} before reranking")
    if group["score"] is not None:
        parts.append(f"score {group['score']:.4g}")
    if card["k"] is not None:
        parts.append(f"k is {card['k']}")
    if group.get("share") is not None:
        parts.append(f"{_percent(group['share'])} of it in the prompt")
    if group["reason"] is not None:
        parts.append(f"left out for {group['reason']}")
    return f"{name}: {', '.join(parts)}."


def _percent(share: float) -> str:
    """Return a share as a whole number of per cent, of which neither 0 nor 100 hides that it is a part."""
    whole = round(100 * share)
    return "less than 1%" if share > 0 and whole < 1 else "over 99%" if share < 1 and whole > 99 else f"{whole}%"  # noqa: PLR2004


def _text(text: str | None) -> str:
    if text is None:
        return "(not recorded)"
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}… ({len(text)} characters)"
