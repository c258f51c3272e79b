"""The rules behind readings: from the results of probes to the evidence for a reading, or ``None``."""

from collections.abc import Iterator
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.faults import is_pass
from otel_ragfault.jobs.probing.tally import Probed, Tally, listed

_REORDERED: Final = ("gold_first", "gold_last", "gold_middle")
_UNSUPPORTED: Final = ("closed_book", "no_support", "drop_required")
_LOST_BEFORE: Final = ("source.", "retrieval.", "rerank.", "assembly.")


def not_reproduced(probed: Probed) -> str | None:
    """The recorded prompt passes in every run, although the recorded answer did not."""
    original = probed.one("original")
    if original is None or not original.majority or original.spreads or is_pass(probed.label):
        return None
    return f"{listed([original])}, and the recorded answer was labelled {probed.label}"


def unstable(probed: Probed) -> str | None:
    """Runs of the same prompt end differently."""
    return _evidence(one for one in probed.of("original", "gold_only", *_REORDERED) if one.spreads)


def model_or_prompt(probed: Probed) -> str | None:
    """Original fails, and so do the required passages alone."""
    if probed.lacks_evidence or probed.majority("original") is not False:
        return None
    if probed.shows_gold_alone and not _was_lost(probed):
        return f"{listed(probed.of('original'))}, and its prompt holds the required passages alone"
    return listed(probed.of("gold_only", "original")) if probed.majority("gold_only") is False else None


def _is_competing(probed: Probed) -> bool:
    """Whether evidence that is enough by itself is not enough among what else was shown."""
    return probed.majority("original") is False and probed.majority("gold_only") is True and not _was_lost(probed)


def _was_lost(probed: Probed) -> bool:
    """Whether the evidence did not reach the prompt, by the label or by what the original shows."""
    original = probed.one("original")
    is_absent = original is not None and probed.required_ids.isdisjoint(original.chunk_ids)
    return probed.label.startswith(_LOST_BEFORE) or is_absent


def order_sensitive(probed: Probed) -> str | None:
    """Original fails, the required passages alone pass, and so does another order of the same chunks."""
    better = [one for one in probed.of(*_REORDERED) if one.majority]
    if not _is_competing(probed) or not better:
        return None
    return listed([*probed.of("original", "gold_only"), *better])


def distractor_sensitive(probed: Probed) -> str | None:
    """Original fails, the required passages alone pass, and no other order of the same chunks does."""
    told = [one for one in probed.of(*_REORDERED) if one.majority is not None]
    if not _is_competing(probed) or not told or any(one.majority for one in told):
        return None
    return listed([*probed.of("original", "gold_only"), *told])


def order_or_distractors(probed: Probed) -> str | None:
    """Original fails, the required passages alone pass, and no other order could be judged."""
    told = [one for one in probed.of(*_REORDERED) if one.majority is not None]
    return listed(probed.of("original", "gold_only")) if _is_competing(probed) and not told else None


def evidence_recovers(probed: Probed) -> str | None:
    """The evidence was lost before the generator, which passes when it is given to it."""
    if not _was_lost(probed) or not probed.majority("gold_only") or probed.majority("original"):
        return None
    return f"{listed(probed.of('original', 'gold_only'))}; the label is {probed.label}"


def order_fragile(probed: Probed) -> str | None:
    """Original passes, and another order of the same chunks fails."""
    if not probed.majority("original"):
        return None
    return _evidence(one for one in probed.of(*_REORDERED) if one.majority is False)


def distractor_limit(probed: Probed) -> str | None:
    """Original passes, and fails with more chunks beside the evidence."""
    steps = list(probed.of("distractors"))
    if not probed.majority("original") or not any(one.majority is False for one in steps):
        return None
    return listed(steps)


def parametric(probed: Probed) -> str | None:
    """A right answer although what it needs was left out."""
    if probed.expect != "answer" or probed.lacks_evidence:
        return None
    return _evidence(one for one in probed.of(*_UNSUPPORTED) if one.majority)


def _without_support(probed: Probed) -> list[Tally]:
    return [one for one in probed.without_support if one.answers + one.refusals]


def unjustified(probed: Probed) -> str | None:
    """An answer where nothing supports one."""
    return ", ".join(_answered(one) for one in _without_support(probed) if one.answers) or None


def declines(probed: Probed) -> str | None:
    """Nothing but refusals where nothing supports an answer."""
    tallies = _without_support(probed)
    if not tallies or any(one.answers for one in tallies):
        return None
    return ", ".join(_answered(one) for one in tallies)


def _answered(one: Tally) -> str:
    told = one.answers + one.refusals
    return f"{one.name} is answered in {one.answers} of {counted(told, 'run')}"


def planted_repeated(probed: Probed) -> str | None:
    """Most answers give the planted value, and not the one in whose place it stands."""
    held = [
        one
        for one in probed.of("shift_number", "shift_date", "contradiction")
        if 2 * (one.with_planted - one.with_both) > one.runs - one.failures
    ]
    return ", ".join(f"{one.name} is answered with {one.planted} instead of {one.replaced}" for one in held) or None


def old_value_kept(probed: Probed) -> str | None:
    """Most answers give the value that was there before, and not the one that the passage says now."""
    held = [
        one
        for one in probed.of("shift_number", "shift_date")
        if 2 * (one.with_replaced - one.with_both) > one.runs - one.failures
    ]
    return (
        ", ".join(f"{one.name} is answered with {one.replaced}, the passage said {one.planted}" for one in held) or None
    )


def conflict_told(probed: Probed) -> str | None:
    """Most answers to a contradiction give both values."""
    one = probed.one("contradiction")
    if one is None or 2 * one.with_both <= one.runs - one.failures:
        return None
    return f"{one.name} is answered with {one.replaced} and {one.planted}"


def conflict_passed_over(probed: Probed) -> str | None:
    """Most answers to a contradiction give the value of the required passage alone."""
    one = probed.one("contradiction")
    if one is None or 2 * (one.with_replaced - one.with_both) <= one.runs - one.failures:
        return None
    return f"{one.name} is answered with {one.replaced}, and {one.planted} is not told"


def no_answers(probed: Probed) -> str | None:
    """Runs that gave no answer."""
    failed = [one for one in probed.tallies if one.failures]
    return "; ".join(f"{one.name}: {one.failures} of {one.runs} gave no answer ({one.error})" for one in failed) or None


def not_judged(probed: Probed) -> str | None:
    """Answers of which it is not known whether they are right."""
    return ", ".join(one.name for one in probed.tallies if one.unjudged) or None


def _evidence(tallies: Iterator[Tally]) -> str | None:
    return listed(tallies) or None
