"""English function words: words that a question and a chunk may share without sharing a subject."""

from typing import Final

STOPWORDS: Final = tuple(
    sorted(
        set(
            """
            a about after all also am an and any are as at be because been before being between both but by can cannot
            could d did do does doing don down during each either few for from further had has have having he her here
            hers him his how i if in into is isn it its just ll m may me might more most must my no nor not now of off
            on once one only or other our ours out over own per please re s same shall she should so some such t than
            that the their theirs them then there these they this those through to too under until up us ve very was we
            were what when where whether which while who whom whose why will with within without would you your yours
            """.split()  # noqa: SIM905 - a list that long is read as prose
        )
    )
)
"""In lower case, as ``words_of`` cuts them: an apostrophe ends a word, so ``don't`` is ``don`` and ``t``."""
