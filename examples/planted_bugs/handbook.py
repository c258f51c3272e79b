"""The handbook of a museum that does not exist, and questions about it: a corpus and its gold, made by rule.

Twelve halls, each with the same six sections, so that every chunk has eleven neighbours that look like it. Half of the
questions need one section, a quarter need two, and a quarter have no answer in the handbook.
"""

HALLS = ("Ada", "Boole", "Curie", "Darwin", "Euler", "Faraday", "Gauss", "Hopper", "Ising", "Joule", "Kepler", "Lovell")
SECTIONS = ("hours", "winter", "price", "photos", "lift", "benches")
MISSING = ("lend wheelchairs", "offer guided tours", "have a cloakroom", "sell posters")


def chunks(without: str | None = None) -> list[dict]:
    """Return the chunks of the handbook; ``without`` names a section that is left out."""
    found = []
    for number, hall in enumerate(HALLS):
        minutes = f"{10 + 4 * number:02d}"
        texts = {
            "hours": f"The {hall} hall opens at 9:{minutes} and closes at 18:00.",
            "winter": f"In winter the {hall} hall opens at 11:{minutes} because of the snow, and closes at 16:00.",
            "price": f"Admission to the {hall} hall costs {number + 3} euros for adults.",
            "photos": f"Visitors may take photos in the {hall} hall {'with' if number % 2 else 'without'} a tripod.",
            "lift": f"The lift of the {hall} hall stops on floor {number % 3 + 1}.",
            "benches": f"There are {2 * number + 4} benches in the {hall} hall for tired legs.",
        }
        found += [
            {"chunk_id": f"{section}-{hall.lower()}", "doc_id": section, "text": texts[section]}
            for section in SECTIONS
            if section != without
        ]
    return found


def cases() -> list[dict]:
    """Return the gold: what a right answer of each question needs."""
    found = []
    for number, hall in enumerate(HALLS):
        name = hall.lower()
        opens, costs = f"9:{10 + 4 * number:02d}", f"{number + 3} euros"
        found += [
            _case(f"open-{name}", f"When does the {name} hall open?", [f"hours-{name}"], [opens], "one section"),
            _case(
                f"photo-{name}",
                f"May visitors take photos in the {name} hall?",
                [f"photos-{name}"],
                ["with a tripod" if number % 2 else "without a tripod"],
                "one section",
            ),
            _case(
                f"visit-{name}",
                f"When does the {name} hall open, and what does it cost?",
                [f"hours-{name}", f"price-{name}"],
                [opens, costs],
                "two sections",
            ),
            {
                "case_id": f"missing-{name}",
                "query": f"Does the {name} hall {MISSING[number % len(MISSING)]}?",
                "expect": "refuse",
                "tags": ["no answer"],
            },
        ]
    return found


def _case(case_id: str, query: str, evidence: list[str], says: list[str], tag: str) -> dict:
    return {
        "case_id": case_id,
        "query": query,
        "expect": "answer",
        "evidence": [[chunk_id] for chunk_id in evidence],
        "answer": {"must_contain": says},
        "tags": [tag],
    }
