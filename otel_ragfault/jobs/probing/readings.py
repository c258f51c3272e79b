"""What probes mean: each reading is a rule over their results, with its evidence and the experiment that is next.

A reading that refines a label says which of several faults it is; at most one of them holds of a request. The others
stand beside the label. To add one, write a rule and add a line to the registry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from otel_ragfault.jobs.probing import rules
from otel_ragfault.jobs.probing.tally import Probed

Rule = Callable[[Probed], str | None]
"""From the results of a request to the evidence for a reading; ``None`` where it does not hold."""

REFINED: Final = frozenset({"generation.wrong_answer", "decision.refused_answerable"})
"""Labels that probes make finer."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading: its key, whether it refines the label, what it means, what is next, and when it holds.

    One without a rule is told by the probe that finds it.
    """

    key: str
    refines: bool
    meaning: str
    next_experiment: str
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """A reading that holds, with its evidence."""

    reading: Reading
    evidence: str


def read_probes(probed: Probed) -> list[Read]:
    """Return the readings that hold of a request, in their order; of those that refine its label, the first."""
    found: list[Read] = []
    refined = False
    for reading in READINGS:
        if reading.rule is None or (reading.refines and refined):
            continue
        evidence = reading.rule(probed)
        if evidence is not None:
            found.append(Read(reading, evidence))
            refined = refined or reading.refines
    return found


READINGS: Final = (
    Reading(
        "unstable",
        refines=True,
        meaning="The same prompt is answered rightly in some runs and wrongly in others.",
        next_experiment=(
            "More repeats (--repeats 10), then a lower temperature or a pinned model; nothing else before this is"
            " settled."
        ),
        rule=rules.unstable,
    ),
    Reading(
        "not_reproduced",
        refines=True,
        meaning=(
            "The recorded failure does not come back: the generator that was probed answers the recorded prompt "
            "rightly."
        ),
        next_experiment=(
            "Check that model, prompt version and settings are those of the trace; then repeats, for an answer "
            "that varies."
        ),
        rule=rules.not_reproduced,
    ),
    Reading(
        "model_or_prompt",
        refines=True,
        meaning=(
            "The generator fails with the required passages alone: it is the model or the prompt itself, or gold "
            "asks for more than the passages say."
        ),
        next_experiment=(
            "Read the passages against what gold expects; then another model or another instruction, one of the two."
        ),
        rule=rules.model_or_prompt,
    ),
    Reading(
        "order_sensitive",
        refines=True,
        meaning="The generator can use the evidence and prefers what stands elsewhere in the prompt.",
        next_experiment=(
            "One at a time: reranking that puts the evidence where it is read, an instruction about exceptions, "
            "another model."
        ),
        rule=rules.order_sensitive,
    ),
    Reading(
        "distractor_sensitive",
        refines=True,
        meaning=(
            "The generator can use the evidence alone, and not beside the other chunks, in whatever order: they "
            "compete with it."
        ),
        next_experiment=(
            "Fewer or better filtered chunks (a smaller k, a relevance floor); then an instruction about "
            "conflicting passages."
        ),
        rule=rules.distractor_sensitive,
    ),
    Reading(
        "order_or_distractors",
        refines=True,
        meaning=(
            "The generator can use the evidence alone and not within the prompt; whether order or competing text "
            "decides was not tried, or could not be."
        ),
        next_experiment="Run gold_first, gold_last and gold_middle.",
        rule=rules.order_or_distractors,
    ),
    Reading(
        "evidence_recovers",
        refines=False,
        meaning=(
            "Given the required passages, the generator answers rightly: the fault lies before it, where the "
            "label says."
        ),
        next_experiment="The experiment of the label; the generator can stay as it is.",
        rule=rules.evidence_recovers,
    ),
    Reading(
        "order_fragile",
        refines=False,
        meaning="The answer is right, and becomes wrong when the same chunks stand in another order.",
        next_experiment=(
            "Reranking that keeps the evidence in place; look at this case again whenever the ranking changes."
        ),
        rule=rules.order_fragile,
    ),
    Reading(
        "distractor_limit",
        refines=False,
        meaning="The answer is right, and becomes wrong when more chunks stand beside the evidence.",
        next_experiment="Keep k below this, or filter by relevance; a larger k is no free gain here.",
        rule=rules.distractor_limit,
    ),
    Reading(
        "parametric",
        refines=False,
        meaning=(
            "The answer is right without the evidence: it comes from the model's memory, or from evidence that "
            "gold does not name."
        ),
        next_experiment=(
            "Look whether another chunk says it, and add it to gold; if none does, an instruction to answer from "
            "the context only."
        ),
        rule=rules.parametric,
    ),
    Reading(
        "unjustified_answer",
        refines=False,
        meaning="Where nothing supports an answer, the generator answers all the same.",
        next_experiment=(
            "An instruction to decline, or a relevance floor below which nothing is shown; then this probe again."
        ),
        rule=rules.unjustified,
    ),
    Reading(
        "declines_without_support",
        refines=False,
        meaning="Where nothing supports an answer, the generator declines.",
        next_experiment="None needed; hold it beside refusals on answerable cases, which are the price.",
        rule=rules.declines,
    ),
    Reading(
        "planted_repeated",
        refines=False,
        meaning=(
            "A value that was planted is answered as if it were true: errors of the source, or of a passage "
            "beside it, reach the user."
        ),
        next_experiment=(
            "Checks at the source (owner, version, validity); for contradictions, a rule which passage counts, in"
            " the prompt."
        ),
        rule=rules.planted_repeated,
    ),
    Reading(
        "old_value_kept",
        refines=False,
        meaning="The passage was changed and the answer was not: it does not follow the passage.",
        next_experiment=(
            "closed_book, to see what the model says by itself; then an instruction to answer from the context only."
        ),
        rule=rules.old_value_kept,
    ),
    Reading(
        "conflict_told",
        refines=False,
        meaning="Two passages disagree, and the answer tells both values.",
        next_experiment="None needed; check that users are told which source counts.",
        rule=rules.conflict_told,
    ),
    Reading(
        "conflict_passed_over",
        refines=False,
        meaning="Two passages disagree, and the answer takes one side without a word.",
        next_experiment="An instruction to name conflicts, or a declared rule which source counts.",
        rule=rules.conflict_passed_over,
    ),
    Reading(
        "no_answer",
        refines=False,
        meaning="Some runs of the generator gave no answer; what they would have said is not known.",
        next_experiment=(
            "Mend the generator or give it more time (--timeout); the next call runs these probes again, and no other."
        ),
        rule=rules.no_answers,
    ),
    Reading(
        "not_judged",
        refines=False,
        meaning="Some answers could not be judged: gold says nothing that a rule can check.",
        next_experiment="Give the case a check of the answer (must_contain, number, …).",
        rule=rules.not_judged,
    ),
)
"""Every reading, in the order in which they are told; of those that refine a label the first that holds counts."""
