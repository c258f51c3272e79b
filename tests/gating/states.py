"""Cases of a run, each written as one word of a test, and comparisons of such runs."""

from otel_ragfault.jobs.comparing import CaseChange, CaseState, Comparison, PassTest, Side
from otel_ragfault.jobs.gating import RunCase, decide
from otel_ragfault.model import Config

BOUNDARY = {
    "source": "source set",
    "retrieval": "retrieval",
    "rerank": "retrieval",
    "assembly": "assembly",
    "decision": "decision",
    "generation": "generation",
    "grounding": "generation",
    "citation": "citation",
}
PASSING = ("pass", "citation", "grounding")


def state(label, *, passed=None, values=None, **fields):
    """A case with a label; it passed where the label says that the answer is right."""
    family = label.split(".", 1)[0]
    right = None if family == "unknown" else family in PASSING
    passed = right if passed is None else passed
    plain = {
        "outcome": {True: "correct", False: "wrong", None: "unjudged"}[passed],
        "latent": bool(passed) and family != "pass",
        "request_id": "00000000-0000-0000-0000-000000000001",
        "k": 2,
        "requests": 1,
        "retrieved": None,
        "grounded": None,
        "correct": passed,
        "cited": None,
        "boundary": BOUNDARY.get(family),
    }
    return CaseState(label=label, passed=passed, values=values or {}, **{**plain, **fields})


def side(cases, run="candidate", **settings):
    return Side(None, run, "pipeline", cases, cases, settings)


def changes(before, after, tags=None):
    """The cases c1, c2 … with these labels (or states) on both sides."""
    pairs = zip(before, after, strict=True)
    states = [tuple(state(one) if isinstance(one, str) else one for one in pair) for pair in pairs]
    return [
        CaseChange(
            f"c{number}", f"question {number}", old, new, _change(old, new), list((tags or {}).get(f"c{number}", []))
        )
        for number, (old, new) in enumerate(states, start=1)
    ]


def _change(old, new):
    if old.passed != new.passed:
        return "improved" if new.passed else "regressed"
    return "unchanged" if old.label == new.label else "moved"


def comparison(cases, changed_settings=None, warnings=(), **parts):
    plain = {
        "only_before": [],
        "only_after": [],
        "labels": [],
        "outcomes": [],
        "boundaries": [],
        "differences": [],
        "slices": [],
    }
    return Comparison(
        before=side(len(cases), "baseline"),
        after=side(len(cases)),
        changed_settings=changed_settings or {},
        warnings=list(warnings),
        cases=cases,
        pass_test=PassTest(0, 0, 0, 0, 1.0),
        hypotheses=[],
        seed=1,
        replicates=1000,
        confidence=0.95,
        **{**plain, **parts},
    )


def gate(before, after, rules=None, *, tags=None, config=None, **more):
    """Decide a gate over cases with these labels; ``before`` is ``None`` where there is no baseline."""
    cases = changes(after if before is None else before, after, tags)
    settings = Config.model_validate({"gate": rules or {}, **(config or {})})
    now = [RunCase(one.case_id, one.query, one.after, one.tags) for one in cases]
    return decide(settings, side(len(cases)), now, None if before is None else comparison(cases, **more))
