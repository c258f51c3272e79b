"""What a generation function may return, and what is recorded of it."""

import json
from types import SimpleNamespace as Thing

import pytest

from otel_ragfault import semconv
from otel_ragfault.capture import Answer, capture_failures, generation

TEXT, CITED, REASONS = (
    semconv.GEN_AI_OUTPUT_MESSAGES,
    semconv.RAGFAULT_CITATIONS,
    semconv.GEN_AI_RESPONSE_FINISH_REASONS,
)
MODEL, RESPONSE = semconv.GEN_AI_RESPONSE_MODEL, semconv.GEN_AI_RESPONSE_ID
IN, OUT = semconv.GEN_AI_USAGE_INPUT_TOKENS, semconv.GEN_AI_USAGE_OUTPUT_TOKENS
SAID = '[{"role":"assistant","parts":[{"type":"text","content":"8 hours"}]}]'
COMPLETION = {
    "id": "r",
    "model": "m-2",
    "choices": [{"message": {"content": "8 hours"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2},
}
COMPLETED = {TEXT: SAID, MODEL: "m-2", RESPONSE: "r", REASONS: ("stop",), IN: 9, OUT: 2}


def things(value):
    if isinstance(value, dict):
        return Thing(**{key: things(one) for key, one in value.items()})
    return [things(one) for one in value] if isinstance(value, list) else value


ANSWERS = {
    "text": ("8 hours", {TEXT: SAID}),
    "text and citations": (("8 hours", ["a", "b"]), {TEXT: SAID, CITED: '["a","b"]'}),
    "mapping": ({"answer": "8 hours", "citations": [{"id": "a"}]}, {TEXT: SAID, CITED: '["a"]'}),
    "object": (Thing(content="8 hours", cited_ids=("a",)), {TEXT: SAID, CITED: '["a"]'}),
    "nothing cited": (Thing(text="8 hours", citations=[]), {TEXT: SAID, CITED: "[]"}),
    "answer": (Answer(text="8 hours", decision="answer"), {TEXT: SAID, semconv.RAGFAULT_DECISION: "answer"}),
    "a refusal": ({"text": "8 hours", "decision": "Refuse"}, {TEXT: SAID, semconv.RAGFAULT_DECISION: "refuse"}),
    "openai": (things(COMPLETION), COMPLETED),
    "openai, dumped": (COMPLETION, COMPLETED),
    "openai, refused": (
        things({"choices": [{"message": {"content": None, "refusal": "8 hours"}, "finish_reason": "stop"}]}),
        {TEXT: SAID, REASONS: ("refusal",)},
    ),
    "a part that refuses": (
        {"content": [{"type": "refusal", "refusal": "8 hours"}], "finish_reason": "content_filter"},
        {TEXT: SAID, REASONS: ("content_filter",)},
    ),
    "openai responses": (
        things({"id": "r", "model": "m-2", "output_text": "8 hours", "usage": {"input_tokens": 9, "output_tokens": 2}}),
        {TEXT: SAID, MODEL: "m-2", RESPONSE: "r", IN: 9, OUT: 2},
    ),
    "anthropic": (
        things(
            {
                "id": "r",
                "model": "m-2",
                "content": [{"type": "text", "text": "8 hours"}],
                "stop_reason": "stop",
                "usage": {"input_tokens": 9, "output_tokens": 2},
            }
        ),
        COMPLETED,
    ),
    "langchain": (
        Thing(
            id="r",
            content="8 hours",
            usage_metadata={"input_tokens": 9, "output_tokens": 2},
            response_metadata={"model_name": "m-2", "finish_reason": "stop"},
        ),
        COMPLETED,
    ),
    "llamaindex": (Thing(message=Thing(content="8 hours")), {TEXT: SAID}),
    "nothing": (None, {}),
    "not an answer": (3, {}),
}


@pytest.mark.parametrize(("result", "attributes"), ANSWERS.values(), ids=ANSWERS.keys())
def test_answers_are_found_in_what_functions_return(recorded, no_failures, result, attributes):
    recorded.capture(content=True)

    assert generation(lambda: result)() is result

    found = dict(recorded.only().attributes)
    del found[semconv.RAGFAULT_STAGE], found[semconv.GEN_AI_OPERATION_NAME]
    assert found == attributes


PROMPTS = {
    "text": ("ask", [("user", "ask")]),
    "openai": (
        [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "ask"}]}],
        [("system", "s"), ("user", "ask")],
    ),
    "langchain": (
        [Thing(type="human", content="ask"), Thing(type="ai", content="so")],
        [("user", "ask"), ("assistant", "so")],
    ),
    "prompt value": (Thing(messages=[Thing(type="human", content="ask")]), [("user", "ask")]),
    "llamaindex": ([Thing(role=Thing(value="user"), content="ask")], [("user", "ask")]),
    "pairs": ([("system", "s"), ("human", "ask")], [("system", "s"), ("user", "ask")]),
    "conventional": ([{"role": "user", "parts": [{"type": "text", "content": "ask"}]}], [("user", "ask")]),
}


@pytest.mark.parametrize(("prompt", "messages"), PROMPTS.values(), ids=PROMPTS.keys())
def test_prompts_become_messages(recorded, no_failures, prompt, messages):
    recorded.capture(content=True)
    generation(lambda prompt: None)(prompt)

    found = recorded.json(semconv.GEN_AI_INPUT_MESSAGES)
    assert [(one["role"], one["parts"][0]["content"]) for one in found] == messages


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(decision="maybe"), "decision"),
        (Answer(citations=[None]), "citations"),
        (Answer(citations=7), "citations"),
    ],
    ids=["unknown decision", "citation without id", "citations of no kind"],
)
def test_what_cannot_be_written_is_counted(recorded, answer, kind):
    generation(lambda: answer)()

    assert capture_failures()[kind] == 1


def test_citations_are_strict_json_whatever_their_ids(recorded, no_failures):
    generation(lambda: Answer(citations=["\udc80", 7, ("a", 0.5)]))()

    assert json.loads(recorded.attribute(CITED)) == ["\\udc80", "7", "a"]
