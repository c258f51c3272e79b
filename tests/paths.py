"""Where things are."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
TRAVEL_POLICY = REPOSITORY / "examples" / "travel_policy"
RECORDINGS = REPOSITORY / "tests" / "landing" / "recordings"
