"""What users name on the command line: generators and tokenizers."""

from pathlib import Path

ASKED = "RAGFAULT_TEST_ASKED"


def echo(question, chunks):
    """Answer with the ids; a file beside this one's folder is told of every call."""
    import os

    if ASKED in os.environ:
        with Path(os.environ[ASKED]).open("a", encoding="utf-8") as told:
            told.write(" ".join(chunk.id for chunk in chunks) + "\n")
    return "yes: " + ", ".join(chunk.text for chunk in chunks)


def traced(question, chunks):
    """Answer as a pipeline with tracing of its own does; say whether its span would have been recorded."""
    from opentelemetry.sdk.trace import TracerProvider

    with TracerProvider().get_tracer("users").start_as_current_span("generate") as span:
        return f"yes: recorded {span.is_recording()}"


def marked(question, chunks):
    return "Say yes [1]."


def raising(question, chunks):
    raise RuntimeError("no model today")


def letters(text):
    return len(text)


def pieces(text):
    return text.split("e")


def nonsense(text):
    return "many"


def broken(text):
    raise ValueError("not that one")
