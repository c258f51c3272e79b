"""What the three pipelines share: the travel policy, word vectors, and a model that is none.

The model copies the best sentence of the first chunk of its prompt that shares two content words with the question,
and declines when there is none. That habit makes the same failures come out every time; it says nothing about any
real model. Nothing here knows a label.
"""

import json
import math
import re
from pathlib import Path
from zlib import crc32

TRAVEL_POLICY = Path(__file__).resolve().parents[1] / "travel_policy"
REFUSAL = "The travel policy does not say."
INSTRUCTIONS = "Answer from the travel policy only, and cite as [n]; or say that it does not say."
MODEL = "anchored-stub"
_DIMENSIONS = 1024
_ENOUGH_WORDS = 2
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are at be by can do does for get how i if in is it my no not of on once one or so than that the "
        "their to up was what when which who with your",
    )
)


def read_jsonl(name: str) -> list[dict]:
    """Return the objects of a file of the travel policy, one a line."""
    return [json.loads(line) for line in (TRAVEL_POLICY / name).read_text(encoding="utf-8").splitlines()]


def content_words(text: str) -> list[str]:
    """Return the words of a text that carry meaning, lower case."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in _FUNCTION_WORDS]


def embed(text: str) -> list[float]:
    """Return a vector of length 1 with a place for each word: two texts are as similar as the words they share."""
    vector = [0.0] * _DIMENSIONS
    for word in content_words(text):
        vector[crc32(word.encode()) % _DIMENSIONS] += 1.0
    length = math.hypot(*vector) or 1.0
    return [value / length for value in vector]


def complete(prompt: str) -> str:
    """Answer a prompt whose blocks are separated by empty lines: instructions, a block a chunk, the question."""
    _, *chunks, question = re.split(r"\n\s*\n", prompt.strip())
    asked = set(content_words(question.removeprefix("Question:")))
    for chunk in chunks:
        label, text = re.fullmatch(r"(\[\d+\])?\s*(.*)", chunk, re.DOTALL).groups()
        if len(asked & set(content_words(text))) >= _ENOUGH_WORDS:
            sentences = re.split(r"(?<=\.)\s", text)
            best = max(sentences, key=lambda sentence: len(asked & set(content_words(sentence))))
            return f"{best} {label}" if label else best
    return REFUSAL
