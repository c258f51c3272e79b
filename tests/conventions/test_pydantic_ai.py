import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions.pydantic_ai import claims, read


def said(role, *parts):
    return {
        "role": role,
        "parts": [{"type": "text", "content": part} if isinstance(part, str) else part for part in parts],
    }


CALL = {"type": "tool_call", "id": "1", "name": "search", "arguments": {"query": "q"}}
RESULT = {"type": "tool_call_response", "id": "1", "name": "search", "result": [{"id": "a", "text": "A"}]}


def agent(messages, **rest):
    attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "pydantic_ai.all_messages": messages if isinstance(messages, str) else text(messages),
        "final_result": "a",
        **rest,
    }
    return span("pydantic-ai", attributes)


def test_its_spans_are_told_by_their_scope():
    assert claims(span("pydantic-ai"))
    assert not claims(span("other", {"final_result": "a"}))


@pytest.mark.parametrize(
    ("messages", "extra", "query"),
    [
        ([said("user", "q"), said("assistant", CALL), said("user", RESULT), said("assistant", "a")], {}, "q"),
        ([said("user", "before"), said("assistant", "x"), said("user", "q"), said("assistant", "a")], {}, "q"),
        ([said("user", "before"), said("assistant", "x")], {"pydantic_ai.new_message_index": 2}, None),
        ([said("system", "s")], {}, None),
        ("", {}, None),
    ],
)
def test_the_question_is_what_the_user_said_last(messages, extra, query):
    record = read(agent(messages, **extra))
    assert (record.kind, record.query, record.answer, record.problems) == ("request", query, "a", ())


def test_cut_messages_are_reported():
    record = read(agent(text([said("user", "q")])[:-3]))
    assert (record.query, record.problems) == (None, ("cut.query",))


def chat(given, returned, **rest):
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.system_instructions": text([{"type": "text", "content": "s"}]),
    }
    for name, value in (("input", given), ("output", returned)):
        if value is not None:
            attributes[f"gen_ai.{name}.messages"] = text(value)
    return span("pydantic-ai", attributes, **rest)


def test_the_prompt_holds_what_tools_returned():
    record = read(chat([said("user", "q"), said("assistant", CALL), said("user", RESULT)], [said("assistant", "a")]))
    assert record.prompt_text == 's\n\nq\n\n[{"id":"a","text":"A"}]'
    assert (record.answer, record.internal, record.problems) == ("a", False, ())


@pytest.mark.parametrize(
    ("reply", "answer", "internal"),
    [
        (said("assistant", CALL), None, True),
        (said("assistant", "wait", CALL), "wait", False),
        (said("assistant", ""), "", False),
    ],
)
def test_a_reply_that_only_asks_for_a_tool_is_internal(reply, answer, internal):
    record = read(chat([said("user", "q")], [reply]))
    assert (record.answer, record.internal) == (answer, internal)


def test_content_that_is_off():
    record = read(chat(None, None))
    assert (record.prompt_text, record.answer, record.problems) == (None, None, ("content_off",))


def test_a_tool_is_no_stage_of_itself():
    assert read(span("pydantic-ai", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "[]"})) is None
