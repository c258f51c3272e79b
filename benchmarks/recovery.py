"""Matching retrieved chunks against a prompt: 50 chunks, a prompt of 8 KB; milliseconds a request, by what happened.

Machines are shared: each request is matched many times, and the fastest counts.

``python benchmarks/recovery.py --requests 400``
"""

import argparse
import random
import statistics
import time

from otel_ragfault.recovery import map_citations, match_prompt

CHUNKS = 50
PROMPT_SIZE = 8_000
VOCABULARY = 4_000
REPEATS = 20
HEAD = "You are a helpful assistant. Answer from the sources only and cite each as [n].\n\nSources:\n"


def texts(rng, words, size):
    def one():
        return " ".join(rng.choices(words, k=rng.randint(size // 12, size // 7))).capitalize() + "."

    return [(f"doc-{number:03d}#0", one()) for number in range(CHUNKS)]


def unchanged(_rng, text):
    return text


def indented(_rng, text):
    words = text.split(" ")
    return "\n    ".join(" ".join(words[start : start + 12]) for start in range(0, len(words), 12))


def last_cut(rng, text):
    return text[: int(len(text) * rng.uniform(0.3, 0.8))] + "..."


def reworded(rng, text):
    words = text.split(" ")
    for place in range(0, len(words), 15):
        words[place] = rng.choice(("such", "a", "word"))
    return " ".join(words)


FORMS = {"exact": unchanged, "re-indented": indented, "one cut": last_cut, "one reworded": reworded}


def request(rng, words, size, form):
    chunks = texts(rng, words, size)
    chosen = []
    length = len(HEAD)
    for name, text in rng.sample(chunks, CHUNKS):
        if length + len(text) > PROMPT_SIZE:
            break
        chosen.append((name, text))
        length += len(text) + 6
    changed = {len(chosen) - 1} if form.startswith("one") else set(range(len(chosen)))
    shown = [FORMS[form](rng, text) if place in changed else text for place, (_, text) in enumerate(chosen)]
    prompt = (
        HEAD + "\n".join(f"[{number}] {text}" for number, text in enumerate(shown, start=1)) + "\n\nQuestion: what?"
    )
    return chunks, prompt, [name for name, _ in chosen]


def timed(work, *arguments):
    started = time.perf_counter()
    work(*arguments)
    return (time.perf_counter() - started) * 1e3


def join_words(chunks, prompt):
    """What it takes to bring all texts to single spaces, and nothing else: the measure of the machine."""
    return [" ".join(text.split()) for text in (prompt, *(text for _, text in chunks))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    arguments = parser.parse_args()
    rng = random.Random(1)
    words = sorted({"".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(VOCABULARY)})
    print(f"{CHUNKS} chunks, prompt of {PROMPT_SIZE} characters, {arguments.requests} requests; milliseconds a request")
    everything = []
    for size in (400, 800, 1600):
        for form in FORMS:
            took, right, yardstick = [], 0, []
            for _ in range(arguments.requests):
                chunks, prompt, chosen = request(rng, words, size, form)
                took.append(min(timed(match_prompt, chunks, prompt) for _ in range(REPEATS)))
                yardstick.append(min(timed(join_words, chunks, prompt) for _ in range(REPEATS)))
                found = match_prompt(chunks, prompt)
                right += [match.id for match in found] == chosen
            everything += took
            cuts = statistics.quantiles(took, n=20)
            print(
                f"chunks of {size:5d}, {form:12s} mean {statistics.mean(took):6.3f}  median {cuts[9]:6.3f}"
                f"  95% {cuts[18]:6.3f}  right {right}/{len(took)}"
                f"  (joining the words of all texts: {statistics.mean(yardstick):.3f})"
            )
    print(f"mean over all {statistics.mean(everything):.3f}")
    order = [f"doc-{number:03d}#0" for number in range(10)]
    answer = "It opens at nine [1]. On Saturdays at eleven [2, 3], see (source: doc-004#0) and 【5†source】. " * 5
    started = time.perf_counter()
    for _ in range(arguments.requests):
        map_citations(answer, order)
    each = (time.perf_counter() - started) * 1e3 / arguments.requests
    print(f"citations of an answer of {len(answer)} characters: {each:.3f}")


if __name__ == "__main__":
    main()
